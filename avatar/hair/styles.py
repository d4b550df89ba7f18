"""The hair styles by name."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from avatar.body.landmarks import Landmarks
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.hair.curly import curls
from avatar.hair.falling import bob, long, waves
from avatar.hair.gathered import bun, ponytail
from avatar.hair.parts import Wearer
from avatar.hair.short import crop, pixie, side_part
from avatar.spec import AvatarSpec

STYLES: Final[Mapping[str, Callable[[Wearer], list[Surface]]]] = MappingProxyType(
    {
        maker.__name__: maker
        for maker in (long, waves, bob, ponytail, bun, pixie, side_part, curls, crop)
    }
)


def hair_surfaces(
    body: Body, marks: Landmarks, who: AvatarSpec, clothes: Sequence[Surface]
) -> list[Surface]:
    """Build the hair of `who`: "hair" (closed), "tips" (its frayed ends) and "locks" (loose).

    The same `who` gives the same hair. `clothes`: what long hair lies on, beside the body.
    """
    return STYLES[who.hair.style](Wearer.of(body, marks, who, clothes))
