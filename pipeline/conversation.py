"""The course of a conversation: what happens when the person speaks, stops, interrupts."""

import asyncio
import re
import secrets
from collections.abc import Callable, Coroutine
from typing import Final

from agents.clause import Language
from agents.errors import AgentValueError
from agents.history import History
from avatar.speech import SPEECH_RATE
from encoder.hearing import (
    SpeechConfirmed,
    SpeechPaused,
    SpeechResumed,
    SpeechStarted,
    SpeechStopped,
)
from encoder.recognizer import Transcript
from pipeline.backchannel import has_words, is_backchannel
from pipeline.channel import Envelope
from pipeline.clock import Clock
from pipeline.errors import ConfigurationError
from pipeline.events import (
    CancelReason,
    ItemTruncated,
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionEvent,
    SessionFailed,
    TranscriptDelta,
    TranscriptionCompleted,
    TranscriptionDelta,
    TranscriptionFailed,
    TurnMeasured,
    UserCommitted,
    UserSpeechDiscarded,
    UserSpeechStarted,
    UserSpeechStopped,
)
from pipeline.options import SessionOptions
from pipeline.player import Player
from pipeline.reply import Reply, Speculation, TurnClock, Utterance
from pipeline.stages.base import StageError
from pipeline.stages.hear import Heard, HearStage
from pipeline.stages.move import MoveStage
from pipeline.stages.speak import SpeakStage, Spoken
from pipeline.stages.think import Question, ThinkStage
from pipeline.turns import Order, TurnMachine, TurnState

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
# A reply that sounds is given up for good only when the person has said words, or is still speaking
# this long after they began: "mm" ends within 0.5 s, and 0.2 s later that shows. The reply has been
# silent since the first 0.1 s.
SURE_OF_INTERRUPTION: Final = 0.7


class Conversation:
    """Turns what the stages report into orders for them, and into events for the client.

    All methods run on the event loop and none waits; what takes time is a task it owns.
    """

    def __init__(
        self,
        options: SessionOptions,
        history: History,
        clock: Clock,
        hear: HearStage,
        think: ThinkStage,
        speak: SpeakStage,
        move: MoveStage,
        player: Player,
        tell: Callable[[SessionEvent], None],
    ) -> None:
        self.options = options
        self.history = history
        self.machine = TurnMachine()
        self.playout_delay = 0.1
        self._clock = clock
        self._hear = hear
        self._stages = (think, speak, move)
        self._think = think
        self._move = move
        self._player = player
        self._tell = tell
        self._times = TurnClock()
        self._utterance: Utterance | None = None
        self._reply: Reply | None = None
        self._last_user: str | None = None
        self._previous: str | None = None
        self._unanswered = ""
        self._failures: dict[int, str] = {}
        self._reason: CancelReason = "turn_detected"
        self._tasks: set[asyncio.Task[None]] = set()
        self._cancelling: asyncio.Task[None] | None = None

    @property
    def state(self) -> TurnState:
        return self.machine.state

    # What the person does

    def happened(self, heard: Heard) -> None:
        """Take a hearing event."""
        event = heard.event
        if isinstance(event, SpeechStarted):
            self._speech_started(event, heard.received)
        elif self._utterance is None:
            return
        elif isinstance(event, SpeechConfirmed):
            self._speech_confirmed(self._utterance)
        elif isinstance(event, SpeechPaused):
            self._utterance.speaking = False
            self._speculate(self._utterance, event, heard.received)
        elif isinstance(event, SpeechResumed):
            self._utterance.speaking = True
            self._abandon(self._utterance)
        elif isinstance(event, SpeechStopped):
            self._speech_stopped(self._utterance, event, heard.received)

    def partial(self, transcript: Transcript) -> None:
        """Take a provisional transcript of the utterance in progress."""
        utterance = self._utterance
        if utterance is None or not transcript.speech:
            return
        self._hear.set_text(transcript.text, transcript.language)
        if transcript.stable.startswith(utterance.shown):
            delta = transcript.stable[len(utterance.shown) :]
            if delta:
                utterance.shown = transcript.stable
                self._tell(TranscriptionDelta(utterance.item_id, delta))

    def submit_text(self, text: str, item_id: str | None) -> str:
        item = item_id or _new_id("item")
        try:
            self.history.add(item, "user", text)
        except AgentValueError as error:
            raise ConfigurationError(str(error)) from error
        self._last_user = item
        self._tell(UserCommitted(item, self._follow(item), text))
        return item

    def create_response(self) -> None:
        text = ""
        if self._last_user is not None and self._last_user in self.history:
            text = self.history.get(self._last_user).text
        turn = self.machine.reserve()
        self._times.begin(turn, self._clock.now())
        self._reason = "client_cancelled"
        orders = self.machine.response_created(turn)
        self._carry_out(orders, text)
        if Order.BEGIN in orders:
            self._ask(turn, text, self._language_of(text))

    def cancel(self) -> None:
        self._reason = "client_cancelled"
        self._carry_out(self.machine.cancelled())

    def clear_audio(self) -> None:
        if self._utterance is not None:
            self._discard(self._utterance)

    def truncate(self, item_id: str, audio_end_ms: int) -> None:
        reply = self._reply
        if reply is None or reply.item_id != item_id:
            raise ConfigurationError(
                f"item_id {item_id!r} is not the reply being spoken or spoken last"
            )
        sent = self._move.timeline.sent(reply.turn) * 1000 // SPEECH_RATE
        if not 0 <= audio_end_ms <= sent:
            raise ConfigurationError(f"audio_end_ms is {audio_end_ms}; accepted: 0 to {sent}")
        fraction = audio_end_ms / sent if sent else 0.0
        item = self.history.truncate(item_id, fraction=fraction)
        self._tell(ItemTruncated(item_id, audio_end_ms, item.text))

    # What the stages report

    def placed(self, turn: int, spoken: Spoken) -> None:
        """Speech of `turn` has got its place on the timeline."""
        reply = self._reply
        if reply is None or reply.turn != turn:
            return
        self.mark("first_audio", turn)
        if spoken.first:
            clause = spoken.clause
            reply.text += clause.text
            self.history.extend(reply.item_id, clause.text, clause.citations)
            self._tell(TranscriptDelta(reply.response_id, reply.item_id, clause.text))

    def made(self, turn: int) -> None:
        """All speech of `turn` has been placed."""
        reply = self._reply
        if reply is None or reply.turn != turn:
            return
        reply.made = True
        self._tell(ResponseDone(reply.response_id, reply.item_id, "completed", reply.text))

    def played(self) -> None:
        """20 ms have been handed out."""
        reply, timeline = self._reply, self._move.timeline
        if reply is None or not self.machine.answering:
            return
        if not reply.sounding and timeline.spoke(reply.turn):
            reply.sounding = True
            self.machine.sound_started(reply.turn)
            self._hear.set_speaking(True)
            self._player.when_on_wire(lambda: self._sound_on_wire(reply))
        if reply.made and not timeline.held and not timeline.pending(reply.turn):
            self._finish(reply)

    def failed(self, stage: str, turn: int, error: Exception) -> None:
        """A stage gave up on `turn`."""
        message = f"{stage}: {error}"
        if self._reply is not None and self._reply.turn == turn:
            self._fail(self._reply, message)
        else:
            self._failures = {turn: message}

    def mark(self, name: str, turn: int) -> None:
        self._times.mark(turn, name, self._clock.now())

    async def close(self) -> None:
        """Stop all that is under way and wait for it."""
        self._reason = "client_cancelled"
        self._carry_out(self.machine.closed())
        if self._utterance is not None and self._utterance.speculation is not None:
            self._utterance.speculation.transcript.cancel()
            await asyncio.wait({self._utterance.speculation.transcript})
        self._cancel_stages(self.machine.reserved)
        waiting = {*self._tasks, *([self._cancelling] if self._cancelling else [])}
        for task in self._tasks:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting)

    # Speech of the person

    def _speech_started(self, event: SpeechStarted, received: float) -> None:
        self._utterance = Utterance(_new_id("item"), event.at)
        self._hear.next_utterance(self._languages())
        self._tell(UserSpeechStarted(self._utterance.item_id, round(event.at * 1000)))
        self._carry_out(self._interruption(self.machine.speech_started()))
        if self.machine.held:
            self._own(self._confirm_at(self._utterance, received + SURE_OF_INTERRUPTION))

    def _speech_confirmed(self, utterance: Utterance) -> None:
        """Before its first sound a reply goes for good at once: there is nothing to go on with."""
        utterance.confirmed = True
        if self._reply is not None and not self._reply.sounding:
            self._carry_out(self._interruption(self.machine.speech_confirmed()))

    async def _confirm_at(self, utterance: Utterance, moment: float) -> None:
        await self._clock.sleep_until(moment)
        if self._utterance is utterance and utterance.speaking:
            self._carry_out(self._interruption(self.machine.speech_confirmed()))

    def _speculate(self, utterance: Utterance, event: SpeechPaused, received: float) -> None:
        """Recognise what was said so far, and prepare the answer, in case that was all."""
        self._abandon(utterance)
        turn = self.machine.reserve()
        self._times.begin(turn, received)
        recognition = asyncio.create_task(self._hear.recognise(event.samples), name="recognise")
        utterance.speculation = Speculation(turn, event.at, recognition)
        self._own(self._prepare(utterance.speculation))

    async def _prepare(self, speculation: Speculation) -> None:
        await asyncio.wait({speculation.transcript})
        if speculation.transcript.cancelled() or speculation.transcript.exception():
            return  # whoever waits for the transcript sees why
        transcript = speculation.transcript.result()
        self.mark("recognised", speculation.turn)
        self._hear.set_text(transcript.text, transcript.language, speculation.at)
        if self._answers(transcript) and not self.machine.answering:
            speculation.asked = True
            self._ask(speculation.turn, self._whole(transcript), self._spoken(transcript))

    def _abandon(self, utterance: Utterance) -> None:
        speculation, utterance.speculation = utterance.speculation, None
        if speculation is None:
            return
        speculation.transcript.cancel()
        if speculation.asked:
            self._cancel_stages(speculation.turn)

    def _speech_stopped(self, utterance: Utterance, event: SpeechStopped, received: float) -> None:
        utterance.speaking = False
        self._tell(UserSpeechStopped(utterance.item_id, round(event.at * 1000)))
        if not event.confirmed:
            self._discard(utterance)
            return
        speculation = utterance.speculation
        if speculation is None or speculation.at != event.at:
            self._speculate(utterance, SpeechPaused(event.at, event.samples), received)
            speculation = utterance.speculation
        assert speculation is not None
        self.mark("silence", speculation.turn)
        self._utterance = None
        self._own(self._end_turn(utterance, speculation))

    async def _end_turn(self, utterance: Utterance, speculation: Speculation) -> None:
        """Decide, once it is known what was said, whether it was a turn."""
        await asyncio.wait({speculation.transcript})
        if speculation.transcript.cancelled():
            return
        error = speculation.transcript.exception()
        if error is not None:
            self._unheard(utterance, error)
            return
        transcript = speculation.transcript.result()
        ignored = self.machine.held and is_backchannel(transcript.text)
        if not transcript.speech or not has_words(transcript.text) or ignored:
            self._discard(utterance)
            return
        self._commit(utterance, speculation, transcript)

    def _commit(
        self, utterance: Utterance, speculation: Speculation, transcript: Transcript
    ) -> None:
        item, text = utterance.item_id, self._whole(transcript)
        self.history.add(item, "user", text)
        self._last_user = item
        self._tell(UserCommitted(item, self._follow(item)))
        self._tell(TranscriptionCompleted(item, transcript.text, transcript.language))
        turn = speculation.turn if self._answers(transcript) else None
        orders = self._interruption(self.machine.turn_ended(turn))
        self._carry_out(orders, text)
        if Order.BEGIN not in orders:
            self._abandon(utterance)
        elif not speculation.asked:
            self._ask(speculation.turn, text, self._spoken(transcript))
        if self._utterance is not None:
            self._speaks_on(self._utterance)

    def _speaks_on(self, utterance: Utterance) -> None:
        """The person went on before it was known what the last turn said."""
        self._carry_out(self._interruption(self.machine.speech_started()))
        if utterance.confirmed:
            self._speech_confirmed(utterance)

    def _unheard(self, utterance: Utterance, error: BaseException) -> None:
        if not isinstance(error, StageError):
            raise error
        self._tell(TranscriptionFailed(utterance.item_id, str(error)))
        self._discard(utterance)

    def _discard(self, utterance: Utterance) -> None:
        """It was no turn: a held reply goes on."""
        self._abandon(utterance)
        if self._utterance is utterance:
            self._utterance = None
        self._tell(UserSpeechDiscarded(utterance.item_id))
        if self._utterance is None:
            self._carry_out(self.machine.speech_discarded())

    # Replies

    def _ask(self, turn: int, text: str, language: Language) -> None:
        self._own(self._put_question(turn, Question(text, language)))

    async def _put_question(self, turn: int, question: Question) -> None:
        # No stage takes up a new turn before each has acknowledged the end of the old one.
        while self._cancelling is not None and not self._cancelling.done():
            await asyncio.wait({self._cancelling})
        await self._think.inbox.put(Envelope(turn, question))

    def _interruption(self, orders: list[Order]) -> list[Order]:
        self._reason = "turn_detected"
        return orders

    def _carry_out(self, orders: list[Order], question: str = "") -> None:
        for order in orders:
            if order is Order.HOLD:
                self._move.hold()
                self._player.cut()
            elif order is Order.RELEASE:
                self._move.release()
            elif order is Order.CANCEL:
                self._give_up()
            elif order is Order.BEGIN:
                self._begin(self.machine.turn, question)
            elif order is Order.LISTEN:
                self._move.posture("listening" if self.machine.hearing else "idle")
            elif order is Order.THINK:
                self._move.posture("thinking")

    def _begin(self, turn: int, question: str) -> None:
        utterance = self._utterance
        if utterance is not None:
            self._abandon(utterance)  # one reply at a time may wait at the move stage
        reply = Reply(turn, _new_id("resp"), _new_id("item"), question)
        self._reply = reply
        self._unanswered = ""
        self.history.add(reply.item_id, "assistant", "", status="in_progress")
        self._previous = reply.item_id
        self._tell(ResponseCreated(reply.response_id, reply.item_id, turn))
        self._move.admit(turn)
        if turn in self._failures:
            self._fail(reply, self._failures.pop(turn))

    def _give_up(self) -> None:
        """Interrupted: silence, then truncate the history to what was heard, then tell."""
        reply = self._reply
        if reply is None:
            return
        self._move.drop()
        self._player.cut()
        self._hear.set_speaking(False)
        self._cancel_stages(reply.turn)
        delay = round(self.playout_delay * SPEECH_RATE)
        heard_ms, words = self._move.timeline.heard(reply.turn, delay)
        item = self.history.truncate(reply.item_id, heard="".join(words))
        if not heard_ms:
            self._unanswered = reply.question
        self._tell(OutputAudioCleared(reply.response_id))
        self._tell(ItemTruncated(reply.item_id, heard_ms, item.text))
        if not reply.made:
            self._tell(
                ResponseDone(
                    reply.response_id, reply.item_id, "cancelled", reply.text, self._reason
                )
            )
        self._measure(reply)

    def _cancel_stages(self, turn: int) -> None:
        before = self._cancelling
        for stage in self._stages:
            stage.forbid(turn)

        async def cancel() -> None:
            if before is not None and not before.done():
                await asyncio.wait({before})
            await asyncio.gather(*(stage.cancel(turn) for stage in self._stages))

        self._cancelling = asyncio.create_task(cancel(), name=f"cancel turn {turn}")

    def _sound_on_wire(self, reply: Reply) -> None:
        self.mark("first_sound", reply.turn)
        if self._reply is reply and self.machine.answering:
            self._tell(OutputAudioStarted(reply.response_id))

    def _finish(self, reply: Reply) -> None:
        self._hear.set_speaking(False)
        self.history.complete(reply.item_id)
        if reply.sounding:
            self._tell(OutputAudioStopped(reply.response_id))
        self._measure(reply)
        self._carry_out(self.machine.reply_finished(reply.turn))

    def _fail(self, reply: Reply, message: str) -> None:
        self._tell(SessionFailed("response_failed", message))
        self._tell(
            ResponseDone(reply.response_id, reply.item_id, "failed", reply.text, None, message)
        )
        self._cancel_stages(reply.turn)
        self.history.complete(reply.item_id)
        self._move.drop()
        self._carry_out(self.machine.reply_finished(reply.turn))

    def _measure(self, reply: Reply) -> None:
        timings = self._times.timings(reply.turn)
        self._tell(TurnMeasured(reply.turn, reply.response_id, timings))
        self._move.timeline.forget(reply.turn - 1)

    # Small things

    def _answers(self, transcript: Transcript) -> bool:
        turn = self.options.turn
        wanted = turn is None or turn.create_response
        return wanted and transcript.speech and has_words(transcript.text)

    def _whole(self, transcript: Transcript) -> str:
        """What was said, with what was said before and never answered: a split question."""
        return f"{self._unanswered} {transcript.text}".strip()

    def _spoken(self, transcript: Transcript) -> Language:
        return "zh" if transcript.language == "zh" else "en"

    def _language_of(self, text: str) -> Language:
        if not text and self.options.language != "auto":
            return self.options.language
        return "zh" if _HAN.search(text) else "en"

    def _languages(self) -> tuple[str, ...]:
        language = self.options.language
        return ("en", "zh") if language == "auto" else (language,)

    def _follow(self, item: str) -> str | None:
        previous, self._previous = self._previous, item
        return previous

    def _own(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error


def _new_id(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(10)}"
