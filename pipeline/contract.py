"""The seam between the engines and the wire: a session, its engine, and where its output goes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.catalogue import Catalogue, Persona
from agents.clause import Language
from agents.history import Item
from agents.history import Speaker as Author
from agents.host import Host
from agents.shop.passages import FindPassages
from agents.shop.product import Shop
from agents.tools import ToolCall
from motion.pose import Pose
from pipeline.events import SessionEvent
from pipeline.options import AS_EVER, NOTHING, ResponseWish, SessionOptions
from pipeline.programme import Programme
from pipeline.stages.see import Sight

WIRE_RATE: Final = 48_000
FRAME_SAMPLES: Final = 960  # 20 ms at WIRE_RATE
PICTURES_PER_SECOND: Final = 25


@dataclass(frozen=True, slots=True)
class SoundFrame:
    """20 ms of output sound.

    Attributes:
        samples: int16 [960], mono, 48 kHz.
        position: media time of the first sample, in samples at 48 kHz since the session began.
    """

    samples: NDArray[np.int16]
    position: int


@dataclass(frozen=True, slots=True)
class EncodedPicture:
    """One encoded picture.

    Attributes:
        data: one VP8 frame, or one H264 access unit with start codes (Annex B).
        keyframe: decodes without earlier pictures.
        position: media time in the samples at 48 kHz of `SoundFrame`: sound and picture of the
            same position belong together.
    """

    data: bytes
    keyframe: bool
    position: int


@dataclass(frozen=True, slots=True)
class PoseFrame:
    """How the body is at one moment, for engines that draw it themselves.

    Attributes:
        pose: no leading axes.
        position: media time in the samples at 48 kHz of `SoundFrame`.
    """

    pose: Pose
    position: int


class SessionSink(Protocol):
    """Where a session's output goes. Called on the event loop, at the moment the media is due
    (sound and pictures of one position within the same tick); must not block or raise. Poses come
    ahead of that, as soon as they are known, and only where `SessionOptions.motion` asks for them.
    """

    def sound(self, frame: SoundFrame) -> None: ...

    def picture(self, picture: EncodedPicture) -> None: ...

    def pose(self, frame: PoseFrame) -> None: ...

    def event(self, event: SessionEvent) -> None: ...


class Session(Protocol):
    """One conversation. All methods are called on the event loop; none blocks."""

    @property
    def id(self) -> str: ...

    @property
    def options(self) -> SessionOptions: ...

    def start(self) -> None:
        """Start the media clock: the peer is connected and the sink takes media."""

    def hear(self, samples: NDArray[np.float32]) -> None:
        """Take sound from the person: float32 [n], mono, 48 kHz. What exceeds the bounded
        backlog (1 s) is dropped, oldest first, and counted.
        """

    @property
    def follows_instructions(self) -> bool:
        """Whether the host takes the instructions of its options: a language model may."""

    @property
    def hearing_ahead(self) -> float:
        """Seconds of input sound that wait to be heard."""

    async def heard(self) -> None:
        """Wait until some of the input sound that waits has been heard."""

    @property
    def position(self) -> int:
        """Samples at 48 kHz sent so far: the media clock."""

    def submit_text(
        self,
        text: str,
        item_id: str | None = None,
        *,
        role: Author = "user",
        after: str | None = None,
    ) -> str:
        """Add a message and return its item id; it is not answered by itself.

        Args:
            role: whose message: the user's, one the host is to have said, or the system's.
            after: the item it follows, "root" for the beginning; None for the end.

        Raises:
            ConfigurationError: the id is taken, or there is no such item to follow.
        """

    def submit_call(
        self,
        call_id: str,
        call: ToolCall,
        item_id: str | None = None,
        *,
        after: str | None = None,
    ) -> str:
        """Add a call that the host is to have made; return its item id.

        Raises:
            ConfigurationError: an id is taken, or there is no such item to follow.
        """

    def submit_output(
        self, call_id: str, output: str, item_id: str | None = None, *, after: str | None = None
    ) -> str:
        """Add what a function gave back; return its item id. It is not answered by itself.

        Raises:
            ConfigurationError: no such call was made, or it has an output.
        """

    def item(self, item_id: str) -> Item:
        """Return an item of the history.

        Raises:
            ConfigurationError: there is none.
        """

    def delete_item(self, item_id: str) -> None:
        """Take an item out of the history.

        Raises:
            ConfigurationError: there is none, or it is being spoken.
        """

    def create_response(self, wish: ResponseWish = AS_EVER) -> None:
        """Answer the newest message of the user. A response in progress is cancelled first; one
        that has called a function is heard to its end.

        Where the client ends turns, what was committed before is recognised first.
        """

    def say(
        self,
        text: str,
        language: Language | None = None,
        *,
        interrupt: bool = True,
        metadata: Mapping[str, str] = NOTHING,
    ) -> None:
        """Speak a text word for word, as a reply of its own.

        Args:
            interrupt: give up a reply in progress, else wait for its end.
            metadata: comes back with the reply's events.

        Raises:
            ConfigurationError: too many texts wait.
        """

    def act(self, action: str, parameters: Mapping[str, str | float]) -> None:
        """Make a gesture of the action library now.

        Raises:
            ConfigurationError: there is no such action, or it takes no such parameters.
        """

    def perform(self, programme: Programme | None) -> None:
        """Speak what `programme` gives, line after line, until another one or None takes its
        place: then the running line is heard to its end, and one that was prepared is dropped
        ("cancelled"). Between two lines there is a natural pause, unless the next is not made yet.

        A reply of the conversation, such as `say`, cuts the running line; the programme goes on
        after it.
        """

    def wake(self) -> None:
        """The programme has something new: a line that was prepared and has not begun is dropped
        ("withdrawn"), and the programme is asked for the next again, which begins at the end of
        the running line. No-op where nothing is performed.
        """

    def hush(self) -> None:
        """Cut the running line at once; the programme is told what was heard of it. Then as
        `wake`.
        """

    def mute(self, muted: bool) -> None:
        """Send silence instead of sound. Lips, pictures and captions go on, and so does time."""

    def show(self, changes: Mapping[str, object]) -> None:
        """Lay fields of `SceneSpec` (as JSON has them; None is the field's default) over the
        session's scene, in place of what was shown this way before. Unlike those of options,
        pictures may be any file of the server: never hand a stranger's words through.

        Raises:
            ConfigurationError: a field or a value is not accepted; nothing changed.
        """

    def hold_card(self, text: str | None) -> None:
        """Show a card that covers the whole picture, from the next picture on and whatever the
        scene does; None takes it away. An empty text is a card without words. Sound goes on.

        Raises:
            ConfigurationError: the text is longer than 200 characters.
        """

    def speak_through(self, on: bool, *, now: bool = False) -> None:
        """Let whoever publishes sound speak with the host's mouth: what `hear` takes goes out
        levelled, half a second later, from the end of the running line on, which `now` cuts.
        The programme waits until it is over: by `on=False`, or by itself when no sound comes any
        more; `SpokenThrough` is told either way.
        """

    @property
    def notes(self) -> Sequence[Sight] | None:
        """What has been seen, oldest first; None where nothing looks."""

    def unheard(self, position: int) -> None:
        """The client has gone, and heard nothing from `position` (as `SoundFrame`) on: end the
        reply, and keep of the history what was heard.
        """

    def rest(self, resting: bool) -> None:
        """While nobody watches, make no pictures and no poses."""

    def commit_audio(self) -> None:
        """End the user's turn now. Where no turns are detected, it is not answered until asked."""

    def clear_audio(self) -> None:
        """Forget input sound that has not become a turn."""

    def cancel(self) -> None:
        """Stop the response in progress at once (client_cancelled). No-op when there is none."""

    def truncate(self, item_id: str, audio_end_ms: int) -> None:
        """Cut an item of the history to what was heard; a reply that still sounds is over.

        Raises:
            ConfigurationError: no such item, or audio_end_ms outside what was sent.
        """

    def update(self, options: SessionOptions) -> None:
        """Change how the session is. Voice, language, speed and turn taking take effect at the
        next reply; scene, framing and style at once. The avatar and the video format stay.

        Raises:
            ConfigurationError: a value is not accepted; nothing changed.
        """

    def set_playout_delay(self, seconds: float) -> None:
        """Tell how long after sending the person hears a sample (from receiver reports)."""

    def request_keyframe(self) -> None:
        """Make the next picture decodable on its own."""

    def set_bitrate(self, bits_per_second: int) -> None:
        """Follow the receiver's estimate; clamped to what the encoder accepts."""

    async def close(self) -> None:
        """End the session and free everything it held. Idempotent."""


class Engine(Protocol):
    """Shared models and the sessions that use them."""

    def open(self, options: SessionOptions, sink: SessionSink) -> Session:
        """Open a session; it counts against the limit from this moment.

        Raises:
            ServerFullError: no session is free.
            ConfigurationError: an option names something unknown.
        """

    @property
    def sessions(self) -> int:
        """Sessions open now."""

    @property
    def limit(self) -> int: ...

    @property
    def voices(self) -> tuple[str, ...]:
        """Names `SessionOptions.voice` accepts; the first is the default."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """What does not work now, in words; empty when all is well."""

    @property
    def default_video(self) -> tuple[int, int]:
        """(width, height) a session gets when the caller has no wish."""

    def new_host(
        self,
        catalogue: Catalogue | None,
        persona: Persona,
        shop: Shop | None = None,
        trouble: Callable[[str | None], None] = lambda _: None,
        documents: FindPassages | None = None,
    ) -> Host:
        """Return a host of its own that shares the engine's language model and embedder. Blocks
        for a moment: it reads the catalogue.

        Args:
            shop: what it sells beside the catalogue's facts.
            trouble: called on the event loop when the language model begins to fail, in words, and
                with None when it works again.
            documents: finds passages that may answer what the shop does not; called in a thread.

        Raises:
            ConfigurationError: the catalogue makes a claim that it does not list.
        """

    async def still(
        self, options: SessionOptions, changes: Mapping[str, object] = NOTHING
    ) -> bytes:
        """Return how a session of these options looks, with `changes` as of `Session.show`: a JPEG
        of the options' size. Live pictures are not disturbed.

        Raises:
            ConfigurationError: an option is not accepted, or nothing is drawn here.
        """

    async def close(self) -> None:
        """Close all sessions and free the models."""
