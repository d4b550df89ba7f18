"""`Composer`: makes the next line: of the script, of what waits, or to fill an item's time."""

from collections.abc import Callable
from typing import Final

from agents.rundown.document import Item
from agents.shop.product import Shop
from agents.show.cursor import Cursor, Piece
from agents.show.given import Given, Trail
from agents.show.line import Line
from agents.show.overload import MOST_RUNNING, Air, is_late
from agents.show.pace import Pace, seconds_of
from agents.show.precedence import Precedence
from agents.show.scripting import Scripting
from agents.show.speaking import Speaker, Words
from agents.show.timetable import Timetable
from agents.show.waiting import ASKING, PRESSING, Entry, Waiting

_LONGEST_RUN_S: Final = 40.0  # seconds of them
_TURN: Final = 2  # sentences of the script then, so that a thought is brought to its end
_CROWDED_TURN: Final = 3
_LONGEST_TURN_S: Final = 16.0  # after which it ends with the running sentence
_SENTENCE_S: Final = 4.5  # about how long a sentence takes that is not worded yet
_BRIDGE_S: Final = 2.5
_COURTESY_S: Final = 3.0
_SHORT_BREAK_S: Final = 4.0  # of greetings and thanks within an item, from which on one is needed
_LONG_BREAK_S: Final = 30.0  # one that needs a bridge even between items
_SHORTEST_FILL_S: Final = 3.0  # of an item's time that is worth another sentence
_QUESTION_TIME_S: Final = 45.0  # of an item for questions that has no duration


class Composer:
    """Says whose turn it is, and makes the line.

    Attributes:
        shop: as it is now.
        pace: how fast lines are said.
        held: whether the script stands still.
        number: of the line that was made last.
    """

    def __init__(
        self, shop: Shop, cursor: Cursor, scripting: Scripting, speaker: Speaker,
        waiting: Waiting, precedence: Precedence, timetable: Timetable, trail: Trail,
        now: Callable[[], float],
    ) -> None:  # fmt: skip
        self.shop = shop
        self.pace: Pace = "usual"
        self.held = False
        self.number = 0
        self._cursor = cursor
        self._scripting = scripting
        self._speaker = speaker
        self._waiting = waiting
        self._precedence = precedence
        self._timetable = timetable
        self._trail = trail
        self._now = now
        self._fills = 0

    @property
    def item(self) -> Item:
        """The item whose sentences are given now."""
        return self._cursor.item

    def next(self) -> Given | None:
        """Return what is to be said after all that was given, None for nothing now."""
        return (
            self._bridged()
            or self._interjection(scripts_turn=self.is_scripts_turn())
            or self._from_script()
            or self._interjection(scripts_turn=False)  # the script has nothing fresh
        )

    def is_scripts_turn(self, but: Given | None = None) -> bool:
        """Whether interjections have gone on for so long that the script must be heard again: a
        few sentences of the item or, once it is told and its time is over, of the next item.

        `but`: were this line not given.
        """
        takes_back = but is not None and but.piece is not None
        if self.held or (self._cursor.finished and not takes_back):
            return False
        if self._cursor.visit.is_told and not takes_back and self._has_time():
            return False
        script, before = self._trail.turn(but)
        run = [one for one in before if one.entry is not None]
        if len(run) < MOST_RUNNING and sum(one.seconds for one in run) < _LONGEST_RUN_S:
            return False
        said = [one for one in script if one.piece is not None]
        seconds = sum(one.seconds for one in script)
        return not said or (len(said) < self._turn and seconds < _LONGEST_TURN_S)

    @property
    def _turn(self) -> int:
        """How many sentences of the script follow a run of interjections."""
        return _CROWDED_TURN if self._waiting.is_crowded(self._now()) else _TURN

    def air(self) -> Air:
        """Return what is said, and will be said, before answers."""
        now = self._now()
        script, before = self._trail.turn()
        said = [one for one in script if one.piece is not None]
        turn_s = _BRIDGE_S + self._turn * _SENTENCE_S
        free_at, left = self._trail.free_at(now), MOST_RUNNING
        if self.is_scripts_turn():
            free_at += turn_s - (_BRIDGE_S if script else 0.0) - len(said) * _SENTENCE_S
        elif not script:
            left -= sum(one.entry is not None for one in before)
        first = self._precedence.next(scripts_turn=False)
        if first is not None and first.kind not in ASKING:
            free_at, left = free_at + _COURTESY_S, left - 1
        return Air(self._trail.since, self._trail.till(now), free_at, max(0, left), turn_s)

    def duration(self, item: Item) -> float | None:
        """Return how long an item is to last, in seconds; None for as long as its script."""
        if item.duration is None and item.kind == "questions":
            return _QUESTION_TIME_S
        return item.duration

    def gives_way(self) -> bool:
        """Whether something presses so that it is to replace the line that was prepared."""
        given = self._trail.prepared
        if given is None:
            return False
        if given.stale:
            return True
        piece = given.piece
        if piece is not None and (
            piece.visit != self._cursor.visit.number or self.held or piece.stale
        ):
            return True
        # What would come instead, were it taken back: else the same line was withdrawn for ever.
        turn = self.is_scripts_turn(but=given)
        choice = self._choice(scripts_turn=turn, back=given.entry)
        if choice is None or choice is given.entry or choice.kind not in PRESSING:
            return False
        if choice.kind == "operator":
            return given.entry is None or given.entry.kind != "operator"
        if given.entry is not None:
            return given.entry.kind in ("join", "follow", "talk") or self._comes_late(given, choice)
        return piece is None or not self._trail.follows_bridge(given)

    def _comes_late(self, given: Given, choice: Entry) -> bool:
        """Say whether an answer that is prepared comes late, and another would come in time."""
        answers = all(one is not None and one.kind == "question" for one in (given.entry, choice))
        if given.entry is None or not answers or not self._waiting.is_crowded(self._now()):
            return False
        return self._is_late(given.entry) and not self._is_late(choice)

    def _choice(self, *, scripts_turn: bool, back: Entry | None = None) -> Entry | None:
        """Return what of all that waits is said next, as `Precedence.next`."""
        return self._precedence.next(scripts_turn=scripts_turn, back=back, late=self._is_late)

    def _is_late(self, entry: Entry) -> bool:
        return is_late(entry, self._trail.since, self._trail.till(self._now()))

    # Interjections

    def _bridged(self) -> Given | None:
        """Return the sentence a bridge led to; only an operator comes between the two."""
        last = self._trail.last
        if last is None or not last.is_bridge or self.held:
            return None
        ready = self._waiting.ready()
        if ready and ready[0].kind == "operator":
            return None
        piece = self._cursor.visit.take(self._scripting.word)
        return None if piece is None else self._script_line(piece)

    def _interjection(self, *, scripts_turn: bool) -> Given | None:
        while (entry := self._choice(scripts_turn=scripts_turn)) is not None:
            words = self._speaker.words(entry, self.shop, self.item)
            if words is None:
                self._waiting.remove(entry.id)
                continue
            entry.state = "given"
            return self._line(words, entry=entry)
        return None

    # Script

    def _from_script(self) -> Given | None:
        if self.held:
            return self._filler()
        for _ in range(len(self._cursor.rundown.items) + 1):
            visit = self._cursor.visit
            piece = None if self._cursor.finished else visit.take(self._scripting.word)
            if piece is not None:
                return self._bridge(piece) or self._script_line(piece)
            if self._has_time() and (filler := self._filler()) is not None:
                return filler
            if not self._cursor.advance():
                return None
        return self._filler()

    def _has_time(self) -> bool:
        """Say whether the item's time is worth another sentence."""
        duration = self.duration(self.item)
        if duration is None or self._cursor.finished:
            return False
        left = self._timetable.left(self._trail.free_at(self._now()))
        if self._cursor.visit.began_at is None or left is None:
            # Its first line has not begun: what was given of it counts.
            mine = (one for one in self._trail if one.line.item == self.item.id)
            left = duration - sum(one.seconds for one in mine)
        return left >= _SHORTEST_FILL_S

    def _filler(self) -> Given | None:
        """Return a line for time that is left: more about the product, or a call for questions."""
        self._fills += 1
        item = self.item
        prompts = self._fills % (2 if item.kind == "questions" else 4) == 1
        for kind in ("prompt", "more") if prompts else ("more", "prompt"):
            if kind == "prompt":
                words = self._speaker.prompt(self.shop)
            else:
                words = self._speaker.more(item, self.shop)
            if words is not None:
                return self._line(words, product=item.product)
        return None

    def _bridge(self, piece: Piece) -> Given | None:
        """Return a bridge back to the script where a break calls for one; the piece waits."""
        visit = self._cursor.visit
        broke = [one for one in self._trail.run() if one.entry is not None]
        seconds = sum(one.seconds for one in broke)
        begun = visit.has_begun or len(visit.given) > 1
        told = any(one.line.kind not in ("greeting", "thanks") for one in broke)
        long = (told or seconds >= _SHORT_BREAK_S) if begun else seconds >= _LONG_BREAK_S
        if not long or self.item.kind == "questions":
            return None
        product = self._scripting.product(self.item) if begun else None
        words = self._speaker.bridge(product)
        if words is None:
            return None
        visit.give_back(piece)
        return self._line(words, product=self.item.product)

    def _script_line(self, piece: Piece) -> Given:
        item = self.item
        clauses = piece.clauses
        if piece.part == 0:
            clauses = self._speaker.scripted(clauses, item, first=piece.beat == 0)
        language = self._cursor.rundown.language
        words = Words("script", clauses, language, item.product, piece.citations)
        return self._line(words, piece=piece)

    def _line(
        self, words: Words, *, piece: Piece | None = None, entry: Entry | None = None,
        product: str | None = None,
    ) -> Given:  # fmt: skip
        self.number += 1
        line = Line(
            id=f"l{self.number:09d}",
            kind=words.kind,
            clauses=words.clauses,
            language=words.language,
            item=self.item.id,
            sentence=piece.beat if piece else None,
            product=words.product or product,
            events=tuple(entry.events) if entry else (),
            citations=words.citations,
        )
        if entry is not None:
            entry.line = line.id
        return Given(line, seconds_of(words.clauses, self.pace), piece, entry)
