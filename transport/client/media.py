"""What a conversation looks and sounds like, in numpy: sound, text, poses, coded pictures."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from transport.client.sound import WIRE_RATE

VALUES: Final = 4  # of a rotation: w, x, y, z


@dataclass(frozen=True, slots=True, eq=False)
class AudioChunk:
    """A piece of the host's voice.

    Attributes:
        samples: int16 [n], mono, 24 kHz, read-only.
        position_ms: of the first sample, on the clock that poses and pictures carry too.
        response_id, item_id: the reply it belongs to.
    """

    samples: NDArray[np.int16]
    position_ms: float
    response_id: str
    item_id: str

    @property
    def seconds(self) -> float:
        """How long it sounds."""
        return len(self.samples) / WIRE_RATE

    @property
    def pcm(self) -> bytes:
        """Its samples as little-endian PCM16."""
        data: bytes = self.samples.tobytes()
        return data


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of what the host says.

    Attributes:
        text: as shown.
        audio_start_ms: when it is heard, from the first sound of the reply; None without sound.
        response_id, item_id: the reply it belongs to.
    """

    text: str
    audio_start_ms: float | None
    response_id: str
    item_id: str

    @property
    def seconds(self) -> float:
        """None of the time of sound."""
        return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MotionFormat:
    """How poses are to be read.

    Attributes:
        joints: names of the J joints.
        parents: of each joint its parent's index, -1 for the root.
        rest: float32 [J, 3], where joints are in the rest pose, metres.
        blendshapes: names of the B coefficients of the face (ARKit).
        poses_per_second: how many poses a second has.
    """

    joints: tuple[str, ...]
    parents: tuple[int, ...]
    rest: NDArray[np.float32]
    blendshapes: tuple[str, ...]
    poses_per_second: int


@dataclass(frozen=True, slots=True, eq=False)
class MotionFrame:
    """One pose.

    Attributes:
        position_ms: when it is due, on the clock of `AudioChunk.position_ms`.
        rotations: float32 [J, 4], unit quaternions (w, x, y, z), each about the axes of the
            world as they stand in the rest pose; read-only.
        translation: float32 [3], metres, of the root from where it rests.
        face: float32 [B], each from 0 to 1; read-only.
        format: names and parents of the joints, names of the coefficients.
    """

    position_ms: float
    rotations: NDArray[np.float32]
    translation: NDArray[np.float32]
    face: NDArray[np.float32]
    format: MotionFormat


@dataclass(frozen=True, slots=True)
class VideoPacket:
    """One coded picture.

    Attributes:
        data: one H264 access unit with start codes (Annex B), or one VP8 frame.
        codec: "h264" or "vp8".
        keyframe: decodes without earlier pictures.
        position_ms: when it is due, on the clock of `AudioChunk.position_ms`.
    """

    data: bytes
    codec: str
    keyframe: bool
    position_ms: float


def audio_chunk(event: Mapping[str, Any]) -> AudioChunk:
    """Read a `response.output_audio.delta`.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    data = _bytes(event["delta"])
    return AudioChunk(
        np.frombuffer(data, "<i2"),
        float(event.get("position_ms", 0.0)),
        str(event["response_id"]),
        str(event["item_id"]),
    )


def text_chunk(event: Mapping[str, Any]) -> TextChunk:
    """Read a `response.output_audio_transcript.delta` or `response.output_text.delta`.

    Raises:
        KeyError: it is neither.
    """
    start = event.get("audio_start_ms")
    return TextChunk(
        str(event["delta"]),
        float(start) if isinstance(start, int | float) else None,
        str(event["response_id"]),
        str(event["item_id"]),
    )


def motion_format(event: Mapping[str, Any]) -> MotionFormat:
    """Read an `avatar.motion.format`.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    joints = tuple(map(str, event["joints"]))
    return MotionFormat(
        joints,
        tuple(map(int, event["parents"])),
        _floats(event["rest"]).reshape(len(joints), 3),
        tuple(map(str, event["blendshapes"])),
        int(event["poses_per_second"]),
    )


def motion_frame(event: Mapping[str, Any], format_: MotionFormat) -> MotionFrame:
    """Read an `avatar.motion.delta`.

    Raises:
        ValueError, KeyError, TypeError: it is none, or does not fit its format.
    """
    return MotionFrame(
        float(event["position_ms"]),
        _floats(event["rotations"]).reshape(len(format_.joints), VALUES),
        np.array(event["translation"], np.float32).reshape(3),
        _floats(event["face"]).reshape(len(format_.blendshapes)),
        format_,
    )


def video_packet(event: Mapping[str, Any]) -> VideoPacket:
    """Read an `avatar.video.delta`.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    return VideoPacket(
        _bytes(event["data"]),
        str(event["codec"]),
        bool(event["keyframe"]),
        float(event["position_ms"]),
    )


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64: {error}") from error


def _floats(text: object) -> NDArray[np.float32]:
    return np.frombuffer(_bytes(text), "<f4")
