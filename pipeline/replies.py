"""The reply's side of a conversation: it begins, is heard, ends, fails or is given up."""

import asyncio

from agents.clause import Language
from avatar.speech import SPEECH_RATE
from pipeline.channel import Envelope
from pipeline.events import (
    CancelReason,
    ItemTruncated,
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionFailed,
    TranscriptDelta,
    TurnMeasured,
)
from pipeline.floor import Floor, new_id
from pipeline.player import Player
from pipeline.reply import Reply
from pipeline.stages.hear import HearStage
from pipeline.stages.move import MoveStage
from pipeline.stages.speak import SpeakStage, Spoken
from pipeline.stages.think import Question, ThinkStage
from pipeline.tasks import Tasks
from pipeline.turns import Order


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
        self._floor = floor
        self._hear = hear
        self._think = think
        self._stages = (think, speak, move)
        self._move = move
        self._player = player
        self._failures: dict[int, str] = {}
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
                self._move.posture("listening" if machine.hearing else "idle")
            elif order is Order.THINK and machine.answering:
                self._move.posture("thinking")

    def ask(self, turn: int, text: str, language: Language) -> None:
        """Have `turn` answer `text`, once every stage has acknowledged the end of what was."""
        question = Envelope(turn, Question(text, language))
        self._tasks.start(self._put(question), f"ask {turn}")

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
        if spoken.first:
            clause = spoken.clause
            reply.text += clause.text
            self._floor.history.extend(reply.item_id, clause.text, clause.citations)
            start_ms = self._start_ms(reply, len(spoken.speech.samples))
            self._floor.tell(
                TranscriptDelta(reply.response_id, reply.item_id, clause.text, start_ms)
            )

    def made(self, turn: int) -> None:
        """All speech of `turn` has been placed."""
        reply = self.reply
        if reply is None or reply.turn != turn:
            return
        reply.made = True
        self._floor.tell(ResponseDone(reply.response_id, reply.item_id, "completed", reply.text))

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
        else:
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

    def _begin(self, turn: int, question: str) -> None:
        floor = self._floor
        reply = Reply(turn, new_id("resp"), new_id("item"), question)
        self.reply = reply
        floor.unanswered = ""
        self.cancel_stages(turn - 1)  # whatever was prepared and not wanted
        floor.history.add(reply.item_id, "assistant", "", status="in_progress")
        floor.follow(reply.item_id)
        floor.tell(ResponseCreated(reply.response_id, reply.item_id, turn))
        self._move.admit(turn)
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
            floor.tell(
                ResponseDone(reply.response_id, reply.item_id, "cancelled", reply.text, reason)
            )
        self._measure(reply)

    def _silence(self, reply: Reply) -> int:
        """Stop the sound, keep of the history what was heard, and tell; return that in ms."""
        self._move.drop()
        self._player.cut()
        self._hear.set_speaking(False)
        delay = round(self.playout_delay * SPEECH_RATE)
        heard_ms, words = self._move.timeline.heard(reply.turn, delay)
        item = self._floor.history.truncate(reply.item_id, heard="".join(words))
        self._floor.tell(OutputAudioCleared(reply.response_id))
        self._floor.tell(ItemTruncated(reply.item_id, heard_ms, item.text))
        return heard_ms

    def _sound_on_wire(self, reply: Reply) -> None:
        self._floor.mark("first_sound", reply.turn)
        if self.reply is reply and self._floor.machine.answering:
            self._floor.tell(OutputAudioStarted(reply.response_id))

    def _finish(self, reply: Reply) -> None:
        floor = self._floor
        self._hear.set_speaking(False)
        floor.history.complete(reply.item_id)
        if reply.sounding:
            floor.tell(OutputAudioStopped(reply.response_id))
        self._measure(reply)
        self.obey(floor.machine.reply_finished(reply.turn))

    def _fail(self, reply: Reply, message: str) -> None:
        floor = self._floor
        floor.tell(SessionFailed("response_failed", message))
        floor.tell(
            ResponseDone(reply.response_id, reply.item_id, "failed", reply.text, None, message)
        )
        self.cancel_stages(reply.turn)
        self._silence(reply)
        self._measure(reply)
        self.obey(floor.machine.reply_finished(reply.turn))

    def _measure(self, reply: Reply) -> None:
        timings = self._floor.times.timings(reply.turn)
        self._floor.tell(TurnMeasured(reply.turn, reply.response_id, timings))
        self._move.timeline.forget(reply.turn - 1)
