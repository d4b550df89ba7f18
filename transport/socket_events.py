"""Sound, poses and pictures as events of the WebSocket, written without detours: 100 a second."""

from base64 import b64encode
from typing import Final

import numpy as np

from motion.pose import POSES_PER_SECOND
from motion.rest import REST_POSITIONS
from motion.skeleton import FACE_NAMES, JOINT_NAMES, JOINT_PARENTS
from pipeline.contract import WIRE_RATE, EncodedPicture, PoseFrame, SoundFrame
from transport.items import ServerEvent, place, server_event

# The protocol's sound has half the rate of a call's. A session's own sound is 24 kHz, so that the
# 48 kHz made of it hold nothing above 12 kHz, and every second sample says all.
EVERY: Final = 2


def sound_event(frame: SoundFrame, response_id: str, item_id: str) -> ServerEvent:
    """Return `response.output_audio.delta` of 20 ms."""
    samples = frame.samples[::EVERY].astype("<i2")
    return server_event(
        "response.output_audio.delta",
        delta=b64encode(samples.tobytes()).decode(),
        position_ms=milliseconds(frame.position),
        **place(response_id, item_id),
    )


def pose_event(frame: PoseFrame) -> ServerEvent:
    """Return `avatar.motion.delta`."""
    pose = frame.pose
    return server_event(
        "avatar.motion.delta",
        position_ms=milliseconds(frame.position),
        rotations=b64encode(pose.rotations.astype("<f4").tobytes()).decode(),
        translation=[round(float(value), 5) for value in pose.translation],
        face=b64encode(pose.face.astype("<f4").tobytes()).decode(),
    )


def motion_format() -> ServerEvent:
    """Return `avatar.motion.format`: how to read the poses that follow."""
    rest = np.asarray(REST_POSITIONS, "<f4")
    return server_event(
        "avatar.motion.format",
        encoding="base64",
        poses_per_second=POSES_PER_SECOND,
        joints=list(JOINT_NAMES),
        parents=[int(parent) for parent in JOINT_PARENTS],
        rest=b64encode(rest.tobytes()).decode(),
        blendshapes=list(FACE_NAMES),
    )


def picture_event(picture: EncodedPicture, codec: str) -> ServerEvent:
    """Return `avatar.video.delta`."""
    return server_event(
        "avatar.video.delta",
        position_ms=milliseconds(picture.position),
        keyframe=picture.keyframe,
        codec=codec,
        data=b64encode(picture.data).decode(),
    )


def milliseconds(position: int) -> float:
    """Return a media position as the protocol tells it."""
    return round(position * 1000 / WIRE_RATE, 2)
