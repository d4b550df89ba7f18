"""The reply's side of a conversation: it begins, is heard, ends, fails or is given up."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from agents.clause import Clause, Language
from agents.history import MARK
from agents.tools import ToolCall
from agents.usage import count_tokens
from avatar.speech import SPEECH_RATE
from pipeline.channel import Envelope
from pipeline.contract import WIRE_RATE
from pipeline.errors import ConfigurationError
from pipeline.events import (
    CancelReason,
    FunctionCalled,
    ItemTruncated,
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    ResponseStatus,
    SessionFailed,
    TranscriptDelta,
    TurnMeasured,
    Usage,
)
from pipeline.floor import Floor, new_id
from pipeline.player import Player, wire_position
from pipeline.reply import Reply
from pipeline.stages.hear import HearStage
from pipeline.stages.move import MoveStage
from pipeline.stages.speak import SpeakStage, Spoken
from pipeline.stages.think import Question, ThinkStage
from pipeline.tasks import Tasks
from pipeline.turns import Order

# What may wait for the end of a reply.
MOST_WAITING: Final = 16
# Tokens of a second of sound, as the Realtime API counts them.
HEARD_TOKENS: Final = 10
SPOKEN_TOKENS: Final = 20


class Follower(Protocol):
    """Told how replies go: whoever says something of itself between them."""

    @property
    def performing(self) -> bool:
        """Whether it has the word, so that who listens does not look as if they waited for it."""

    def begins(self, turn: int) -> None:
        """Reply `turn` begins."""

    def sounds(self, turn: int, position: int) -> None:
        """The first sample of `turn` is sent, `position` as `SoundFrame`."""

    def over(self, turn: int, heard: str, *, whole: bool, message: str = "") -> None:
        """Reply `turn` has ended: all of it was `heard`, or it was cut, or failed (`message`)."""

    def failed(self, turn: int, message: str) -> bool:
        """A stage gave up on `turn`, which has not begun; return whether that was its own."""


class Replies:
    """Carries out the turn machine's orders. Runs on the event loop; nothing here waits."""

    def __init__(
        self,
        floor: Floor,
        hear: HearStage,
        think: ThinkStage,
        speak: SpeakStage,
        move: MoveStage,
        player: Player,
    ) -> None:
        self.playout_delay = 0.1
        self.reply: Reply | None = None
        self.follower: Follower | None = None
        self._floor = floor
        self._hear = hear
        self._think = think
        self._stages = (think, speak, move)
        self._move = move
        self._player = player
        self._failures: dict[int, str] = {}
        self._afterwards: deque[Callable[[], None]] = deque()
        self.heard_seconds = 0.0  # of speech since the last reply began
        self.finished_at: float | None = None
        self._lost = 0.0  # seconds of sound that reached nobody
        self._tasks = Tasks()
        self._cancelling: asyncio.Task[None] | None = None

    def obey(
        self, orders: list[Order], question: str = "", reason: CancelReason = "turn_detected"
    ) -> None:
        """Do what the machine says; `question` is what a reply that begins answers."""
        machine = self._floor.machine
        for order in orders:
            if order is Order.HOLD:
                self._move.hold()
                self._player.cut()
            elif order is Order.RELEASE:
                self._move.release()
            elif order is Order.CANCEL:
                self._give_up(reason)
            elif order is Order.BEGIN:
                self._begin(machine.turn, question)
            elif order is Order.LISTEN:
                performing = self.follower is not None and self.follower.performing
                listening = machine.hearing and not performing
                self._move.posture("listening" if listening else "idle")
            elif order is Order.THINK and machine.answering:
                self._move.posture("thinking")

    def ask(self, turn: int, text: str, language: Language, *, verbatim: bool = False) -> None:
        """Have `turn` answer `text`, once every stage has acknowledged the end of what was.

        `verbatim`: have it said as it is.
        """
        question = Envelope(turn, Question(text, language, verbatim))
        self._tasks.start(self._put(question), f"ask {turn}")

    def prepare(self, turn: int, clauses: Sequence[Clause], language: Language) -> None:
        """Have `turn` say `clauses`, once every stage has acknowledged the end of what was."""
        question = Envelope(turn, Question("", language, clauses=tuple(clauses)))
        self._tasks.start(self._put(question), f"prepare {turn}")

    def begin_line(self, turn: int, pause: float) -> None:
        """Let `turn`, which was prepared, be heard, at least `pause` seconds after the sound
        before. Nothing may be answered just now.
        """
        self._floor.machine.response_created(turn)
        self._begin(turn, "", pause)

    def afterwards(self, call: Callable[[], None]) -> None:
        """Call when the reply in progress has ended; at once where there is none. One that is
        interrupted or cancelled takes with it what waited for its end.

        Raises:
            ConfigurationError: too much waits already.
        """
        if not self._floor.machine.answering:
            call()
            return
        if len(self._afterwards) >= MOST_WAITING:
            raise ConfigurationError(
                f"{MOST_WAITING} replies wait for the end of this one; accepted: no more"
            )
        self._afterwards.append(call)

    def cancel_stages(self, turn: int) -> None:
        """Make the stages drop all up to `turn`; their acknowledgement is waited for by `ask`."""
        before = self._cancelling
        for stage in self._stages:
            stage.forbid(turn)

        async def cancel() -> None:
            if before is not None and not before.done():
                await asyncio.wait({before})
            await asyncio.gather(*(stage.cancel(turn) for stage in self._stages))

        self._cancelling = asyncio.create_task(cancel(), name=f"cancel turn {turn}")

    def placed(self, turn: int, spoken: Spoken) -> None:
        """Speech of `turn` has got its place on the timeline."""
        reply = self.reply
        if reply is None or reply.turn != turn:
            return
        self._floor.mark("first_audio", turn)
        reply.samples += len(spoken.speech.samples)
        if spoken.first:
            clause = spoken.clause
            reply.text += clause.text
            self._floor.history.extend(reply.item_id, clause.text, clause.citations)
            start_ms = self._start_ms(reply, len(spoken.speech.samples))
            self._floor.tell(
                TranscriptDelta(reply.response_id, reply.item_id, clause.text, start_ms)
            )

    def called(self, turn: int, call: ToolCall) -> None:
        """The host asks for a function in `turn`."""
        reply = self.reply
        if reply is None or reply.turn != turn:
            return
        item, call_id = new_id("item"), new_id("call")
        reply.calls += 1
        self._floor.history.add_call(item, call_id, call.name, call.arguments)
        self._floor.follow(item)
        self._floor.tell(
            FunctionCalled(reply.response_id, item, call_id, call.name, call.arguments)
        )

    def made(self, turn: int) -> None:
        """All speech of `turn` has been placed."""
        reply = self.reply
        if reply is None or reply.turn != turn:
            return
        reply.made = True
        if reply.calls and not reply.text:
            self._floor.history.remove(reply.item_id)  # it only asked for a function
        self._tell_done(reply, "completed")

    def played(self) -> None:
        """20 ms have been handed out."""
        reply, timeline = self.reply, self._move.timeline
        if reply is None or not self._floor.machine.answering:
            return
        if not reply.sounding and timeline.spoke(reply.turn):
            reply.sounding = True
            self._floor.machine.sound_started(reply.turn)
            self._hear.set_speaking(True)
            self._player.when_on_wire(lambda: self._sound_on_wire(reply))
        if reply.made and not timeline.held and not timeline.pending(reply.turn):
            self._finish(reply)

    def failed(self, stage: str, turn: int, error: Exception) -> None:
        """A stage gave up on `turn`."""
        message = f"{stage}: {error}"
        if self.reply is not None and self.reply.turn == turn:
            self._fail(self.reply, message)
        elif self.follower is None or not self.follower.failed(turn, message):
            self._failures = {turn: message}

    def sent_ms(self, reply: Reply) -> int:
        """Return how much of a reply went to the wire."""
        return self._move.timeline.sent(reply.turn) * 1000 // SPEECH_RATE

    def words_within(self, reply: Reply, milliseconds: int) -> list[str]:
        """Return the words of a reply that ended within its first milliseconds of sound."""
        return self._move.timeline.words_within(reply.turn, milliseconds * SPEECH_RATE // 1000)

    async def close(self) -> None:
        """Stop all that is under way and wait for it."""
        self.cancel_stages(self._floor.machine.reserved)
        await self._tasks.close()
        if self._cancelling is not None:
            await asyncio.wait({self._cancelling})

    def _start_ms(self, reply: Reply, length: int) -> int:
        """Return where the newest `length` samples of a reply begin, from its first on."""
        timeline = self._move.timeline
        # What is held has no place yet; it is told as if the reply went on now.
        waits = timeline.position + round(timeline.ahead * SPEECH_RATE)
        start = (waits if timeline.held else timeline.ahead_end) - length
        if reply.begins is None and length:
            reply.begins = start
        return 0 if reply.begins is None else (start - reply.begins) * 1000 // SPEECH_RATE

    async def _put(self, question: Envelope[Question]) -> None:
        while self._cancelling is not None and not self._cancelling.done():
            await asyncio.wait({self._cancelling})
        await self._think.inbox.put(question)

    def _begin(self, turn: int, question: str, pause: float | None = None) -> None:
        floor = self._floor
        if self.follower is not None:
            self.follower.begins(turn)
        wish = floor.wish(turn)
        reply = Reply(
            turn,
            new_id("resp"),
            new_id("item"),
            question,
            modality=floor.modality(turn),
            metadata=wish.metadata,
        )
        self.reply = reply
        self.finished_at = None
        floor.unanswered = ""
        self.cancel_stages(turn - 1)  # whatever was prepared and not wanted
        floor.history.add(reply.item_id, "assistant", "", status="in_progress")
        floor.follow(reply.item_id)
        floor.tell(
            ResponseCreated(reply.response_id, reply.item_id, turn, reply.modality, reply.metadata)
        )
        self._move.admit(turn, pause)
        if turn in self._failures:
            self._fail(reply, self._failures.pop(turn))

    def _give_up(self, reason: CancelReason) -> None:
        """Interrupted: silence, then truncate the history to what was heard, then tell."""
        reply, floor = self.reply, self._floor
        if reply is None:
            return
        self.cancel_stages(reply.turn)
        if not self._silence(reply) and reason == "turn_detected":
            floor.unanswered = reply.question
        if not reply.made:
            self._tell_done(reply, "cancelled", reason)
        self._measure(reply)
        self._afterwards.clear()
        self._tell_over(reply, whole=False)

    def unheard(self, position: int) -> None:
        """Nothing from wire position `position` on was heard: give up the reply in progress, and
        leave the newest in the history as far as it was heard.
        """
        since = max(0, self._player.position - position) / WIRE_RATE
        if self._floor.machine.answering:
            self._lost = since
            self.obey(self._floor.machine.cancelled(), reason="client_cancelled")
            self._lost = 0.0
        elif self.reply is not None and self.reply.item_id in self._floor.history:
            self._keep_heard(self.reply, since)

    def _keep_heard(self, reply: Reply, since: float) -> None:
        """Cut a reply that is over to what had been heard `since` seconds ago."""
        timeline = self._move.timeline
        delay = round((self.playout_delay + since) * SPEECH_RATE)
        heard_ms, words = timeline.heard(reply.turn, delay)
        if timeline.sent(reply.turn) * 1000 // SPEECH_RATE > heard_ms:
            item = self._floor.history.truncate(reply.item_id, heard="".join(words))
            self._floor.tell(ItemTruncated(reply.item_id, heard_ms, item.text))

    def _silence(self, reply: Reply) -> int:
        """Stop the sound, keep of the history what was heard, and tell; return that in ms."""
        self._move.drop()
        self._player.cut()
        self._hear.set_speaking(False)
        delay = round((self.playout_delay + self._lost) * SPEECH_RATE)
        if reply.item_id not in self._floor.history:
            return 0  # it asked for a function and has said nothing
        heard_ms, words = self._move.timeline.heard(reply.turn, delay)
        item = self._floor.history.truncate(reply.item_id, heard="".join(words))
        reply.heard = _unmarked(item.text)
        self._floor.tell(OutputAudioCleared(reply.response_id))
        self._floor.tell(ItemTruncated(reply.item_id, heard_ms, item.text))
        return heard_ms

    def _sound_on_wire(self, reply: Reply) -> None:
        self._floor.mark("first_sound", reply.turn)
        if self.reply is reply and self._floor.machine.answering:
            self._floor.tell(OutputAudioStarted(reply.response_id))
            if self.follower is not None and reply.begins is not None:
                self.follower.sounds(reply.turn, wire_position(reply.begins))

    def _finish(self, reply: Reply) -> None:
        floor = self._floor
        self._hear.set_speaking(False)
        if reply.item_id in floor.history:
            floor.history.complete(reply.item_id)
        if reply.sounding:
            floor.tell(OutputAudioStopped(reply.response_id))
        self._measure(reply)
        self.finished_at = floor.clock.now()
        self.obey(floor.machine.reply_finished(reply.turn))
        reply.heard = reply.text
        self._tell_over(reply, whole=True)
        self._go_on()

    def _fail(self, reply: Reply, message: str) -> None:
        floor = self._floor
        floor.tell(SessionFailed("response_failed", message))
        self._tell_done(reply, "failed", None, message)
        self.cancel_stages(reply.turn)
        self._silence(reply)
        self._measure(reply)
        self.obey(floor.machine.reply_finished(reply.turn))
        self._tell_over(reply, whole=False, message=message)
        self._go_on()

    def _tell_over(self, reply: Reply, *, whole: bool, message: str = "") -> None:
        if self.follower is not None:
            self.follower.over(reply.turn, reply.heard, whole=whole, message=message)

    def _tell_done(
        self,
        reply: Reply,
        status: ResponseStatus,
        reason: CancelReason | None = None,
        message: str = "",
    ) -> None:
        usage = self._usage(reply)
        self._floor.tell(
            ResponseDone(
                reply.response_id, reply.item_id, status, reply.text, reason, message, usage
            )
        )

    def _usage(self, reply: Reply) -> Usage:
        brief = self._floor.brief(reply.turn)
        given = [item.text for item in self._floor.history if item.id != reply.item_id]
        tools = [f"{tool.name} {tool.description}" for tool in brief.tools]
        heard, self.heard_seconds = self.heard_seconds, 0.0
        return Usage(
            input_text=sum(count_tokens(each) for each in (brief.instructions, *tools, *given)),
            input_audio=round(heard * HEARD_TOKENS),
            output_text=count_tokens(reply.text),
            output_audio=round(reply.samples / SPEECH_RATE * SPOKEN_TOKENS),
        )

    def _go_on(self) -> None:
        """Do what has waited for the end of a reply, until it begins another."""
        while self._afterwards and not self._floor.machine.answering:
            self._afterwards.popleft()()

    def _measure(self, reply: Reply) -> None:
        timings = self._floor.times.timings(reply.turn)
        self._floor.tell(TurnMeasured(reply.turn, reply.response_id, timings))
        self._move.timeline.forget(reply.turn - 1)


def _unmarked(text: str) -> str:
    """Return what was heard of a text that the history cut."""
    for mark in MARK.values():
        text = text.removesuffix(mark)
    return text
