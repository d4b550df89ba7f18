"""`SceneSpec`: where it stands, and what is shown over the picture. Nothing about who or how."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field, model_serializer

from avatar.spec.base import Colour, Document, Name, Spec

FRAMINGS: Final = ("head", "half", "full")
Framing = Literal["head", "half", "full"]
MOVES: Final = ("still", "push_in", "pull_out", "drift", "orbit")
Move = Literal["still", "push_in", "pull_out", "drift", "orbit"]
ROOMS: Final = ("shop", "kitchen", "lounge")
Room = Literal["shop", "kitchen", "lounge"]
LIGHTS: Final = ("neutral", "warm", "cool", "dramatic")
LightName = Literal["neutral", "warm", "cool", "dramatic"]
LONGEST_CAPTION: Final = 400


def _printable(text: str) -> str:
    if any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in text):
        raise ValueError("accepted: text without control characters")
    return text


def _source(text: str) -> str:
    if not text.strip() or "\0" in text:
        raise ValueError('accepted: the path of a file, or "asset:" and the name of a stored one')
    return text


Text = Annotated[str, AfterValidator(_printable)]
# A file's path, or "asset:NAME" for a picture that comes with the program.
Source = Annotated[str, Field(max_length=1024), AfterValidator(_source)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Background(Spec):
    """What is behind the figure; `type` says which sort in JSON."""

    type: str

    @model_serializer(mode="wrap")
    def _with_type(self, values: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        # Left-out defaults must not leave out which sort it is.
        return {"type": self.type} | values(self)


class Plain(Background):
    """One colour."""

    type: Literal["colour"] = "colour"
    colour: Colour = "#ffffff"


class Gradient(Background):
    """From `top` to `bottom`; `glow` is a pool of light behind the head, `discs` lights out of
    focus.
    """

    type: Literal["gradient"] = "gradient"
    top: Colour = "#ded6d2"
    bottom: Colour = "#c4b8b4"
    glow: Share = 0.5
    discs: bool = True


class Still(Background):
    """A picture (JPEG, PNG or WebP) that covers the frame; `blur` 1 is far out of focus."""

    type: Literal["picture"] = "picture"
    source: Source
    blur: Share = 0.0


class Film(Background):
    """A video that covers the frame and starts again when it ends."""

    type: Literal["video"] = "video"
    source: Source


class Stage(Background):
    """A modelled room. None leaves the room's own colour; `blur` is how far it is out of focus."""

    type: Literal["stage"] = "stage"
    room: Room = "shop"
    wall: Colour | None = None
    accent: Colour | None = None
    desk: bool = True
    blur: Share = 0.35


AnyBackground = Annotated[
    Plain | Gradient | Still | Film | Stage,
    Field(discriminator="type"),
]


class Light(Spec):
    """The lamps on the figure. `warmth` -1 is bluish, 1 like a bulb."""

    preset: LightName = "neutral"
    intensity: Annotated[float, Field(ge=0.5, le=1.5)] = 1.0
    warmth: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0


class ProductCard(Spec):
    """What is on offer, as text that is shown as it is given."""

    name: Annotated[Text, Field(min_length=1, max_length=80)]
    price: Annotated[Text, Field(min_length=1, max_length=16)]
    strike: Annotated[Text, Field(max_length=16)] = ""
    currency: Annotated[Text, Field(max_length=4)] = ""
    badge: Annotated[Text, Field(max_length=12)] = ""
    picture: Source | None = None


class LowerThird(Spec):
    """Who speaks."""

    name: Annotated[Text, Field(min_length=1, max_length=40)]
    title: Annotated[Text, Field(max_length=60)] = ""


class SceneSpec(Document):
    """A background, light, a camera, and what is shown over the picture.

    `mark` shows that the picture is generated, in `language`; it stays unless it is switched off
    here. `caption` is the line being said: its last two lines are shown.
    """

    KIND: ClassVar[str] = "scene"
    VERSION: ClassVar[int] = 3

    name: Name = "studio"
    background: AnyBackground = Gradient()
    light: Light = Light()
    framing: Framing = "half"
    move: Move = "still"
    pace: Annotated[float, Field(ge=0.25, le=4.0)] = 1.0
    language: Literal["en", "zh"] = "en"
    mark: bool = True
    logo: Source | None = None
    card: ProductCard | None = None
    lower_third: LowerThird | None = None
    caption: Annotated[Text, Field(max_length=LONGEST_CAPTION)] = ""

    @classmethod
    def migrated(cls, content: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Versions 1 and 2 had a gradient only, its two colours beside the framing."""
        if version > 2:
            return content
        colours = {name: content[name] for name in ("top", "bottom") if name in content}
        rest = {name: value for name, value in content.items() if name not in colours}
        return rest | ({"background": {"type": "gradient"} | colours} if colours else {})
