"""`Director`: what a host on air says next."""

from collections.abc import Callable, Sequence
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
from agents.show.composing import Composer
from agents.show.cursor import Cursor
from agents.show.exchanges import Exchanges
from agents.show.given import Given, Trail
from agents.show.goods import Change, change_of
from agents.show.hearing import CleanName, Ear
from agents.show.limits import Limits
from agents.show.line import Line
from agents.show.memory import (
    load_cursor,
    load_ear,
    load_precedence,
    load_timetable,
    save_cursor,
    save_ear,
)  # fmt: skip
from agents.show.pace import PACES, Pace
from agents.show.precedence import Precedence
from agents.show.question import Heard, Question, question_of
from agents.show.questions import Questions
from agents.show.scripting import Left, Scripting, sentences_of
from agents.show.snapshot import VERSION, Saved
from agents.show.speaking import Speaker
from agents.show.timetable import Timetable
from agents.show.viewers import ViewerEvent
from agents.show.waiting import ASKING, Entry, Waiting
from agents.show.wording import Wording

Dropped = Literal["withdrawn", "cancelled", "failed"]

_MOST_OUT: Final = 8  # lines given of which nothing has been told
# Ids passed over after a restart: a snapshot may be older than the last line that was given.
_SKIPPED: Final = 1000


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
        speaker = Speaker(words, variation, self._said, language, now, random)
        self._variation = variation
        self._waiting = Waiting()
        self._precedence = Precedence(self._waiting, now)
        limits = Limits(questions_per_minute)
        self._exchanges = Exchanges()
        self._questions = Questions(self._waiting, self._exchanges, now)
        self._ear = Ear(
            self._waiting, key or CueKey(shop), clean_name, limits, now, self._exchanges
        )  # fmt: skip
        self._ear.greets = greets
        self._cursor = Cursor(rundown, self._scripting.plan)
        self._timetable = Timetable()
        self._trail = Trail()
        self._composer = Composer(
            shop, self._cursor, self._scripting, speaker, self._waiting, self._precedence,
            self._timetable, self._trail, now,
        )  # fmt: skip
        self._idle = False
        self._held_since: float | None = None

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
        return self._composer.held

    @property
    def finished(self) -> bool:
        """Whether a rundown that does not loop has been told."""
        return self._cursor.finished

    @property
    def paced(self) -> Pace:
        """How fast the host speaks."""
        return self._composer.pace

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
        running = self._trail.running
        return self.item.product if running is None else running.line.product

    def question(self) -> Question | None:
        """Return the most urgent question an answer should be made for now, each once."""
        return self._questions.next()

    def answered(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str] = ()
    ) -> None:
        """Take the answer to a question; it is said in its turn. None without clauses."""
        self._questions.answered(question, clauses, citations)

    def unanswered(self, question: Question) -> None:
        """Tell that there is no answer to a question: it waits no longer."""
        self._waiting.remove(question.id)

    def told(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str] = ()
    ) -> None:
        """Note that viewers know an answer, aloud or in writing: they may refer back to it."""
        self._questions.told(question, clauses, citations, self._shop)

    def overdue(self) -> list[Question]:
        """Return questions that cannot be answered aloud in time, and have them wait no longer.

        Those most people asked, and the latest of them, are kept for as long as their answers can
        begin within 6 s of being asked (12 s while few ask), or with the end of the line that ran
        when they were asked.
        """
        return self._questions.overdue(self._composer.air(), self.paced)

    def forgotten(self) -> list[str]:
        """Return ids of remarks, comings... that will be met with no word, each once."""
        return self._questions.forgotten()

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
        self._heed_clock()
        while len(self._trail) >= _MOST_OUT:
            self.dropped(next(iter(self._trail)).line, "cancelled")
        given = self._composer.next()
        self._idle = given is None
        if given is None:
            return None
        self._trail.add(given)
        return given.line

    def _heed_clock(self) -> None:
        """Begin the item's time anew where the clock was set back: else it would last as long."""
        now, visit = self._now(), self._cursor.visit
        if visit.began_at is not None and visit.began_at > now:
            visit.began_at = now
            self._timetable.restart()
            self._timetable.begin(now, self._composer.duration(visit.item))

    def began(self, line: Line) -> None:
        """The line's first sound is heard."""
        now = self._now()
        given = self._trail.began(line, now)
        if given is None:
            return
        if given.entry is not None:
            self._precedence.began(given.entry)
        visit = self._cursor.visit
        if visit.began_at is None and line.item == visit.item.id and given.entry is None:
            visit.began_at = now
            self._timetable.begin(now, self._composer.duration(visit.item))

    def ended(self, line: Line, whole: bool = True) -> None:
        """The line was heard to its end, or only in part: then it is given again, but courtesies
        and operators' words are not.
        """
        given = self._trail.take(line)
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
                self.told(question_of(given.entry), given.entry.clauses, given.entry.citations)

    def dropped(self, line: Line, why: Dropped = "withdrawn") -> None:
        """Nothing of the line was heard: it is given again where it is still wanted."""
        del why
        given = self._trail.take(line)
        if given is not None:
            self._take_back(given, heard=False)

    def _take_back(self, given: Given, *, heard: bool) -> None:
        if not heard:
            self._trail.withdraw(given)
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
        return self._composer.gives_way()

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
            self._composer.held = True

    def go_on(self) -> None:
        """End a hold, at the sentence where it began."""
        if self._held_since is not None:
            self._timetable.shift(self._now() - self._held_since)
            self._held_since = None
            self._composer.held = False

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
        self._composer.pace = pace

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
        visit = self._cursor.visit
        self._cursor.replace(rundown)
        if self._cursor.visit is not visit:
            self._timetable.restart()  # what took its place has not come early

    def restock(self, shop: Shop) -> None:
        """Go on with changed goods: what was worded from facts that changed, and not heard, is
        worded anew; answers are made anew.
        """
        change = change_of(self._shop, shop)
        self._shop = self._composer.shop = self._scripting.shop = shop
        if self._own_key:
            self._ear.key = CueKey(shop)
        self._cursor.visit.freshen(change.touches)
        for entry in self._waiting:
            if entry.state == "ready" and _is_touched(entry, change):
                entry.make_anew()
        for given in self._trail:
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
            "courtesies": self._precedence.snapshot(),
            "exchanges": self._exchanges.snapshot(),
            "said": self._said.snapshot(),
            "timetable": self._timetable.snapshot(),
            "number": self._composer.number,
            "held_since": self._held_since,
            "pace": self.paced,
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
        if saved.maybe("exchanges", list) is not None:
            self._exchanges.restore(saved.children("exchanges"))
        load_precedence(self._precedence, saved.maybe("courtesies", list) or [])
        load_timetable(self._timetable, saved.get("timetable", list))
        load_ear(self._ear, self._waiting, saved.child("ear"))
        load_cursor(self._cursor, self._scripting, saved.child("cursor"))
        if self._cursor.item.id != saved.child("cursor").get("item", str):
            self._timetable.restart()
        self._said.restore(said.snapshot())
        self._composer.pace, self._composer.number = pace, number
        self._held_since, self._composer.held = held, held is not None


def _is_touched(entry: Entry, change: Change) -> bool:
    """Return whether the answer that was made to an entry may hold no more."""
    if entry.kind not in ASKING or not entry.clauses:
        return False
    text = "".join(clause.text for clause in entry.clauses)
    cited = (citation.partition(".")[0] for citation in entry.citations)
    return bool(entry.citations) and change.touches(text, entry.product, *cited)
