"""`AvatarSpec` and `SceneSpec`: who stands there, and where. First version, small on purpose."""

from dataclasses import dataclass
from typing import Final

from avatar.errors import AvatarValueError

AVATARS: Final = ("mia",)
FRAMINGS: Final = ("head", "half")


@dataclass(frozen=True, slots=True)
class AvatarSpec:
    """An identity: `name` is one of `AVATARS`."""

    name: str = "mia"

    def __post_init__(self) -> None:
        if self.name not in AVATARS:
            raise AvatarValueError(f"unknown avatar {self.name!r}; accepted: {', '.join(AVATARS)}")


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """A background (two sRGB colours of a vertical gradient, 0 to 255) and a framing."""

    top: tuple[int, int, int] = (222, 214, 210)
    bottom: tuple[int, int, int] = (196, 184, 180)
    framing: str = "half"

    def __post_init__(self) -> None:
        if self.framing not in FRAMINGS:
            raise AvatarValueError(
                f"unknown framing {self.framing!r}; accepted: {', '.join(FRAMINGS)}"
            )
        for name in ("top", "bottom"):
            colour: tuple[int, int, int] = getattr(self, name)
            if len(colour) != 3 or not all(0 <= value <= 255 for value in colour):
                raise AvatarValueError(
                    f"SceneSpec.{name} is {colour!r}; accepted: three integers 0 to 255"
                )
