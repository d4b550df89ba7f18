"""The engine: models loaded once, workers, and the sessions that share them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from agents.catalogue import Catalogue, Persona
from agents.errors import AgentValueError
from agents.host import Host
from agents.llm import LanguageModel
from agents.phrasing import Phrasing
from agents.retrieve import Embedder
from agents.shop.passages import FindPassages
from agents.shop.product import Shop
from avatar.voice import Voice
from encoder.options import TurnOptions
from encoder.recognizer import Recognizer
from encoder.silero import SileroVad
from encoder.turns import TurnDetector
from motion.mover import Mover
from pipeline.clock import Clock, SystemClock
from pipeline.contract import SessionSink
from pipeline.draw_worker import DrawWorker
from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.events import SessionEvent
from pipeline.gestures import GestureWorker
from pipeline.looks import Looks
from pipeline.metrics import EngineMetrics
from pipeline.options import NOTHING, Eagerness, SessionOptions, VideoFormat
from pipeline.privacy import Keeper
from pipeline.session import LiveSession, Parts
from pipeline.stills import Stills
from pipeline.voice_health import Speaker, VoiceHealth
from pipeline.voices import ENDPOINT, choose_spare, choose_voice
from pipeline.watching import watched
from pipeline.worker import Worker

Note = Callable[[str], None]

# Seconds of silence that end a turn where its text decides: the least, without text, the most.
EAGERNESS: Final[dict[Eagerness, dict[str, float]]] = {
    "high": {"minimum_silence": 0.2, "unknown_silence": 0.4, "maximum_silence": 1.2},
    "medium": {},
    "auto": {},
    "low": {"minimum_silence": 0.6, "unknown_silence": 1.0, "maximum_silence": 4.0},
}
# Seconds of silence after which the answer is prepared.
SPECULATE_AFTER: Final = 0.1
# Seconds after which a room that came back in a hurry leaves the machine time for other things.
SETTLED_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Models:
    """What the engine loads: everything that sessions share.

    Attributes:
        voices: by name, the default first, each with the worker it runs on.
        vad: makes the voice activity detector of one session.
        mover: seed -> the mover of one session.
        gestures: makes the chunks of all movers; None where bodies move by rule.
        looks: what sessions may wish for.
        drawing: None where nothing draws.
        language_model: None where the host speaks from facts alone.
        phrasing: how the model takes part, None as usual; embedder: finds facts by meaning.
    """

    host: Host
    recognizer: Recognizer
    voices: dict[str, tuple[Voice, Worker]]
    vad: Callable[[], SileroVad]
    mover: Callable[[int], Mover]
    gestures: GestureWorker | None
    looks: Looks
    drawing: DrawWorker | None
    language_model: LanguageModel | None
    phrasing: Phrasing | None = None
    embedder: Embedder | None = None


class LiveEngine:
    """A `pipeline.contract.Engine`.

    Args:
        later: what is done, one after the other on a thread, once a session has been open for
            `SETTLED_S`.
    """

    def __init__(
        self,
        models: Models,
        *,
        limit: int,
        size: tuple[int, int],
        most_pixels: int,
        keeper: Keeper | None = None,
        clock: Clock | None = None,
        later: Sequence[Callable[[], object]] = (),
    ) -> None:
        self.limit = limit
        self._later = later
        self.default_video = size
        self._most_pixels = most_pixels
        self._models = models
        self.keeper = keeper
        self._clock = clock or SystemClock()
        self._hearing = Worker("hearing", inbox=2 * limit)
        self._recognising = Worker("recognising", inbox=4 * limit)
        self._sessions: set[LiveSession] = set()
        self._seeds = count(1)
        self._warming: asyncio.Task[None] | None = None
        self._health = VoiceHealth(self._clock)
        self._late = self._dropped = 0  # of sessions that have ended
        drawing = models.drawing
        self._stills = None if drawing is None else Stills(drawing.settings, self._clock)
        self.metrics = EngineMetrics(self)

    @property
    def sessions(self) -> int:
        return len(self._sessions)

    @property
    def voices(self) -> tuple[str, ...]:
        return tuple(self._models.voices)

    @property
    def voice_languages(self) -> dict[str, tuple[str, ...]]:
        """The languages each voice speaks."""
        return {name: voice.info.languages for name, (voice, _) in self._models.voices.items()}

    @property
    def embedder(self) -> Embedder | None:
        """What finds texts by their meaning; None where nothing does."""
        return self._models.embedder

    @property
    def looks(self) -> Looks:
        """Who, where and how sessions may be."""
        return self._models.looks

    @property
    def live(self) -> tuple[LiveSession, ...]:
        """The sessions open now."""
        return tuple(self._sessions)

    def open(self, options: SessionOptions, sink: SessionSink) -> LiveSession:
        if len(self._sessions) >= self.limit:
            raise ServerFullError(self.limit)
        self._check_size(options.video)
        self._speaker(options.voice, "en" if options.language == "auto" else options.language, 1.0)
        parts = Parts(
            clock=self._clock,
            host=self._models.host,
            recognizer=self._models.recognizer,
            hearing=self._hearing,
            recognising=self._recognising,
            detector=self._detector,
            speaker=self._speaker,
            mover=self._models.mover(next(self._seeds)),
            looks=self._models.looks,
            drawing=self._models.drawing,
        )
        scribe = self.keeper.follow(options.person) if self.keeper else None

        def told(event: SessionEvent) -> None:
            self.metrics.count(event)
            if scribe is not None:
                scribe.event(event)

        session = LiveSession(options, sink, parts, self._ended, told)
        if scribe is not None:
            scribe.begin(session.id)
        self._warm()
        self._sessions.add(session)
        return session

    def new_host(
        self,
        catalogue: Catalogue | None,
        persona: Persona,
        shop: Shop | None = None,
        trouble: Callable[[str | None], None] = lambda _: None,
        documents: FindPassages | None = None,
    ) -> Host:
        models = self._models
        model = models.language_model
        try:
            host = Host(
                catalogue,
                persona,
                model=None if model is None else watched(model, self._clock, trouble),
                phrasing=models.phrasing,
                embedder=models.embedder,
                shop=shop,
                documents=documents,
            )
        except AgentValueError as error:
            raise ConfigurationError(str(error)) from error
        host.prepare()
        return host

    async def still(
        self, options: SessionOptions, changes: Mapping[str, object] = NOTHING
    ) -> bytes:
        if self._stills is None:
            raise ConfigurationError("nothing is drawn here (draw.renderer is 'none')")
        looks, video = self._models.looks, options.video or VideoFormat("vp8", *self.default_video)
        self._check_size(video)
        await looks.prepare(replace(options, video=video))
        look = looks.look(replace(options, video=video))
        look = replace(look, scene=looks.shown(look.scene, changes))
        return await self._stills.draw(look, (video.width, video.height))

    @property
    def troubles(self) -> tuple[str, ...]:
        drawing = self._models.drawing
        return () if drawing is None or drawing.working else ("nothing is drawn",)

    async def close(self) -> None:
        """Close all sessions and free the models. Idempotent."""
        await self._models.looks.close()
        if self._stills is not None:
            await self._stills.close()
        await asyncio.gather(*(session.close() for session in list(self._sessions)))
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait({self._warming})
        await self._health.close()
        workers = [worker for _, worker in self._models.voices.values()]
        for worker in (self._hearing, self._recognising, *workers):
            await asyncio.to_thread(worker.close)
        if self._models.gestures is not None:
            await asyncio.to_thread(self._models.gestures.close)
        if self._models.language_model is not None:
            await self._models.language_model.aclose()
        if self._models.drawing is not None:
            await self._models.drawing.close()

    def _check_size(self, video: VideoFormat | None) -> None:
        """One process draws for all, so nobody may wish for a picture that takes all its time."""
        if video is not None and video.width * video.height > self._most_pixels:
            raise ConfigurationError(
                f"size is {video.width}x{video.height}; accepted: at most {self._most_pixels} "
                f"pixels here (draw.most_pixels)"
            )

    def _ended(self, session: LiveSession) -> None:
        self._sessions.discard(session)
        self._late += session.pictures_late
        self._dropped += session.sound_dropped

    @property
    def draw_process(self) -> int | None:
        drawing = self._models.drawing
        return drawing.process if drawing else None

    @property
    def draw_restarts(self) -> int:
        drawing = self._models.drawing
        return drawing.restarts if drawing else 0

    @property
    def picture_level(self) -> int:
        drawing = self._models.drawing
        return drawing.level if drawing else 0

    @property
    def pictures_late(self) -> int:
        return self._late + sum(session.pictures_late for session in self._sessions)

    @property
    def pictures_skipped(self) -> int:
        drawing = self._models.drawing
        return drawing.skipped if drawing else 0

    @property
    def sound_dropped(self) -> int:
        return self._dropped + sum(session.sound_dropped for session in self._sessions)

    def _detector(self, options: SessionOptions) -> TurnDetector:
        settings = options.turn
        if settings is None:
            return TurnDetector(self._models.vad())
        turns = TurnOptions.server_vad(
            settings.threshold, settings.prefix_padding_ms, settings.silence_duration_ms
        )
        if settings.silence_duration_ms is None:
            turns = replace(turns, **EAGERNESS[settings.eagerness])
        return TurnDetector(self._models.vad(), replace(turns, pause=SPECULATE_AFTER))

    def _speaker(self, name: str | None, language: str, speed: float) -> Speaker:
        voice, worker = self._models.voices[choose_voice(self.voice_languages, name, language)]
        infos = {name: voice.info for name, (voice, _) in self._models.voices.items()}
        spare = choose_spare(infos, language) if voice.info.backend == ENDPOINT else None
        if spare is None:
            return Speaker(voice, worker, speed)
        return Speaker(
            voice, worker, speed, Speaker(*self._models.voices[spare], speed), self._health
        )

    def _warm(self) -> None:
        """Read the prompt into the language model, so that its first reply comes as fast as any."""
        if self._warming is None:
            self._warming = asyncio.create_task(self._catch_up(), name="warm")

    async def _catch_up(self) -> None:
        if self._later:
            await self._clock.sleep_until(self._clock.now() + SETTLED_S)
        await self._models.host.warm()
        for each in self._later:
            await asyncio.to_thread(each)
