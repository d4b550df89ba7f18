"""The contract of whatever moves the body: scheduled speech in, one pose per media time out."""

from typing import Protocol

from motion.bodies import Body
from motion.pose import Pose
from motion.speech import Posture, SpokenPassage
from motion.style import StyleSpec


class Mover(Protocol):
    """Moves one body. All times are seconds on the session's media clock.

    The caller asks for poses at non-decreasing times, 1/25 s apart; the mover keeps no clock of
    its own. Nothing here blocks.
    """

    @property
    def hears(self) -> bool:
        """Whether passages should come with their sound."""

    def passage(self, passage: SpokenPassage) -> None:
        """Add scheduled speech. It may start in the future, and never before the last pose."""

    def posture(self, posture: Posture, at: float) -> None:
        """Ease into a posture from `at` on."""

    def restyle(self, style: StyleSpec) -> None:
        """Move in another manner from the next pose on, without a jump."""

    def embody(self, body: Body) -> None:
        """Make the actions of speech that comes from now on with the arms of `body`."""

    def cut(self, at: float) -> None:
        """Forget all speech after `at`: the mouth closes and the body eases to listening within
        0.3 s, without a jump.
        """

    def pose(self, at: float) -> Pose:
        """Return the pose at `at` (no leading axes)."""
