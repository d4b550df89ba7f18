"""The media clock of a session: 20 ms of sound and every second time a picture, due by due."""

from collections import deque
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from pipeline.clock import Clock
from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, PoseFrame, SessionSink, SoundFrame
from pipeline.stages.draw import DrawStage
from pipeline.stages.move import MoveStage
from pipeline.upsample import DELAY_SAMPLES, Upsampler

FRAME_SECONDS: Final = FRAME_SAMPLES / WIRE_RATE
WIRE_PER_SPEECH: Final = WIRE_RATE // SPEECH_RATE
FRAMES_PER_PICTURE: Final = 2
FRAMES_PER_UNSEEN: Final = 50
# A machine that stood still longer than this does not send what it missed, all at once.
STOOD_STILL: Final = 0.5

# How far (24 kHz samples) the wire lags behind what the timeline hands out.
LAG: Final = DELAY_SAMPLES // WIRE_PER_SPEECH


def wire_position(position: int) -> int:
    """Return where a position of the timeline is on the wire, as `SoundFrame.position`."""
    return position * WIRE_PER_SPEECH + DELAY_SAMPLES


class Player:
    """Pulls sound from the move stage at the clock's pace, and asks for the pictures beside it.

    Attributes:
        position: samples at 48 kHz given to the sink: the session's media time.
        motion: whether the sink is given poses.
        resting: nobody watches: no pictures and no poses are made.
        muted: silence is sent, whatever sounds.
    """

    def __init__(
        self,
        clock: Clock,
        move: MoveStage,
        draw: DrawStage | None,
        sink: SessionSink,
        played: Callable[[], None],
    ) -> None:
        self.position = 0
        self.motion = False
        self.resting = False
        self.muted = False
        self._clock = clock
        self._move = move
        self._draw = draw
        self._sink = sink
        self._played = played
        self._upsampler = Upsampler()
        self._gain = 1.0  # of the frame before
        self._frames = 0
        self._begins = 0  # position of the first sound that is sent
        self._asked = 0  # up to which position of the timeline pictures have been asked for
        self._due: deque[tuple[int, Callable[[], None]]] = deque()

    async def run(self) -> None:
        """Play until cancelled."""
        origin = self._clock.now()
        while True:
            await self._clock.sleep_until(origin + self._frames * FRAME_SECONDS)
            behind = self._clock.now() - origin - self._frames * FRAME_SECONDS
            if behind > STOOD_STILL:
                origin += behind
            self._step()

    def when_on_wire(self, call: Callable[[], None]) -> None:
        """Call once what the timeline has handed out until now is on the wire."""
        self._due.append((self.position + DELAY_SAMPLES, call))

    def cut(self) -> None:
        """Silence what is between the timeline and the wire, within 10 ms."""
        self._upsampler.cut()

    def _step(self) -> None:
        samples = self._faded(self._upsampler.push(self._move.frame()))
        seen = (self._draw is not None or self.motion) and not self.resting
        if seen and self._frames % FRAMES_PER_PICTURE == 0:
            self._ask()
        elif not seen and self._frames % FRAMES_PER_UNSEEN == 0:
            self._move.pose()  # who is not seen moves on, and forgets what was said
        # A receiver may take the first sound and the first picture to belong together, so the
        # silence before the first picture is not sent.
        if self.position >= self._begins:
            self._sink.sound(SoundFrame(samples, self.position))
        self.position += FRAME_SAMPLES
        self._frames += 1
        if self._draw is not None:
            self._draw.advance(self.position)
        while self._due and self._due[0][0] <= self.position:
            self._due.popleft()[1]()
        self._played()

    def _faded(self, samples: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return the frame as it is sent: muting takes one frame, so that it does not click."""
        before, self._gain = self._gain, 0.0 if self.muted else 1.0
        if before == self._gain == 1.0:
            return samples
        ramp = np.linspace(before, self._gain, len(samples), dtype=np.float32)
        return (samples * ramp).astype(np.int16)

    def _ask(self) -> None:
        timeline = self._move.timeline
        content = timeline.position + timeline.lead
        if content <= self._asked:
            return  # the lead has shrunk: this picture is under way already
        wire = wire_position(content)
        if self._draw is not None and not self._asked:
            self._begins = wire
        self._asked = content
        pose = self._move.pose()
        if self._draw is not None:
            self._draw.draw(pose, wire, content / SPEECH_RATE)
        if self.motion:
            self._sink.pose(PoseFrame(pose, wire))
