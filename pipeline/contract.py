"""The seam between the engines and the wire: a session, its engine, and where its output goes."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from motion.pose import Pose
from pipeline.events import SessionEvent
from pipeline.options import SessionOptions

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

    def submit_text(self, text: str, item_id: str | None = None) -> str:
        """Add a typed message of the user and return its item id; it does not answer by itself."""

    def create_response(self) -> None:
        """Answer the newest message of the user. A response in progress is cancelled first.

        Where the client ends turns, what was committed before is recognised first.
        """

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

    async def close(self) -> None:
        """Close all sessions and free the models."""
