"""A sink that keeps everything."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.contract import EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import SessionEvent

E = TypeVar("E")


class RecordingSink:
    """Keeps the frames, pictures and events of a session in order."""

    def __init__(self) -> None:
        self.frames: list[SoundFrame] = []
        self.pictures: list[EncodedPicture] = []
        self.poses: list[PoseFrame] = []
        self.events: list[SessionEvent] = []

    def sound(self, frame: SoundFrame) -> None:
        self.frames.append(frame)

    def picture(self, picture: EncodedPicture) -> None:
        self.pictures.append(picture)

    def pose(self, frame: PoseFrame) -> None:
        self.poses.append(frame)

    def event(self, event: SessionEvent) -> None:
        self.events.append(event)

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def samples(self) -> NDArray[np.float32]:
        """Return all sound so far, float32 in [-1, 1]."""
        frames = [frame.samples for frame in self.frames] or [np.zeros(0, np.int16)]
        return (np.concatenate(frames) / 32767).astype(np.float32)

    def sounding(self) -> NDArray[np.bool_]:
        """Return for each frame whether there is sound in it."""
        return np.array([np.abs(frame.samples).max() > 100 for frame in self.frames], bool)
