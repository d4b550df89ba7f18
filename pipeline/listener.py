"""The person's side of a conversation: utterances, and replies prepared before they have ended."""

import asyncio
from collections.abc import Callable
from typing import Final

from encoder.hearing import (
    SpeechConfirmed,
    SpeechPaused,
    SpeechResumed,
    SpeechStarted,
    SpeechStopped,
)
from encoder.recognizer import Transcript
from pipeline.backchannel import has_words, is_backchannel
from pipeline.events import (
    TranscriptionCompleted,
    TranscriptionDelta,
    TranscriptionFailed,
    UserCommitted,
    UserSpeechDiscarded,
    UserSpeechStarted,
    UserSpeechStopped,
)
from pipeline.floor import Floor, new_id
from pipeline.replies import Replies
from pipeline.reply import Speculation, Utterance
from pipeline.stages.base import StageError
from pipeline.stages.hear import Heard, HearStage
from pipeline.tasks import Tasks
from pipeline.turns import Order

# A reply that sounds is given up for good only when the person has said words, or is still speaking
# this long after they began: "mm" ends within 0.5 s, and 0.2 s later that shows. The reply has been
# silent since the first 0.1 s.
SURE_OF_INTERRUPTION: Final = 0.7


class Listener:
    """Turns hearing events into turns. Runs on the event loop; what takes time is a task."""

    def __init__(self, floor: Floor, hear: HearStage, replies: Replies) -> None:
        self._floor = floor
        self._hear = hear
        self._replies = replies
        self._utterance: Utterance | None = None
        self._tasks = Tasks()
        self._recognising: set[asyncio.Task[Transcript]] = set()
        self._ending = 0  # utterances that have stopped and may yet become turns
        self._afterwards: Callable[[], None] | None = None

    def happened(self, heard: Heard) -> None:
        """Take a hearing event."""
        event, utterance = heard.event, self._utterance
        if isinstance(event, SpeechStarted):
            self._started(event, heard.received)
        elif utterance is None:
            return
        elif isinstance(event, SpeechConfirmed):
            self._confirmed(utterance)
        elif isinstance(event, SpeechPaused):
            utterance.speaking = False
            self._speculate(utterance, event, heard.received)
        elif isinstance(event, SpeechResumed):
            utterance.speaking = True
            self._abandon(utterance)
        elif isinstance(event, SpeechStopped):
            self._stopped(utterance, event, heard.received)

    def partial(self, transcript: Transcript) -> None:
        """Take a provisional transcript of the utterance in progress."""
        utterance = self._utterance
        if utterance is None or not transcript.speech:
            return
        self._hear.set_text(transcript.text, transcript.language)
        stable = transcript.stable
        if stable.startswith(utterance.shown) and stable != utterance.shown:
            delta = stable[len(utterance.shown) :]
            utterance.shown = stable
            self._floor.tell(TranscriptionDelta(utterance.item_id, delta))

    def when_decided(self, call: Callable[[], None]) -> None:
        """Call once it is known whether all that was said were turns. The last call counts."""
        if self._ending:
            self._afterwards = call
        else:
            call()

    def clear(self) -> None:
        """Forget the utterance in progress."""
        if self._utterance is not None:
            self._discard(self._utterance)

    def forget_prepared(self) -> None:
        """Drop the reply prepared for the utterance in progress: another one begins."""
        if self._utterance is not None:
            self._abandon(self._utterance)

    async def close(self) -> None:
        """Stop all that is under way and wait for it."""
        for recognition in self._recognising:
            recognition.cancel()
        if self._recognising:
            await asyncio.wait(set(self._recognising))
        await self._tasks.close()

    def _started(self, event: SpeechStarted, received: float) -> None:
        floor = self._floor
        self._utterance = Utterance(new_id("item"), event.at)
        self._hear.next_utterance(floor.languages)
        floor.tell(UserSpeechStarted(self._utterance.item_id, round(event.at * 1000)))
        self._replies.obey(floor.machine.speech_started())
        if floor.machine.held:
            moment = received + SURE_OF_INTERRUPTION
            self._tasks.start(self._confirm_at(self._utterance, moment), "confirm interruption")

    def _confirmed(self, utterance: Utterance) -> None:
        """Before its first sound a reply goes for good at once: there is nothing to go on with."""
        utterance.confirmed = True
        reply = self._replies.reply
        if reply is not None and not reply.sounding:
            self._replies.obey(self._floor.machine.speech_confirmed())

    async def _confirm_at(self, utterance: Utterance, moment: float) -> None:
        await self._floor.clock.sleep_until(moment)
        if self._utterance is utterance and utterance.speaking:
            self._replies.obey(self._floor.machine.speech_confirmed())

    def _speculate(self, utterance: Utterance, event: SpeechPaused, received: float) -> None:
        """Recognise what was said so far, and prepare the answer, in case that was all."""
        self._abandon(utterance)
        turn = self._floor.machine.reserve()
        self._floor.times.begin(turn, received)
        recognition = asyncio.create_task(self._hear.recognise(event.samples), name="recognise")
        self._recognising.add(recognition)
        recognition.add_done_callback(self._recognising.discard)
        utterance.speculation = Speculation(turn, event.at, recognition)
        self._tasks.start(self._prepare(utterance, utterance.speculation), f"prepare {turn}")

    async def _prepare(self, utterance: Utterance, speculation: Speculation) -> None:
        await asyncio.wait({speculation.transcript})
        if utterance.speculation is not speculation:
            return  # the person went on meanwhile
        if speculation.transcript.cancelled() or speculation.transcript.exception():
            return  # whoever waits for the transcript sees why
        transcript = speculation.transcript.result()
        self._floor.mark("recognised", speculation.turn)
        self._hear.set_text(transcript.text, transcript.language, speculation.at)
        if self._floor.answers(transcript) and not self._floor.machine.answering:
            self._ask(speculation, self._floor.question(transcript.text), transcript.language)

    def _ask(self, speculation: Speculation, question: str, language: str) -> None:
        speculation.asked = True
        self._replies.ask(speculation.turn, question, "zh" if language == "zh" else "en")

    def _abandon(self, utterance: Utterance) -> None:
        speculation, utterance.speculation = utterance.speculation, None
        if speculation is None:
            return
        speculation.transcript.cancel()
        if speculation.asked:
            self._replies.cancel_stages(speculation.turn)

    def _stopped(self, utterance: Utterance, event: SpeechStopped, received: float) -> None:
        utterance.speaking = False
        self._floor.tell(UserSpeechStopped(utterance.item_id, round(event.at * 1000)))
        self._replies.heard_seconds += max(0.0, event.at - utterance.started)
        if not event.confirmed:
            self._discard(utterance)
            return
        speculation = utterance.speculation
        if speculation is None or speculation.at != event.at:
            self._speculate(utterance, SpeechPaused(event.at, event.samples), received)
            speculation = utterance.speculation
        assert speculation is not None
        self._floor.mark("silence", speculation.turn)
        self._utterance = None
        self._ending += 1
        self._tasks.start(self._end_turn(utterance, speculation), f"end turn {speculation.turn}")

    async def _end_turn(self, utterance: Utterance, speculation: Speculation) -> None:
        """Decide, once it is known what was said, whether it was a turn."""
        await asyncio.wait({speculation.transcript})
        self._ending -= 1
        self._decide(utterance, speculation)
        if not self._ending and self._afterwards is not None:
            call, self._afterwards = self._afterwards, None
            call()

    def _decide(self, utterance: Utterance, speculation: Speculation) -> None:
        error = speculation.transcript.exception()
        if error is not None:
            if not isinstance(error, StageError):
                raise error
            self._floor.tell(TranscriptionFailed(utterance.item_id, str(error)))
            self._discard(utterance)
            return
        transcript = speculation.transcript.result()
        detected = self._floor.options.turn is not None  # else the client says that it was a turn
        ignored = detected and self._floor.machine.held and is_backchannel(transcript.text)
        if not transcript.speech or not has_words(transcript.text) or ignored:
            self._discard(utterance)
        else:
            self._commit(utterance, speculation, transcript)

    def _commit(
        self, utterance: Utterance, speculation: Speculation, transcript: Transcript
    ) -> None:
        floor, item = self._floor, utterance.item_id
        floor.history.add(item, "user", transcript.text.strip())
        floor.last_user = item
        floor.tell(UserCommitted(item, floor.follow(item)))
        floor.tell(TranscriptionCompleted(item, transcript.text, transcript.language))
        if speculation.turn <= floor.machine.turn:
            self._prepare_anew(speculation)
        if not floor.machine.hearing:
            # The reply to an earlier turn began after this one had been said: it is over.
            self._replies.obey(floor.machine.speech_started())
        answered = speculation.turn if floor.answers(transcript) else None
        orders = floor.machine.turn_ended(answered)
        if Order.CANCEL in orders:
            # A reply cancelled unheard leaves its question to this turn, so it goes first.
            self._replies.obey([Order.CANCEL])
            orders.remove(Order.CANCEL)
        question = floor.question(transcript.text)
        if Order.BEGIN in orders:
            self.forget_prepared()
        self._replies.obey(orders, question)
        if Order.BEGIN not in orders:
            self._abandon(utterance)
        elif not speculation.asked:
            self._ask(speculation, question, transcript.language)
        if self._utterance is not None:
            self._speaks_on(self._utterance)
        elif self._ending:
            self._replies.obey(floor.machine.speech_started())

    def _prepare_anew(self, speculation: Speculation) -> None:
        """A client had another reply begin meanwhile, which ended what was prepared."""
        speculation.turn, speculation.asked = self._floor.machine.reserve(), False
        self._floor.times.begin(speculation.turn, self._floor.clock.now())

    def _speaks_on(self, utterance: Utterance) -> None:
        """The person went on before it was known what the last turn said."""
        self._replies.obey(self._floor.machine.speech_started())
        if utterance.confirmed:
            self._confirmed(utterance)

    def _discard(self, utterance: Utterance) -> None:
        """It was no turn: a held reply goes on."""
        self._abandon(utterance)
        if self._utterance is utterance:
            self._utterance = None
        self._floor.tell(UserSpeechDiscarded(utterance.item_id))
        if self._utterance is None and not self._ending:
            self._replies.obey(self._floor.machine.speech_discarded())
