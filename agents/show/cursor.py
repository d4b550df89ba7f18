"""`Cursor`: where in the rundown a room is, to the sentence.

An item on air is a *visit*. Its sentences are *beats*, in order; each is worded when it comes up,
and may be cut into *pieces* so that no piece is longer than a break-in can wait. A piece is given,
and then ended; or it comes back, because it was withdrawn or cut, and is given again before all
that follows it. So a visit says each of its beats once, in order, whatever breaks in.
"""

import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from agents.clause import Clause
from agents.rundown.document import Item, Rundown, Sentence
from agents.rundown.said import fingerprint
from agents.show.goods import Touches


@dataclass(frozen=True, slots=True)
class Beat:
    """One sentence to come: written in the script, or worded from facts about a topic."""

    sentence: Sentence | None = None
    topic: str = ""

    @property
    def key(self) -> str:
        """What is alike in beats that say the same."""
        if self.sentence is None:
            return self.topic
        return fingerprint("\n".join(self.sentence.wordings)) + "!" * self.sentence.fixed


@dataclass(slots=True)
class Piece:
    """Part of a beat that was worded: what one line says.

    Attributes:
        visit: number of the visit.
        beat, part: which beat of the visit, and which part of it, from 0.
        parts: how many parts the beat was cut into.
        text: of the whole beat, without marks.
        clauses: of this part.
        stale: its beat has been edited or its facts have changed; if it comes back, it is worded
            anew.
    """

    visit: int
    beat: int
    part: int
    parts: int
    text: str
    clauses: tuple[Clause, ...]
    citations: tuple[str, ...] = ()
    stale: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the visit."""
        return (self.beat, self.part)


# Words the beat of an item: pieces, or none where it is left out this time.
Worder = Callable[["Visit", int], list[Piece]]


@dataclass(slots=True)
class Visit:
    """One time an item is on air.

    Attributes:
        number: unique, growing.
        beats: what is to be said, in order.
        next_beat: index of the first beat not worded yet.
        pieces: worded and not given, in order.
        given: pieces that were given and have not ended.
        began_at: when its first line began; None before.
        said: lines of the script that were heard to their end.
    """

    number: int
    item: Item
    beats: list[Beat]
    next_beat: int = 0
    pieces: list[Piece] = field(default_factory=list)
    given: list[Piece] = field(default_factory=list)
    began_at: float | None = None
    said: int = 0

    @property
    def is_told(self) -> bool:
        """Whether nothing of the script is left to be given."""
        return not self.pieces and self.next_beat >= len(self.beats)

    @property
    def has_begun(self) -> bool:
        """Whether any of its script was heard."""
        return self.said > 0

    def take(self, word: Worder) -> Piece | None:
        """Return the next piece, worded where it must be; None where the script has been said."""
        while not self.pieces and self.next_beat < len(self.beats):
            self.pieces = word(self, self.next_beat)
            self.next_beat += 1
        if not self.pieces:
            return None
        piece = self.pieces.pop(0)
        self.given.append(piece)
        return piece

    def end(self, piece: Piece) -> None:
        """Tell that a piece was heard to its end."""
        self.given = [one for one in self.given if one is not piece]
        self.said += 1

    def give_back(self, piece: Piece) -> None:
        """Tell that a piece was not heard, or not to its end: it is given again."""
        self.given = [one for one in self.given if one is not piece]
        if piece.stale and piece.part == 0:
            self._word_anew(piece.beat)
        elif piece.beat < self.next_beat:
            bisect.insort(self.pieces, piece, key=lambda one: one.place)

    def freshen(self, touches: Touches = lambda *_: True) -> None:
        """Have what was worded, and of which nothing was heard, worded anew where it is touched."""
        for piece in self.given:
            piece.stale = piece.stale or touches(piece.text, self.item.product)
        for piece in list(self.pieces):
            if piece.part == 0 and touches(piece.text, self.item.product):
                self._word_anew(piece.beat)

    def _word_anew(self, beat: int) -> None:
        """Forget the words of a beat and of all worded after it, which are next to be worded."""
        begun = {one.beat for one in self.pieces if one.beat > beat and one.part > 0}
        if not begun:
            self.pieces = [one for one in self.pieces if one.beat < beat]
            self.next_beat = min(self.next_beat, beat)

    def edit(self, item: Item, beats: list[Beat], keys: list[str] | None = None) -> None:
        """Go on in an edited item at the place that corresponds to the one reached.

        What was said is not said again; what was added behind the place, or changed there, is.

        Args:
            keys: what the beats were before, as `Beat.key`, where the visit does not have them.
        """
        before = [beat.key for beat in self.beats] if keys is None else keys
        aligned = _Alignment(before, [beat.key for beat in beats])
        kept = [one for one in self.pieces if aligned.same(one.beat) is not None]
        lost = [one for one in self.pieces if aligned.same(one.beat) is None and one.part == 0]
        reached = min((one.beat for one in lost), default=self.next_beat)
        self.next_beat = aligned.place(reached)
        kept = [one for one in kept if one.beat < reached or one.part > 0]
        for one in kept:
            one.beat = aligned.same(one.beat) or 0
        self.pieces = sorted(kept, key=lambda one: one.place)
        for one in self.given:
            same = aligned.same(one.beat)
            one.stale = one.stale or same is None
            one.beat = aligned.place(one.beat) if same is None else same
        self.item, self.beats = item, beats


class _Alignment:
    """Which beats of an edited item are which of those before."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        self._codes = matcher.get_opcodes()
        self._new = len(new)

    def same(self, beat: int) -> int | None:
        """Return where a beat now stands, None where it was edited or taken out."""
        for code, i1, i2, j1, _ in self._codes:
            if code == "equal" and i1 <= beat < i2:
                return j1 + beat - i1
        return None

    def place(self, beat: int) -> int:
        """Return the first new beat to be said where old ones up to `beat` were said."""
        for _, i1, i2, j1, j2 in self._codes:
            if i1 <= beat < i2:
                # Of sentences that were rewritten, no new one is passed over for an old one unsaid.
                return j1 + max(0, min(beat - i1, j2 - j1 - (i2 - beat)))
        return self._new


class Cursor:
    """Goes through a rundown, item after item and round after round.

    Attributes:
        visit: the item whose sentences are given.
        left: the visit before, while its last lines have not been heard: what comes back of them
            is given again, and then this visit begins anew.
        loop: how often the rundown has begun, from 1.
        finished: whether a rundown that does not loop has been told.
    """

    def __init__(self, rundown: Rundown, plan: Callable[[Item], list[Beat]]) -> None:
        self._plan = plan
        self.rundown = rundown
        self.loop = 1
        self.finished = False
        self._number = 0
        self.left: Visit | None = None
        self.visit = self._open(rundown.items[0])

    @property
    def item(self) -> Item:
        """The item on air."""
        return self.visit.item

    @property
    def following(self) -> Item | None:
        """The item that comes next, None after the last of a rundown that does not loop."""
        items = self.rundown.items
        at = self._index(self.item.id)
        if at + 1 < len(items):
            return items[at + 1]
        return items[0] if self.rundown.loops else None

    def advance(self) -> bool:
        """Go to the next item; False where there is none."""
        following = self.following
        if following is None:
            self.finished = True
            return False
        self.left = self.visit if self.visit.given else None
        if self._index(following.id) <= self._index(self.item.id):
            self.loop += 1
        self.visit = self._open(following)
        return True

    @property
    def place(self) -> tuple[Visit, int]:
        """The visit, and the round, of the first sentence that has not been heard."""
        if self.left is None:
            return self.visit, self.loop
        again = self._index(self.left.item.id) >= self._index(self.item.id)
        return self.left, self.loop - again

    def give_back(self, piece: Piece) -> bool:
        """Tell that a piece was not heard, or not to its end; False where its item was left."""
        if self.left is not None and piece.visit == self.left.number:
            self.visit, self.loop = self.place
            self.left = None
        if piece.visit != self.visit.number:
            return False
        self.finished = False
        self.visit.give_back(piece)
        return True

    def end(self, piece: Piece) -> None:
        """Tell that a piece was heard to its end."""
        if self.left is not None and piece.visit == self.left.number:
            self.left.end(piece)
            self.left = self.left if self.left.given else None
        elif piece.visit == self.visit.number:
            self.visit.end(piece)

    def skip(self) -> None:
        """Leave the item for the next one, whatever of it has not been heard."""
        self.advance()
        self.left = None

    def jump(self, item_id: str) -> None:
        """Go to an item.

        Raises:
            AgentValueError: there is none of that id.
        """
        self.left = None
        self.visit = self._open(self.rundown.item(item_id))
        self.finished = False

    def replace(self, rundown: Rundown) -> None:
        """Go on in an edited rundown, at the place that corresponds to the one reached."""
        old, self.rundown = self.rundown, rundown
        known = {item.id: item for item in rundown}
        current = known.get(self.item.id)
        if current is not None:
            if _told_alike(current, self.item):
                self.visit.item = current
            else:
                self.visit.edit(current, self._plan(current))
            self.finished = self.finished and current == rundown.items[-1] and not rundown.loops
            return
        self.left = None
        heirs = (known[item.id] for item in _after(old, self.item.id) if item.id in known)
        self.visit = self._open(next(heirs, rundown.items[0]))
        self.finished = False

    def reopen(self, visit: Visit, loop: int, *, finished: bool) -> None:
        """Go on with a visit of an earlier process."""
        self.visit, self.loop, self.finished = visit, loop, finished
        self._number = max(self._number, visit.number)

    def _open(self, item: Item) -> Visit:
        self._number += 1
        return Visit(self._number, item, self._plan(item))

    def _index(self, item_id: str) -> int:
        ids = [item.id for item in self.rundown]
        return ids.index(item_id) if item_id in ids else -1


def _told_alike(left: Item, right: Item) -> bool:
    """Say whether two items say the same, though they may last or look otherwise."""
    return (left.kind, left.script, left.brief, left.product) == (
        right.kind, right.script, right.brief, right.product,
    )  # fmt: skip


def _after(rundown: Rundown, item_id: str) -> Iterator[Item]:
    """Yield the items that follow one, round to the one before it."""
    items = rundown.items
    at = next(n for n, item in enumerate(items) if item.id == item_id)
    yield from items[at + 1 :]
    yield from items[:at]
