"""The lookbook of an identity: every hair style and every garment on the same body, looked over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from PIL import Image, ImageDraw

from avatar.body.workshop import Workshop
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.scene.text import font
from avatar.sheet import VIEWS, contact_sheet
from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.identity import HairStyle, PieceSpec
from avatar.wardrobe import poke

# What a garment is worn with, where an outfit needs more than itself.
_WITH: Final = {
    "upper": PieceSpec(garment="t_shirt", colour="#e3ddd3"),
    "lower": PieceSpec(garment="trousers", colour="#39404f", fabric="twill"),
    "feet": PieceSpec(garment="shoes", colour="#2b2320", fabric="leather"),
}
_PIECES: Final = (
    PieceSpec(garment="top", colour="#2f5d50"),
    PieceSpec(garment="t_shirt", colour="#e8e4dc", second="#3f4f8c", pattern="stripes"),
    PieceSpec(garment="shirt", colour="#c7d5e3", pattern="pinstripes", fabric="linen"),
    PieceSpec(garment="blouse", colour="#7b4b7e", pattern="dots", fabric="silk"),
    PieceSpec(garment="sweater", colour="#c58a2d", fabric="knit"),
    PieceSpec(garment="hoodie", colour="#5d7f86"),
    PieceSpec(garment="qipao_top", colour="#234a6b", pattern="floral", fabric="silk"),
    PieceSpec(garment="dress", colour="#9c3d3d", pattern="floral", fabric="linen"),
    PieceSpec(garment="blazer", colour="#6b5a4a", pattern="herringbone", fabric="twill"),
    PieceSpec(garment="apron", colour="#2a7f9e", fabric="denim"),
    PieceSpec(garment="trousers", colour="#34486b", fabric="denim"),
    PieceSpec(garment="skirt", colour="#84704f", pattern="checks", fabric="twill"),
    PieceSpec(garment="shoes", colour="#5a2f25", fabric="leather"),
    PieceSpec(garment="sneakers", colour="#e9e9e6"),
)
_LABEL: Final = 26  # pixels of height


@dataclass(frozen=True, slots=True)
class Look:
    """One row of the lookbook: what is tried, who wears it, and what the check found.

    Attributes:
        title: such as "hair bob" or "qipao_top, floral, silk".
        spec: the identity that wears it.
        report: skin, cloth and hair on the wrong side of cloth, over all trial poses.
    """

    title: str
    spec: AvatarSpec
    report: poke.Report


def looks(who: AvatarSpec) -> Mapping[str, AvatarSpec]:
    """Return `who` with each hair style, then in each garment; every pattern and fabric occurs."""
    out = {f"hair {style}": _haired(who, style) for style in get_args(HairStyle)}
    for piece in _PIECES:
        out[f"{piece.garment}, {piece.pattern}, {piece.fabric}"] = _dressed(who, piece)
    return out


def lookbook(
    renderer: OpenGLRenderer,
    workshop: Workshop,
    tried: Mapping[str, AvatarSpec],
    scene: SceneSpec,
    size: Size,
    progress: Callable[[str, float], None],
) -> tuple[Image.Image, list[Look]]:
    """Draw looks, a row of `sheet.VIEWS` each, and check each in all trial poses.

    Args:
        renderer: what draws.
        workshop: what builds, in the renderer's context.
        tried: what is worn, by title, such as `looks` returns.
        scene: where.
        size: of one picture.
        progress: is called with what is being tried and the share done, 0 to 1.

    Raises:
        AvatarError, AvatarValueError: as `Workshop.build` and `Renderer.open`.
    """
    rows, found = list[Image.Image](), list[Look]()
    for number, (title, spec) in enumerate(tried.items()):
        progress(title, number / len(tried))
        with renderer.context:
            asset = workshop.build(spec)
        row = contact_sheet(renderer, spec, asset, scene, size, columns=len(VIEWS))
        found.append(Look(title, spec, poke.check(asset)))
        rows.append(_labelled(row, title))
    progress("lookbook", 1.0)
    sheet = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)))
    top = 0
    for row in rows:
        sheet.paste(row, (0, top))
        top += row.height
    return sheet, found


def _haired(who: AvatarSpec, style: str) -> AvatarSpec:
    return who.changed(hair=who.hair.changed(style=style))


def _dressed(who: AvatarSpec, piece: PieceSpec) -> AvatarSpec:
    needed = ("feet",) if piece.garment == "dress" else ("upper", "lower", "feet")
    rest = (_WITH[name] for name in needed if name != piece.place)
    return who.changed(outfit=(piece, *rest))


def _labelled(row: Image.Image, title: str) -> Image.Image:
    out = Image.new("RGB", (row.width, row.height + _LABEL), "#202124")
    out.paste(row, (0, _LABEL))
    ImageDraw.Draw(out).text((8, 2), title, fill="#f1f1f1", font=font("Regular", 18))
    return out
