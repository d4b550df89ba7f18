"""What a session speaks of itself: the lines of a programme, one prepared while another is heard.

A line is a reply nobody asked for: it has a turn of its own, so it is interrupted, counted and
remembered as replies are. Its turn is reserved and worked on under that number while the line
before sounds, and begins when that one has ended.
"""

from dataclasses import dataclass
from typing import Final

from agents.show.line import Line
from pipeline.floor import Floor
from pipeline.programme import Dropped, Programme
from pipeline.replies import Replies
from pipeline.stages.move import MoveStage

# Seconds without sound between two lines, by how the first one ends; between two items more.
PAUSES: Final = {",": 0.16, "，": 0.16, "、": 0.15, ";": 0.2, "；": 0.2, "?": 0.3, "？": 0.3}
PAUSE: Final = 0.25
ITEM_PAUSE: Final = 0.35
NOTHING_SAID: Final = "nothing of it can be said"


@dataclass(slots=True)
class _Given:
    """A line a programme has given, and the turn it is said in. `began`: it has been heard."""

    line: Line
    owner: Programme
    turn: int
    began: bool = False


class Performance:
    """Carries a programme out. Runs on the event loop; nothing here waits.

    Attributes:
        resting: no line begins or is prepared, as long as it holds.
    """

    def __init__(self, floor: Floor, replies: Replies, move: MoveStage) -> None:
        self.resting = False
        self._floor = floor
        self._replies = replies
        self._move = move
        self._programme: Programme | None = None
        self._running: _Given | None = None
        self._prepared: _Given | None = None
        self._said: Line | None = None  # the line before
        self._dry = False  # the programme has nothing to say until it wakes us
        replies.follower = self

    @property
    def performing(self) -> bool:
        """Whether there is a programme, or a line of one that has not ended."""
        return self._programme is not None or self._running is not None

    @property
    def speaking(self) -> bool:
        """Whether a line has begun and not ended."""
        return self._running is not None

    def perform(self, programme: Programme | None) -> None:
        """See `pipeline.contract.Session`."""
        self._withdraw("cancelled")
        self._programme = programme
        self._dry = False

    def wake(self) -> None:
        """See `pipeline.contract.Session`."""
        self._withdraw("withdrawn")
        self._dry = False

    def hush(self) -> None:
        """See `pipeline.contract.Session`."""
        if self._running is not None and self._running.turn == self._floor.machine.turn:
            self._replies.obey(self._floor.machine.cancelled(), reason="client_cancelled")
        self.wake()

    def close(self) -> None:
        """The session ends, and what was running has been cut."""
        self.perform(None)

    def tick(self) -> None:
        """20 ms have passed: begin what is ready, prepare what comes next."""
        if self.resting or self._listening():
            self._withdraw("withdrawn")
            return
        prepared = self._prepared
        if prepared is not None and self._free() and self._move.waiting == prepared.turn:
            self._begin(prepared)
        if self._prepared is None and self._programme is not None and not self._dry:
            self._prepare(self._programme)

    def begins(self, turn: int) -> None:
        """Reply `turn` begins; what was prepared before it is void."""
        if self._prepared is not None and self._prepared.turn < turn:
            self._withdraw("withdrawn")

    def sounds(self, turn: int, position: int) -> None:
        """The first sample of reply `turn` is sent, at wire `position`."""
        if (given := self._running) is not None and given.turn == turn:
            given.began = True
            given.owner.began(given.line, position)

    def over(self, turn: int, heard: str, *, whole: bool, message: str = "") -> None:
        """Reply `turn` has ended; `message` says why it failed."""
        given = self._running
        if given is None or given.turn != turn:
            return
        self._running = None
        if given.began:
            given.owner.ended(given.line, heard, whole=whole)
        elif whole or message:
            given.owner.dropped(given.line, "failed", message or NOTHING_SAID)
        else:
            given.owner.dropped(given.line, "cancelled")

    def failed(self, turn: int, message: str) -> bool:
        """A stage gave up on `turn`, which has not begun; return whether it is a line's."""
        given = self._prepared
        if given is None or given.turn != turn:
            return False
        self._prepared = None
        self._replies.cancel_stages(turn)
        given.owner.dropped(given.line, "failed", message)
        return True

    def _free(self) -> bool:
        """Whether nothing else is being said."""
        return not self._floor.machine.answering

    def _listening(self) -> bool:
        """Whether somebody speaks who may be answered or may interrupt."""
        machine, turn = self._floor.machine, self._floor.options.turn
        answers = turn is not None and turn.create_response
        return machine.hearing and (machine.interruptible or answers)

    def _prepare(self, programme: Programme) -> None:
        """Have the next line thought and voiced, once all of the running reply has been placed:
        what is withdrawn then takes nothing of it along.
        """
        reply, running = self._replies.reply, self._running
        if not self._free() and (reply is None or not reply.made):
            return
        if running is not None and not running.began:
            return
        line = programme.next_line()
        if line is None:
            self._dry = True
            return
        turn = self._floor.machine.reserve()
        self._prepared = _Given(line, programme, turn)
        self._replies.prepare(turn, line.clauses, line.language)

    def _begin(self, given: _Given) -> None:
        pause = _pause(self._said, given.line)
        self._running, self._prepared, self._said = given, None, given.line
        self._replies.begin_line(given.turn, pause)

    def _withdraw(self, why: Dropped) -> None:
        given, self._prepared = self._prepared, None
        if given is None:
            return
        self._replies.cancel_stages(given.turn)
        given.owner.dropped(given.line, why)


def _pause(before: Line | None, line: Line) -> float:
    """Return the seconds without sound between two lines."""
    if before is None:
        return 0.0
    if before.item != line.item:
        return ITEM_PAUSE
    return PAUSES.get(before.text[-1:], PAUSE)
