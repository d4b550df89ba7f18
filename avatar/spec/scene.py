"""`SceneSpec`: where it stands. Nothing about who stands there or how it moves."""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from avatar.spec.base import Colour, Document

FRAMINGS: Final = ("head", "half", "full")
Framing = Literal["head", "half", "full"]


class SceneSpec(Document):
    """A background (a vertical gradient from `top` to `bottom`) and a framing."""

    KIND: ClassVar[str] = "scene"
    VERSION: ClassVar[int] = 2

    name: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,39}$")] = "studio"
    top: Colour = "#ded6d2"
    bottom: Colour = "#c4b8b4"
    framing: Framing = "half"
