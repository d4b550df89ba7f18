"""`Director`: what a host on air says next."""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal

from agents.clause import Clause, Language
from agents.errors import AgentValueError
from agents.regulation.names import clean_name as said_name
from agents.rundown.document import Item, Rundown
from agents.rundown.said import Said
from agents.rundown.variation import Variation
from agents.shop.product import Shop
from agents.show.asking import CueKey, Key
from agents.show.cursor import Cursor, Piece
from agents.show.goods import Change, change_of
from agents.show.hearing import CleanName, Ear
from agents.show.limits import Limits
from agents.show.line import Line
from agents.show.memory import load_cursor, load_ear, load_timetable, save_cursor, save_ear
from agents.show.overload import Air, overdue
from agents.show.pace import PACES, Pace, seconds_of
from agents.show.precedence import Precedence
from agents.show.question import Heard, Question
from agents.show.scripting import Left, Scripting, sentences_of
from agents.show.snapshot import VERSION, Saved
from agents.show.speaking import Speaker, Words
from agents.show.timetable import Timetable
from agents.show.viewers import ViewerEvent
from agents.show.waiting import ASKING, PRESSING, Entry, Waiting
from agents.show.wording import Wording

Dropped = Literal["withdrawn", "cancelled", "failed"]

_MOST_FORGOTTEN: Final = 2000  # events met with no word, until somebody asks for them
_MOST_OUT: Final = 8  # lines given of which nothing has been told
_MOST_MAKING: Final = 4  # answers being made at once
_MOST_RUNNING: Final = 4  # interjections before the script has its turn
_LONGEST_RUN_S: Final = 40.0  # seconds of them
_SHORT_BREAK_S: Final = 4.0  # of greetings and thanks within an item, from which on one is needed
_LONG_BREAK_S: Final = 30.0  # one that needs a bridge even between items
_SHORTEST_FILL_S: Final = 3.0  # of an item's time that is worth another sentence
# Ids passed over after a restart: a snapshot may be older than the last line that was given.
_SKIPPED: Final = 1000
_QUESTION_TIME_S: Final = 45.0  # of an item for questions that has no duration


@dataclass(slots=True)
class Given:
    """A line that was given: what it came from, and how it stands.

    `stale`: what it answers from has changed before it began.
    """

    line: Line
    seconds: float
    piece: Piece | None = None
    entry: Entry | None = None
    began_at: float | None = None
    stale: bool = False

    @property
    def is_bridge(self) -> bool:
        """Whether the script must follow."""
        return self.line.kind == "bridge"


class Director:
    """Decides what comes next. Pure and synchronous; time and chance are given.

    The room asks for the next line as soon as one was given, so one line is prepared while another
    is heard; it tells of each that it began and ended, or was dropped. A line that was dropped, or
    cut, is given again, in its place: of the script no sentence is lost, and none is heard twice.

    Args:
        rundown, shop: what is on air.
        wording: ready words; by default those that ship.
        now: seconds since the epoch by the room's clock.
        random: all chance comes from here.
        said: what was said within the hour.
        key: tells what a question is about, for merging; by default a few cue words do.
        clean_name: makes viewers' names fit to be said, "" for none.
        questions_per_minute: of one viewer that are taken, 1 to 60.
        greets: whether viewers are greeted, and thanked for gifts and follows. Orders always are.
    """

    def __init__(
        self,
        rundown: Rundown,
        shop: Shop,
        wording: Wording | None = None,
        *,
        now: Callable[[], float],
        random: Random,
        said: Said | None = None,
        key: Key | None = None,
        clean_name: CleanName = said_name,
        questions_per_minute: int = 4,
        greets: bool = True,
    ) -> None:
        self._now = now
        self._own_key = key is None
        self._shop = shop
        self._said = Said() if said is None else said
        language = rundown.language
        words = wording or Wording()
        variation = Variation(language, self._said, random, words.mend, loops=rundown.loops)
        self._scripting = Scripting(rundown, shop, variation, self._said, now, random)
        self._speaker = Speaker(words, variation, self._said, language, now, random)
        self._variation = variation
        self._random = random
        self._waiting = Waiting()
        self._precedence = Precedence(self._waiting, now)
        limits = Limits(questions_per_minute)
        self._ear = Ear(self._waiting, key or CueKey(shop), clean_name, limits, now)
        self._ear.greets = greets
        self._cursor = Cursor(rundown, self._scripting.plan)
        self._timetable = Timetable()
        self._out: OrderedDict[str, Given] = OrderedDict()
        self._trail: list[Given] = []  # given since the last line of the script, that included
        self._number = 0
        self._idle = False
        self._held_since: float | None = None
        self._pace: Pace = "usual"
        self._fills = 0
        self._forgotten: deque[str] = deque(maxlen=_MOST_FORGOTTEN)

    # What is on air

    @property
    def rundown(self) -> Rundown:
        """The running order."""
        return self._cursor.rundown

    @property
    def item(self) -> Item:
        """The item whose sentences are given now."""
        return self._cursor.item

    @property
    def following(self) -> Item | None:
        """The item that comes next."""
        return self._cursor.following

    @property
    def loop(self) -> int:
        """How often the rundown has begun, from 1."""
        return self._cursor.loop

    @property
    def held(self) -> bool:
        """Whether the script stands still."""
        return self._held_since is not None

    @property
    def finished(self) -> bool:
        """Whether a rundown that does not loop has been told."""
        return self._cursor.finished

    @property
    def paced(self) -> Pace:
        """How fast the host speaks."""
        return self._pace

    @property
    def waiting(self) -> int:
        """How many questions wait for an answer."""
        return sum(one.kind in ASKING for one in self._waiting)

    @property
    def left(self) -> Sequence[Left]:
        """Sentences that were left out or replaced lately, for nothing of them was fresh."""
        return tuple(self._scripting.left)

    @property
    def counted(self) -> dict[str, int]:
        """How many events were merged, limited, ignored, pushed out... since the start."""
        return dict(self._ear.counted)

    # Viewers

    def hear(self, event: ViewerEvent) -> Heard:
        """Take in what a viewer did, and say what becomes of it."""
        return self._ear.hear(event, self.rundown.language, self.focus)

    @property
    def focus(self) -> str | None:
        """The id of the product that is spoken of, None for none."""
        running = [one for one in self._out.values() if one.began_at is not None]
        return running[-1].line.product if running else self.item.product

    def question(self) -> Question | None:
        """Return the most urgent question an answer should be made for now, each once."""
        making = sum(one.state == "asked" for one in self._waiting)
        if making >= _MOST_MAKING:
            return None
        for entry in self._waiting.questions():
            if entry.state == "waiting":
                entry.state = "asked"
                return question_of(entry)
        return None

    def answered(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str] = ()
    ) -> None:
        """Take the answer to a question; it is said in its turn. None without clauses."""
        entry = self._waiting.get(question.id)
        if entry is None or entry.state == "given":
            return
        if not clauses:
            self.unanswered(question)
            return
        entry.clauses, entry.citations = tuple(clauses), tuple(citations)
        entry.state = "ready"

    def unanswered(self, question: Question) -> None:
        """Tell that there is no answer to a question: it waits no longer."""
        self._waiting.remove(question.id)

    def overdue(self, now: float | None = None) -> list[Question]:
        """Return questions that cannot be answered aloud in time, and have them wait no longer.

        Those most people asked, and the latest of them, are kept for as long as their answers can
        begin within 6 s of being asked (12 s while few ask), or with the end of the line that ran
        when they were asked.
        """
        moment = self._now() if now is None else now
        late = overdue(self._waiting, moment, self._air(moment), self._pace)
        for entry in late:
            self._waiting.remove(entry.id)
        pushed = [one for one in self._waiting.pushed_out if one.kind in ASKING]
        gone = [*late, *self._waiting.pushed_out]
        self._waiting.pushed_out.clear()
        asked = [one for one in [*late, *pushed] if one.kind != "talk"]
        quiet = (one for one in gone if one.kind not in ASKING or one.kind == "talk")
        self._forgotten.extend(event for one in quiet for event in one.events)
        return [question_of(one) for one in asked]

    def forgotten(self) -> list[str]:
        """Return ids of remarks, comings... that will be met with no word, each once."""
        told = list(self._forgotten)
        self._forgotten.clear()
        return told

    def dismiss(self, event_id: str) -> bool:
        """Leave a viewer's question, greeting... without a word; False where none waits."""
        entry = self._waiting.with_event(event_id)
        if entry is None or entry.state == "given":
            return False
        self._waiting.remove(entry.id)
        return True

    def prefer(self, event_id: str) -> bool:
        """Answer a viewer's question before all others; False where it does not wait."""
        entry = self._waiting.with_event(event_id)
        if entry is None or entry.kind not in ASKING:
            return False
        entry.preferred = True
        return True

    # Lines

    def next(self) -> Line | None:
        """Return what is to be said after all lines given so far, None for nothing now."""
        while len(self._out) >= _MOST_OUT:
            self.dropped(next(iter(self._out.values())).line, "cancelled")
        given = (
            self._bridged()
            or self._interjection(scripts_turn=self._is_scripts_turn())
            or self._from_script()
            or self._interjection(scripts_turn=False)  # the script has nothing fresh
        )
        self._idle = given is None
        if given is None:
            return None
        self._out[given.line.id] = given
        self._trail.append(given)
        return given.line

    def began(self, line: Line) -> None:
        """The line's first sound is heard."""
        given = self._out.get(line.id)
        if given is None:
            return
        given.began_at = self._now()
        if given.piece is not None:
            self._trail = self._trail[self._trail.index(given) :] if given in self._trail else []
        visit = self._cursor.visit
        if visit.began_at is None and line.item == visit.item.id and given.entry is None:
            visit.began_at = given.began_at
            self._timetable.begin(given.began_at, self._duration(visit.item))

    def ended(self, line: Line, whole: bool = True) -> None:
        """The line was heard to its end, or only in part: then it is given again, but courtesies
        and operators' words are not.
        """
        given = self._out.pop(line.id, None)
        if given is None:
            return
        # It was worded a while ago; the hour counts from when it was heard.
        self._said.add(given.piece.text if given.piece else given.line.text, self._now())
        if not whole:
            self._take_back(given, heard=True)
            return
        if given.piece is not None:
            self._cursor.end(given.piece)
        if given.entry is not None:
            self._waiting.remove(given.entry.id)
            if given.entry.kind in ASKING:
                self._ear.answered.append((self._now(), given.entry))

    def dropped(self, line: Line, why: Dropped = "withdrawn") -> None:
        """Nothing of the line was heard: it is given again where it is still wanted."""
        del why
        given = self._out.pop(line.id, None)
        if given is not None:
            self._take_back(given, heard=False)

    def _take_back(self, given: Given, *, heard: bool) -> None:
        if given in self._trail and not heard:
            self._trail.remove(given)
        if given.piece is not None:
            if not self._cursor.give_back(given.piece) and not heard:
                self._said.discard(given.piece.text)
        elif given.entry is None:
            self._said.discard(given.line.text)
        elif heard and given.entry.kind in ("operator", "join", "follow", "decision"):
            self._waiting.remove(given.entry.id)
        else:
            given.entry.state = "ready"
            self._said.discard(given.line.text)
            if given.stale:
                given.entry.make_anew()

    @property
    def urgent(self) -> bool:
        """Whether the room should have the session ask again now: something presses and may
        replace a line that was prepared, or there is something after nothing was.
        """
        if self._idle:
            return bool(self._waiting.ready()) or not self._cursor.finished
        prepared = [one for one in self._out.values() if one.began_at is None]
        if not prepared:
            return False
        given = prepared[-1]
        if given.stale:
            return True
        piece = given.piece
        if piece is not None and (
            piece.visit != self._cursor.visit.number or self.held or piece.stale
        ):
            return True
        # What would come instead, were it taken back: else the same line was withdrawn for ever.
        turn = self._is_scripts_turn(but=given)
        choice = self._precedence.next(scripts_turn=turn, back=given.entry)
        if choice is None or choice is given.entry or choice.kind not in PRESSING:
            return False
        if choice.kind == "operator":
            return given.entry is None or given.entry.kind != "operator"
        if given.entry is not None:
            return given.entry.kind in ("join", "follow", "talk")
        return piece is None or not self._after_bridge(given)

    def _after_bridge(self, given: Given) -> bool:
        at = self._trail.index(given) if given in self._trail else 0
        return at > 0 and self._trail[at - 1].is_bridge

    # Interjections

    def _bridged(self) -> Given | None:
        """Return the sentence a bridge led to; only an operator comes between the two."""
        if not self._trail or not self._trail[-1].is_bridge or self.held:
            return None
        ready = self._waiting.ready()
        if ready and ready[0].kind == "operator":
            return None
        piece = self._cursor.visit.take(self._scripting.word)
        return None if piece is None else self._script_line(piece)

    def _interjection(self, *, scripts_turn: bool) -> Given | None:
        while (entry := self._precedence.next(scripts_turn=scripts_turn)) is not None:
            words = self._speaker.words(entry, self._shop, self.item)
            if words is None:
                self._waiting.remove(entry.id)
                continue
            entry.state = "given"
            self._precedence.given(entry)
            return self._line(words, entry=entry)
        return None

    def _run(self, but: Given | None = None) -> list[Given]:
        """Return what was given since the last line of the script or bridge, oldest first."""
        run: list[Given] = []
        for given in reversed(self._trail):
            if given is but:
                continue
            if given.piece is not None or given.is_bridge:
                break
            run.append(given)
        return run[::-1]

    def _is_scripts_turn(self, but: Given | None = None) -> bool:
        """Whether interjections have gone on for so long that the script must be heard again: the
        item's next sentence or, once it is told and its time is over, the next item.

        `but`: were this line not given.
        """
        takes_back = but is not None and but.piece is not None
        if self.held or (self._cursor.finished and not takes_back):
            return False
        if self._cursor.visit.is_told and not takes_back and self._has_time():
            return False
        run = [one for one in self._run(but) if one.entry is not None]
        return len(run) >= _MOST_RUNNING or sum(one.seconds for one in run) >= _LONGEST_RUN_S

    # Script

    def _from_script(self) -> Given | None:
        if self.held:
            return self._filler()
        for _ in range(len(self.rundown.items) + 1):
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
        duration = self._duration(self.item)
        if duration is None or self._cursor.finished:
            return False
        left = self._timetable.left(self._free_at(self._now()))
        if self._cursor.visit.began_at is None or left is None:
            # Its first line has not begun: what was given of it counts.
            mine = (one for one in self._out.values() if one.line.item == self.item.id)
            left = duration - sum(one.seconds for one in mine)
        return left >= _SHORTEST_FILL_S

    def _duration(self, item: Item) -> float | None:
        if item.duration is None and item.kind == "questions":
            return _QUESTION_TIME_S
        return item.duration

    def _filler(self) -> Given | None:
        """Return a line for time that is left: more about the product, or a call for questions."""
        self._fills += 1
        item = self.item
        prompts = self._fills % (2 if item.kind == "questions" else 4) == 1
        for kind in ("prompt", "more") if prompts else ("more", "prompt"):
            if kind == "prompt":
                words = self._speaker.prompt(self._shop)
            else:
                words = self._speaker.more(item, self._shop)
            if words is not None:
                return self._line(words, product=item.product)
        return None

    def _bridge(self, piece: Piece) -> Given | None:
        """Return a bridge back to the script where a break calls for one; the piece waits."""
        visit = self._cursor.visit
        broke = [one for one in self._run() if one.entry is not None]
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
        words = Words(
            "script", clauses, self.rundown.language, item.product, piece.citations
        )  # fmt: skip
        return self._line(words, piece=piece)

    def _line(
        self, words: Words, *, piece: Piece | None = None, entry: Entry | None = None,
        product: str | None = None,
    ) -> Given:  # fmt: skip
        self._number += 1
        line = Line(
            id=f"l{self._number:09d}",
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
        return Given(line, seconds_of(words.clauses, self._pace), piece, entry)

    def _free_at(self, now: float) -> float:
        """Return when all lines given will have been said, about."""
        at = now
        for given in self._out.values():
            if given.began_at is not None:
                at = max(at, given.began_at + given.seconds)
            else:
                at += given.seconds
        return at

    def _air(self, now: float) -> Air:
        running = [one for one in self._out.values() if one.began_at is not None]
        since, till = float("-inf"), now
        if running and running[-1].began_at is not None:
            since = running[-1].began_at
            till = max(now, since + running[-1].seconds)
        return Air(since, till, self._free_at(now))

    # Operators and the operations brain

    def skip(self) -> None:
        """Leave the current item for the next one."""
        self._leave()
        self._cursor.skip()

    def jump(self, item_id: str) -> None:
        """Go to an item.

        Raises:
            AgentValueError: there is none of that id.
        """
        self.rundown.item(item_id)
        self._leave()
        self._cursor.jump(item_id)

    def _leave(self) -> None:
        for piece in self._cursor.visit.pieces:
            self._said.discard(piece.text)
        self._timetable.restart()

    def hold(self) -> None:
        """Stay with the current item: questions are answered, its script stands still."""
        if self._held_since is None:
            self._held_since = self._now()

    def go_on(self) -> None:
        """End a hold, at the sentence where it began."""
        if self._held_since is not None:
            self._timetable.shift(self._now() - self._held_since)
            self._held_since = None

    def offer(self, product_id: str) -> None:
        """Announce a product's offer, or its price, next.

        Raises:
            AgentValueError: there is no product of that id.
        """
        self._decide("offer", self._shop.product(product_id).id)

    def repeat(self) -> None:
        """Bring the current product across once more, in other words."""
        self._decide("again", self.item.product)

    def thank(self) -> None:
        """Thank all who are there."""
        self._decide("thank", None)

    def _decide(self, what: str, product: str | None) -> None:
        entry = Entry(self._ear.next_id(), "decision", self._now(), self.rundown.language, what)
        entry.product, entry.state = product, "ready"
        self._waiting.add(entry)

    def pace(self, pace: Pace) -> None:
        """Speak slower, as usual or faster: lengths are planned so.

        Raises:
            AgentValueError: it is none of these.
        """
        if pace not in PACES:
            raise AgentValueError(f"pace {pace!r:.60}; accepted are {', '.join(PACES)}")
        self._pace = pace

    def say(self, text: str, language: Language | None = None) -> None:
        """Say an operator's words next, a sentence a line."""
        own = language or self.rundown.language
        for sentence in sentences_of(text, own):
            entry = Entry(self._ear.next_id(), "operator", self._now(), own, sentence)
            entry.state = "ready"
            self._waiting.add(entry)

    def replace(self, rundown: Rundown) -> None:
        """Go on in an edited rundown, at the place that corresponds to the one reached."""
        self._scripting.rundown = rundown
        self._variation.loops = rundown.loops
        self._cursor.replace(rundown)

    def restock(self, shop: Shop) -> None:
        """Go on with changed goods: what was worded from facts that changed, and not heard, is
        worded anew; answers are made anew.
        """
        change = change_of(self._shop, shop)
        self._shop = shop
        self._scripting.shop = shop
        if self._own_key:
            self._ear.key = CueKey(shop)
        self._cursor.visit.freshen(change.touches)
        for entry in self._waiting:
            if entry.state == "ready" and _is_touched(entry, change):
                entry.make_anew()
        for given in self._out.values():
            if given.entry is not None and _is_touched(given.entry, change):
                given.stale = given.began_at is None

    # Across restarts

    def snapshot(self) -> dict[str, Any]:
        """Return how all stands, as JSON: lines that were given and have not ended are to be given
        again.
        """
        return {
            "version": VERSION,
            "rundown": self.rundown.id,
            "cursor": save_cursor(self._cursor, self._scripting),
            "ear": save_ear(self._ear, self._waiting),
            "said": self._said.snapshot(),
            "timetable": self._timetable.snapshot(),
            "number": self._number,
            "held_since": self._held_since,
            "pace": self._pace,
        }

    def restore(self, snapshot: object) -> None:
        """Go on as another director stood, of the same rundown or of one edited since.

        To be called before anything else.

        Raises:
            AgentValueError: the snapshot is of another form; nothing has changed then.
        """
        saved = Saved(snapshot)
        saved.choice("version", (VERSION,))
        pace = saved.choice("pace", tuple(PACES))
        number = saved.get("number", int) + _SKIPPED
        held = saved.maybe("held_since", float)
        said = Said()
        said.restore(saved.get("said", list))
        load_timetable(self._timetable, saved.get("timetable", list))
        load_ear(self._ear, self._waiting, saved.child("ear"))
        load_cursor(self._cursor, self._scripting, saved.child("cursor"))
        self._said.restore(said.snapshot())
        self._pace, self._number, self._held_since = pace, number, held


def _is_touched(entry: Entry, change: Change) -> bool:
    """Return whether the answer that was made to an entry may hold no more."""
    if entry.kind not in ASKING or not entry.clauses:
        return False
    text = "".join(clause.text for clause in entry.clauses)
    cited = (citation.partition(".")[0] for citation in entry.citations)
    return bool(entry.citations) and change.touches(text, entry.product, *cited)


def question_of(entry: Entry) -> Question:
    """Return an entry as the question it is."""
    return Question(
        entry.id, entry.text, entry.language, entry.product, entry.asked, entry.at,
        tuple(entry.events), max(1, len(entry.names)), entry.clauses, entry.citations,
    )  # fmt: skip
