"""How far ahead of its sound a picture is asked for: as little as the machine allows."""

from typing import Final

from pipeline.timeline import FRAME

SHORTEST: Final = FRAME  # 20 ms; the upsampler's 40 ms come on top
STEP: Final = 2 * FRAME  # one picture, so that pictures stay on their grid
LONGEST: Final = SHORTEST + 2 * STEP
WINDOW: Final = 50  # pictures: two seconds
LATE_SHARE: Final = 0.02
COMFORT: Final = 0.055  # seconds to spare that allow a shorter lead
PATIENCE: Final = 60  # windows: two minutes


class Lead:
    """Chooses the lead (samples at 24 kHz) from how much time drawn pictures had to spare.

    When of two seconds' pictures more than one comes after its sound, the lead grows by one
    picture, at most twice; speech then starts that much later. When for two minutes all but one in
    fifty had 55 ms to spare, it shrinks again.
    """

    def __init__(self) -> None:
        self.samples = SHORTEST
        self._spare: list[float] = []
        self._comfortable = 0

    def note(self, spare: float) -> bool:
        """Take the seconds a picture had to spare (below 0: late); return whether to change."""
        self._spare.append(spare)
        if len(self._spare) < WINDOW:
            return False
        spares, self._spare = sorted(self._spare), []
        worst = spares[round(LATE_SHARE * WINDOW)]
        self._comfortable = self._comfortable + 1 if worst > COMFORT else 0
        return self._move(worst)

    def _move(self, worst: float) -> bool:
        if worst < 0 and self.samples < LONGEST:
            self.samples += STEP
        elif self._comfortable >= PATIENCE and self.samples > SHORTEST:
            self.samples -= STEP
            self._comfortable = 0
        else:
            return False
        return True
