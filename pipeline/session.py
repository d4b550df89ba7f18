"""One live conversation: the six stages, the turn machine, the media clock, wired together."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.clause import Language
from agents.history import History, Item
from agents.history import Speaker as Author
from agents.host import Host
from agents.tools import ToolCall
from avatar.spec import SceneSpec
from encoder.recognizer import Recognizer
from encoder.turns import TurnDetector
from motion.mover import Mover
from pipeline.clock import Clock
from pipeline.contract import EncodedPicture, SessionSink
from pipeline.conversation import Conversation
from pipeline.draw_worker import DrawWorker
from pipeline.errors import ConfigurationError, SessionClosedError
from pipeline.events import SessionEvent, SessionFailed
from pipeline.lead import Lead
from pipeline.looks import Looks
from pipeline.options import AS_EVER, NOTHING, ResponseWish, SessionOptions
from pipeline.player import LAG, Player
from pipeline.privacy.discretion import where
from pipeline.programme import Programme
from pipeline.speaking_through import SpeakingThrough
from pipeline.stages.draw import DrawStage
from pipeline.stages.hear import Clear, Commit, HearStage, Replace
from pipeline.stages.move import MoveStage
from pipeline.stages.see import SeeStage, Sight
from pipeline.stages.speak import SpeakStage
from pipeline.stages.think import ThinkStage
from pipeline.timeline import Timeline
from pipeline.voice_health import Speaker
from pipeline.worker import Worker

# Seconds that sound may take from the wire to the ear; a longer time is a mistake.
LONGEST_PLAYOUT: Final = 5.0
LONGEST_HOLDING: Final = 200  # characters of a holding card

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a session is made of; models and workers are shared, the rest is its own.

    Attributes:
        speaker: voice name (None is the default), language, speed -> who speaks; raises
            ConfigurationError for a name or language nobody has.
        detector: options -> the turn detector of this session.
        looks: finds who, where and how by the names of options.
        drawing: None where nothing draws.
    """

    clock: Clock
    host: Host
    recognizer: Recognizer
    hearing: Worker
    recognising: Worker
    detector: Callable[[SessionOptions], TurnDetector]
    speaker: Callable[[str | None, str, float], Speaker]
    mover: Mover
    looks: Looks
    drawing: DrawWorker | None


class LiveSession:
    """A `pipeline.contract.Session`.

    `ended` is called once, when it has been closed; `counted` for every event it tells.

    Raises:
        ConfigurationError: the options name an avatar, a scene or a style nobody has.
    """

    def __init__(
        self,
        options: SessionOptions,
        sink: SessionSink,
        parts: Parts,
        ended: Callable[["LiveSession"], None],
        counted: Callable[[SessionEvent], None] = lambda _: None,
    ) -> None:
        self._id = f"sess_{secrets.token_urlsafe(16)}"
        self._options = parts.looks.completed(options)
        self._look = parts.looks.look(self._options)
        self._scene = self._look.scene  # as it is shown, with what `show` has laid over it
        self._shown: dict[str, object] = {}
        self._sink = sink
        self._parts = parts
        self._ended = ended
        self._counted = counted
        self._closed = False
        self._running: asyncio.Task[None] | None = None
        self._build()

    @property
    def id(self) -> str:
        return self._id

    @property
    def options(self) -> SessionOptions:
        return self._options

    @property
    def conversation(self) -> Conversation:
        return self._conversation

    @property
    def quiet(self) -> bool:
        """Whether no stage holds work and no sound waits."""
        stages = (self._think, self._speak, self._move)
        return all(stage.idle for stage in stages) and self._move.timeline.ahead == 0

    @property
    def pictures_late(self) -> int:
        return self._draw.late if self._draw is not None else 0

    @property
    def sound_dropped(self) -> int:
        return self._hear.dropped

    @property
    def position(self) -> int:
        """Samples at 48 kHz sent so far: the media clock."""
        return self._player.position

    def start(self) -> None:
        if self._closed:
            raise SessionClosedError(f"session {self._id} has been closed")
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name=f"session {self._id}")

    def hear(self, samples: NDArray[np.float32]) -> None:
        if self._closed:
            return
        if self._through.wanted:
            self._through.hear(samples)
        else:
            self._hear.hear(samples)

    @property
    def follows_instructions(self) -> bool:
        return self._parts.host.follows_instructions

    @property
    def hearing_ahead(self) -> float:
        return self._hear.ahead

    async def heard(self) -> None:
        await self._hear.heard()

    @property
    def notes(self) -> tuple[Sight, ...] | None:
        return self.see.notes

    def submit_text(
        self,
        text: str,
        item_id: str | None = None,
        *,
        role: Author = "user",
        after: str | None = None,
    ) -> str:
        return self._conversation.submit_text(text, item_id, role, after)

    def submit_call(
        self,
        call_id: str,
        call: ToolCall,
        item_id: str | None = None,
        *,
        after: str | None = None,
    ) -> str:
        return self._conversation.submit_call(call_id, call, item_id, after)

    def submit_output(
        self, call_id: str, output: str, item_id: str | None = None, *, after: str | None = None
    ) -> str:
        return self._conversation.submit_output(call_id, output, item_id, after)

    def item(self, item_id: str) -> Item:
        return self._conversation.item(item_id)

    def delete_item(self, item_id: str) -> None:
        self._conversation.delete(item_id)

    def create_response(self, wish: ResponseWish = AS_EVER) -> None:
        self._conversation.create_response(wish)

    def say(
        self,
        text: str,
        language: Language | None = None,
        *,
        interrupt: bool = True,
        metadata: Mapping[str, str] = NOTHING,
    ) -> None:
        wish = ResponseWish(metadata=metadata, verbatim=text, language=language)
        self._conversation.say(wish, interrupt=interrupt)

    def act(self, action: str, parameters: Mapping[str, str | float]) -> None:
        self._move.act(action, parameters)

    def perform(self, programme: Programme | None) -> None:
        if not self._closed:
            self._conversation.performance.perform(programme)

    def wake(self) -> None:
        self._conversation.performance.wake()

    def hush(self) -> None:
        self._conversation.performance.hush()

    def mute(self, muted: bool) -> None:
        self._player.muted = muted

    def show(self, changes: Mapping[str, object]) -> None:
        scene = self._parts.looks.shown(self._look.scene, changes)
        self._shown = dict(changes)
        self._change_scene(scene)

    def hold_card(self, text: str | None) -> None:
        if text is not None and len(text) > LONGEST_HOLDING:
            raise ConfigurationError(
                f"a holding card's text has {len(text)} characters; accepted: {LONGEST_HOLDING}"
            )
        if self._draw is not None:
            self._draw.hold(text)

    def speak_through(self, on: bool, *, now: bool = False) -> None:
        if on and not self._closed:
            self._through.start(now=now)
        else:
            self._through.stop()

    def unheard(self, position: int) -> None:
        self._conversation.unheard(position)

    def rest(self, resting: bool) -> None:
        self._player.resting = resting
        if not resting:
            self.request_keyframe()

    def commit_audio(self) -> None:
        self._hear.order(Commit())

    def clear_audio(self) -> None:
        self._hear.order(Clear())

    def cancel(self) -> None:
        self._conversation.cancel()

    def truncate(self, item_id: str, audio_end_ms: int) -> None:
        self._conversation.truncate(item_id, audio_end_ms)

    def update(self, options: SessionOptions) -> None:
        if options.video != self._options.video:
            raise ConfigurationError("the picture of a session cannot change while it lasts")
        options = self._parts.looks.completed(options)
        look = self._parts.looks.look(options)
        if look.avatar != self._look.avatar:
            raise ConfigurationError(
                f"avatar is {options.avatar!r}; accepted: {self._options.avatar!r} until this "
                "session ends"
            )
        language = "en" if options.language == "auto" else options.language
        self._parts.speaker(options.voice, language, options.speed)
        if options.turn != self._options.turn:
            detector = self._parts.detector(options)
            self._hear.order(Replace(detector, manual=options.turn is None))
        if look.style != self._look.style:
            self._move.restyle(look.style)
        self._look = look
        self._change_scene(self._parts.looks.shown(look.scene, self._shown))
        self._options = options
        self._player.motion = options.motion
        self._conversation.floor.options = options

    def set_playout_delay(self, seconds: float) -> None:
        self._conversation.replies.playout_delay = max(0.0, min(LONGEST_PLAYOUT, seconds))

    def request_keyframe(self) -> None:
        if self._draw is not None:
            self._draw.request_keyframe()

    def set_bitrate(self, bits_per_second: int) -> None:
        if self._draw is not None:
            self._draw.set_bitrate(bits_per_second)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._running is not None and self._running is not asyncio.current_task():
            self._running.cancel()
            await asyncio.wait({self._running})
        try:
            await self._conversation.close()
        finally:
            if self._draw is not None:
                self._draw.close()
            self._ended(self)

    def _change_scene(self, scene: SceneSpec) -> None:
        if scene != self._scene and self._draw is not None:
            self._draw.change_scene(scene)
        self._scene = scene

    def _build(self) -> None:
        """Make the static graph: nothing is added to it while the session lasts."""
        parts, options = self._parts, self._options
        parts.mover.restyle(self._look.style)
        parts.mover.embody(parts.looks.body(self._look.avatar))
        history = History()
        self._lead = Lead()
        self.see = SeeStage()
        self._move = MoveStage(
            parts.mover,
            Timeline(self._lead.samples, LAG),
            placed=lambda turn, spoken: self._conversation.replies.placed(turn, spoken),
            called=lambda turn, call: self._conversation.replies.called(turn, call),
            ended=lambda turn: self._conversation.replies.made(turn),
            failed=self._stage_failed,
        )
        self._speak = SpeakStage(
            self._speaker, self._move.inbox, self._stage_failed, self._voice_fallen
        )
        self._think = ThinkStage(
            parts.host,
            history,
            self._speak.inbox,
            self._stage_failed,
            mark=lambda name, turn: self._conversation.floor.mark(name, turn),
            brief=lambda turn: self._conversation.floor.brief(turn),
        )
        self._draw = self._open_view()
        self._hear = HearStage(
            parts.detector(options),
            parts.recognizer,
            parts.hearing,
            parts.recognising,
            parts.clock,
            happened=lambda heard: self._conversation.listener.happened(heard),
            partial=lambda transcript: self._conversation.listener.partial(transcript),
            cleared=lambda: self._conversation.listener.clear(),
            manual=options.turn is None,
        )
        self._player = Player(
            parts.clock,
            self._move,
            self._draw,
            self._sink,
            played=self._played,
        )
        self._player.motion = options.motion
        self._conversation = Conversation(
            options,
            history,
            parts.clock,
            self._hear,
            self._think,
            self._speak,
            self._move,
            self._player,
            self._tell,
        )
        self._through = SpeakingThrough(
            self._conversation.floor,
            self._conversation.performance,
            self._move,
            parts.clock,
            parts.hearing,
        )

    def _open_view(self) -> DrawStage | None:
        if self._parts.drawing is None or self._options.video is None:
            return None
        return DrawStage(
            self._parts.drawing,
            self._look.avatar,
            self._look.scene,
            self._options.video,
            self._show,
            self._spare,
            lambda message: self._tell(SessionFailed("picture_failed", message)),
            lambda message: self._tell(SessionFailed("scene_refused", message)),
        )

    def _speaker(self, turn: int, language: str) -> Speaker | None:
        if self._conversation.floor.modality(turn) == "text":
            return None
        return self._parts.speaker(self._options.voice, language, self._options.speed)

    def _played(self) -> None:
        self._hear.tick()
        self._conversation.replies.played()
        self._through.tick()
        self._conversation.tick()

    def _show(self, picture: EncodedPicture) -> None:
        if not self._closed:
            self._sink.picture(picture)

    def _spare(self, seconds: float) -> None:
        if self._lead.note(seconds):
            self._move.timeline.lead = self._lead.samples

    def _tell(self, event: SessionEvent) -> None:
        self._counted(event)
        if not self._closed:
            self._sink.event(event)

    def _voice_fallen(self, name: str, spare: str, why: str) -> None:
        if why:
            message = f"the voice {name!r} fails, {spare!r} speaks instead: {why}"
            self._tell(SessionFailed("voice_fallback", message))
        else:
            self._tell(SessionFailed("voice_restored", f"the voice {name!r} speaks again"))

    def _stage_failed(self, stage: str, turn: int, error: Exception) -> None:
        _log.warning("session %s: %s failed in turn %d: %s", self._id, stage, turn, where(error))
        self._conversation.replies.failed(stage, turn, error)

    async def _run(self) -> None:
        """Run the stages until the session is closed; one that breaks ends the session."""
        try:
            async with asyncio.TaskGroup() as group:
                stages = (self._hear, self._think, self._speak, self._move, self._through)
                for stage in (*stages, self._player):
                    group.create_task(stage.run(), name=type(stage).__name__)
        except BaseExceptionGroup as broken:
            _log.error("session %s broke: %s", self._id, where(broken))
            self._tell(SessionFailed("internal_error", "the session broke and has been ended"))
            await self.close()
