"""An engine without models: a tone for a voice, counters for pictures, loudness for speech."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.catalogue import Catalogue, Persona
from agents.clause import Language
from agents.errors import AgentValueError
from agents.history import History, Item
from agents.history import Speaker as Author
from agents.host import Host
from agents.shop.passages import FindPassages
from agents.shop.product import Shop
from agents.tools import ToolCall
from motion.pose import Pose
from pipeline import events
from pipeline.contract import (
    FRAME_SAMPLES,
    PICTURES_PER_SECOND,
    WIRE_RATE,
    EncodedPicture,
    PoseFrame,
    SessionSink,
    SoundFrame,
)
from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.options import AS_EVER, NOTHING, ResponseWish, SessionOptions
from pipeline.programme import Programme
from pipeline.stages.see import Sight
from pipeline.video import VideoEncoder
from tests.fakes.performing import FakePerformance
from tests.fakes.pictures import counter_picture

PICTURE_SAMPLES: Final = WIRE_RATE // PICTURES_PER_SECOND
LOUD: Final = 0.02
SPEECH_FRAMES: Final = 5
SILENCE_FRAMES: Final = 15


@dataclass(frozen=True)
class FakeScript:
    """How a fake session behaves.

    Attributes:
        frequency: pitch of its voice in Hz.
        reply_seconds: length of a reply.
        line_seconds: length of a line of a programme.
        always: sound all the time instead of in replies only.
        picture: picture of an index, (width, height, index) -> I420 planes.
        click_every: pictures between two clicks of 10 ms, instead of the tone; 0 for none.
    """

    frequency: float = 440.0
    reply_seconds: float = 0.6
    line_seconds: float = 0.4
    always: bool = False
    picture: Callable[[int, int, int], NDArray[np.uint8]] = counter_picture
    click_every: int = 0


@dataclass
class FakeEngine:
    """Opens fake sessions; the n-th behaves as the n-th script, and then as the last."""

    scripts: list[FakeScript] = field(default_factory=lambda: [FakeScript()])
    limit: int = 4
    voices: tuple[str, ...] = ("tone", "hum")
    default_video: tuple[int, int] = (128, 224)
    troubles: tuple[str, ...] = ()
    opened: list["FakeSession"] = field(default_factory=list)
    stills: list[tuple[SessionOptions, dict[str, object]]] = field(default_factory=list)

    @property
    def sessions(self) -> int:
        return sum(not session.closed for session in self.opened)

    def open(self, options: SessionOptions, sink: SessionSink) -> "FakeSession":
        if self.sessions >= self.limit:
            raise ServerFullError(self.limit)
        check_voice(options, self.voices)
        script = self.scripts[min(len(self.opened), len(self.scripts) - 1)]
        session = FakeSession(f"sess_{len(self.opened)}", options, sink, script, self.voices)
        self.opened.append(session)
        return session

    def new_host(
        self,
        catalogue: Catalogue | None,
        persona: Persona,
        shop: Shop | None = None,
        trouble: Callable[[str | None], None] = lambda _: None,
        documents: FindPassages | None = None,
    ) -> Host:
        del trouble
        return Host(catalogue, persona, shop=shop, documents=documents)

    async def still(
        self, options: SessionOptions, changes: Mapping[str, object] = NOTHING
    ) -> bytes:
        check_voice(options, self.voices)
        self.stills.append((options, dict(changes)))
        return b"\xff\xd8\xff\xe0 a still"

    async def close(self) -> None:
        for session in self.opened:
            await session.close()


class FakeSession:
    """Answers 0.3 s after loud input has ended, with a tone; falls silent when spoken over."""

    def __init__(
        self,
        session_id: str,
        options: SessionOptions,
        sink: SessionSink,
        script: FakeScript,
        voices: tuple[str, ...],
    ) -> None:
        self.id = session_id
        self.options = options
        self.closed = False
        self.taken: list[NDArray[np.float32]] = []
        self.keyframes_asked = 0
        self.bitrates: list[int] = []
        self.playout_delays: list[float] = []
        self.texts: list[str] = []
        self.history = History()
        self.acts: list[tuple[str, dict[str, str | float]]] = []
        self.lost: list[int] = []
        self.rested = asyncio.Event()
        self.performance = FakePerformance(script.line_seconds)
        self.muted = False
        self.shown: dict[str, object] = {}
        self.card: str | None = None
        self.spoken_through = False
        self._sink = sink
        self._script = script
        self._voices = voices
        self._clock: asyncio.Task[None] | None = None
        self._encoder = VideoEncoder(options.video) if options.video else None
        self._position = 0
        self._line_sounds = False
        self._loud = self._quiet = 0
        self._speaking_item: str | None = None
        self._items = 0
        self._last_item: str | None = None
        self._reply: tuple[str, str] | None = None
        self._reply_made = False
        self._text = ""
        self._reply_from = 0
        self._reply_until = 0

    def start(self) -> None:
        self._clock = asyncio.create_task(self._run(), name=f"clock-{self.id}")

    def hear(self, samples: NDArray[np.float32]) -> None:
        self.taken.append(samples)
        loud = float(np.sqrt(np.mean(samples**2))) > LOUD
        self._loud = self._loud + 1 if loud else 0
        self._quiet = 0 if loud else self._quiet + 1
        if self._speaking_item is None and self._loud >= SPEECH_FRAMES:
            self._speech_started()
        elif self._speaking_item is not None and self._quiet >= SILENCE_FRAMES:
            self._speech_stopped(self._speaking_item)

    @property
    def follows_instructions(self) -> bool:
        return False

    @property
    def hearing_ahead(self) -> float:
        return 0.0

    async def heard(self) -> None:
        return

    @property
    def position(self) -> int:
        return self._position

    @property
    def notes(self) -> tuple[Sight, ...] | None:
        return None

    def submit_text(
        self,
        text: str,
        item_id: str | None = None,
        *,
        role: Author = "user",
        after: str | None = None,
    ) -> str:
        item = item_id or self._new_item()
        self.texts.append(text)
        with refusing():
            added = self.history.add(item, role, text, after=after)
        previous, self._last_item = self._last_item, item
        if role == "user":
            self._sink.event(events.UserCommitted(item, previous, text))
        else:
            self._sink.event(events.ItemAdded(added, previous))
        return item

    def submit_call(
        self,
        call_id: str,
        call: ToolCall,
        item_id: str | None = None,
        *,
        after: str | None = None,
    ) -> str:
        item = item_id or self._new_item()
        with refusing():
            added = self.history.add_call(item, call_id, call.name, call.arguments, after=after)
        self._sink.event(events.ItemAdded(added, self._last_item))
        self._last_item = item
        return item

    def submit_output(
        self, call_id: str, output: str, item_id: str | None = None, *, after: str | None = None
    ) -> str:
        item = item_id or self._new_item()
        with refusing():
            added = self.history.add_output(item, call_id, output, after=after)
        self._sink.event(events.ItemAdded(added, self._last_item))
        self._last_item = item
        return item

    def item(self, item_id: str) -> Item:
        with refusing():
            return self.history.get(item_id)

    def delete_item(self, item_id: str) -> None:
        self.item(item_id)
        self.history.remove(item_id)
        self._sink.event(events.ItemDeleted(item_id))

    def create_response(self, wish: ResponseWish = AS_EVER) -> None:
        self.cancel()
        brief = wish.brief or self.options.brief
        if brief.may_call and not self.history.unanswered():
            self._call(brief.tools[0].name, wish)
        else:
            self._answer(wish)

    def say(
        self,
        text: str,
        language: Language | None = None,
        *,
        interrupt: bool = True,
        metadata: Mapping[str, str] = NOTHING,
    ) -> None:
        if interrupt:
            self.cancel()
        self._answer(ResponseWish(metadata=metadata, verbatim=text, language=language))

    def act(self, action: str, parameters: Mapping[str, str | float]) -> None:
        if action != "wave":
            raise ConfigurationError(f"action is {action!r}; accepted: wave")
        self.acts.append((action, dict(parameters)))

    def unheard(self, position: int) -> None:
        self.lost.append(position)
        self.cancel()

    def rest(self, resting: bool) -> None:
        if resting:
            self.rested.set()
        else:
            self.rested.clear()
            self.request_keyframe()

    def perform(self, programme: Programme | None) -> None:
        self.performance.perform(programme)

    def wake(self) -> None:
        self.performance.wake()

    def hush(self) -> None:
        self.performance.hush()

    def mute(self, muted: bool) -> None:
        self.muted = muted

    def show(self, changes: Mapping[str, object]) -> None:
        self.shown = dict(changes)

    def hold_card(self, text: str | None) -> None:
        self.card = text

    def speak_through(self, on: bool, *, now: bool = False) -> None:
        if on and now:
            self.hush()
        if on != self.spoken_through:
            self.spoken_through = on
            self._sink.event(events.SpokenThrough(on))

    def commit_audio(self) -> None:
        if self._speaking_item is not None:
            self._speech_stopped(self._speaking_item)

    def clear_audio(self) -> None:
        self._speaking_item = None

    def cancel(self) -> None:
        self._cancel("client_cancelled")

    def truncate(self, item_id: str, audio_end_ms: int) -> None:
        if item_id != self._last_item:
            raise ConfigurationError(f"no item {item_id!r}; accepted: {self._last_item!r}")
        self._sink.event(events.ItemTruncated(item_id, audio_end_ms, "beep"))

    def update(self, options: SessionOptions) -> None:
        check_voice(options, self._voices)
        self.options = options

    def set_playout_delay(self, seconds: float) -> None:
        self.playout_delays.append(seconds)

    def request_keyframe(self) -> None:
        self.keyframes_asked += 1
        if self._encoder is not None:
            self._encoder.request_keyframe()

    def set_bitrate(self, bits_per_second: int) -> None:
        self.bitrates.append(bits_per_second)
        if self._encoder is not None:
            self._encoder.set_bitrate(bits_per_second)

    async def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        if self._clock is not None:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)
        self.performance.close()
        if self._encoder is not None:
            self._encoder.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        while True:
            self._tick()
            self._position += FRAME_SAMPLES
            due = started + self._position / WIRE_RATE
            await asyncio.sleep(max(0.0, due - loop.time()))

    def _tick(self) -> None:
        if self._reply is not None:
            self._go_on(*self._reply)
        waits = self.spoken_through or self._reply is not None
        self._line_sounds = self.performance.tick(self._position, waits=waits)
        self._sink.sound(SoundFrame(self._samples(), self._position))
        if self._encoder is not None and self._position % PICTURE_SAMPLES == 0:
            video = self._encoder.format
            index = self._position // PICTURE_SAMPLES
            coded = self._encoder.encode(self._script.picture(video.width, video.height, index))
            self._sink.picture(EncodedPicture(coded.data, coded.keyframe, self._position))
        if self.options.motion and self._position % PICTURE_SAMPLES == 0:
            self._sink.pose(PoseFrame(Pose.rest(), self._position))

    def _go_on(self, response: str, item: str) -> None:
        if not self._reply_made and self._position >= (self._reply_from + self._reply_until) / 2:
            self._reply_made = True
            self._sink.event(events.ResponseDone(response, item, "completed", self._text))
        if self._position >= self._reply_until:
            self._reply = None
            self._sink.event(events.OutputAudioStopped(response))

    def _samples(self) -> NDArray[np.int16]:
        if self.muted:
            return np.zeros(FRAME_SAMPLES, np.int16)
        times = self._position + np.arange(FRAME_SAMPLES)
        tone: NDArray[np.float64] = 10_000 * np.sin(
            2 * np.pi * self._script.frequency / WIRE_RATE * times
        )
        if self._script.click_every:
            since = times % (self._script.click_every * PICTURE_SAMPLES)
            tone[since >= WIRE_RATE // 100] = 0
            return tone.astype(np.int16)
        if self._script.always or self._reply is not None or self._line_sounds:
            return tone.astype(np.int16)
        return np.zeros(FRAME_SAMPLES, np.int16)

    def _speech_started(self) -> None:
        self._speaking_item = self._new_item()
        start_ms = self._heard_ms() - 20 * SPEECH_FRAMES
        self._sink.event(events.UserSpeechStarted(self._speaking_item, start_ms))
        self._cancel("turn_detected")

    def _speech_stopped(self, item: str) -> None:
        self._speaking_item = None
        self._sink.event(events.UserSpeechStopped(item, self._heard_ms() - 20 * self._quiet))
        self._sink.event(events.UserCommitted(item, self._last_item))
        self._last_item = item
        self._sink.event(events.TranscriptionCompleted(item, "a loud sound", "en"))
        if self.options.turn is None or self.options.turn.create_response:
            self._answer()

    def _call(self, name: str, wish: ResponseWish) -> None:
        """Ask for a function and say nothing."""
        self._items += 1
        response, item = f"resp_{self._items}", self._new_item()
        self.history.add_call(item, f"call_{self._items}", name, '{"q": 1}')
        modality = wish.modality or self.options.modality
        self._last_item = item
        for event in (
            events.ResponseCreated(response, item, self._items, modality, wish.metadata),
            events.FunctionCalled(response, item, f"call_{self._items}", name, '{"q": 1}'),
            events.ResponseDone(response, item, "completed", ""),
        ):
            self._sink.event(event)

    def _answer(self, wish: ResponseWish = AS_EVER) -> None:
        self._items += 1
        response, item = f"resp_{self._items}", self._new_item()
        modality = wish.modality or self.options.modality
        text = wish.verbatim or "beep"
        self.history.add(item, "assistant", text)
        created = events.ResponseCreated(response, item, self._items, modality, wish.metadata)
        said = events.TranscriptDelta(response, item, text)
        if modality == "text":
            for told in (created, said, events.ResponseDone(response, item, "completed", text)):
                self._sink.event(told)
            return
        self._text = text
        self._reply = (response, item)
        self._last_item = item
        self._reply_made = False
        self._reply_from = self._position
        self._reply_until = self._position + round(self._script.reply_seconds * WIRE_RATE)
        timings = {"silence": 0.3, "first_sound": 0.3}
        for event in (
            created,
            said,
            events.OutputAudioStarted(response),
            events.TurnMeasured(self._items, response, timings),
        ):
            self._sink.event(event)

    def _cancel(self, reason: events.CancelReason) -> None:
        if self._reply is None:
            return
        response, item = self._reply
        self._reply = None
        heard = (self._position - self._reply_from) * 1000 // WIRE_RATE
        self._sink.event(events.OutputAudioCleared(response))
        self._sink.event(events.ItemTruncated(item, heard, "be"))
        if not self._reply_made:
            self._sink.event(events.ResponseDone(response, item, "cancelled", "be", reason))

    def _new_item(self) -> str:
        self._items += 1
        return f"item_{self._items}"

    def _heard_ms(self) -> int:
        return sum(len(part) for part in self.taken) * 1000 // WIRE_RATE


@contextmanager
def refusing() -> Iterator[None]:
    """Say what the history refuses as a session does."""
    try:
        yield
    except AgentValueError as error:
        raise ConfigurationError(str(error)) from error


def check_voice(options: SessionOptions, voices: tuple[str, ...]) -> None:
    """Refuse a voice that is not among `voices`."""
    if options.voice is not None and options.voice not in voices:
        raise ConfigurationError(f"voice is {options.voice!r}; accepted: {', '.join(voices)}")
