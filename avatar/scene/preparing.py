"""Getting a scene ready off the drawing path: pictures decoded, text drawn, rooms coloured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from avatar.renderer.base import Size
from avatar.renderer.light import room_tint
from avatar.scene.film import FilmLoop, FilmPainter, check_film
from avatar.scene.layout import Box, Slot, layout
from avatar.scene.painters import GradientPainter, Painter, StillPainter
from avatar.scene.panels import (
    Panel,
    caption_panel,
    card_panels,
    logo_panel,
    lower_third_panel,
    mark_panel,
)
from avatar.scene.pictures import check, covering
from avatar.scene.programs import ScenePrograms
from avatar.scene.rooms.stored import room
from avatar.scene.stage import StagePainter
from avatar.scene.text import legible
from avatar.scene.window import Window
from avatar.spec.colour import RGB
from avatar.spec.scene import AnyBackground, Film, Gradient, Plain, SceneSpec, Stage, Still

MakePainter = Callable[[ScenePrograms], Painter]
# What a panel was drawn from: equal means it need not be drawn again.
Origin = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A scene whose slow work is done.

    Attributes:
        scene: which one.
        painter: makes the background's painter, in the graphics context; None where the
            background is that of the scene before.
        origins: of every overlay that is shown, what it was drawn from.
        panels: those that were drawn anew, by name: the slots, and "price".
    """

    scene: SceneSpec
    painter: MakePainter | None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    panels: Mapping[str, Panel | None] = field(default_factory=dict)


def check_scene(scene: SceneSpec) -> None:
    """Look at what a scene names, quickly: files and characters.

    Raises:
        AvatarValueError: a file that is not there or of the wrong sort, or text that cannot be
            drawn.
    """
    for source in (scene.logo, None if scene.card is None else scene.card.picture):
        if source is not None:
            check(source)
    if isinstance(scene.background, Still):
        check(scene.background.source)
    if isinstance(scene.background, Film):
        check_film(scene.background.source)
    for part in (scene.card, scene.lower_third):
        for text in () if part is None else part.model_dump(exclude={"picture"}).values():
            legible(text)


def prepare_scene(
    scene: SceneSpec,
    size: Size,
    whole: Window,
    before: Prepared | None,
    *,
    patient: bool = False,
) -> Prepared:
    """Do the slow work of a scene; takes from milliseconds to tenths of a second.

    Args:
        scene: which one.
        size: of the picture.
        whole: the part of the backdrop that its camera will ever see.
        before: the scene that is shown, of which what is unchanged is not done again.
        patient: whether drawing waits for a film's pictures.

    Raises:
        AvatarValueError: as `check_scene`.
        AvatarError: a picture's data is broken.
    """
    painter = None
    if before is None or background_key(before.scene) != background_key(scene):
        painter = _painter(scene.background, size, whole, room_tint(scene.light), patient)
    origins = _origins(scene, size)
    known = {} if before is None else before.origins
    panels: dict[str, Panel | None] = {}
    for slot, origin in origins.items():
        if known.get(slot) != origin:
            panels |= _panels(slot, scene, origin)
    return Prepared(scene, painter, origins, panels)


def background_key(scene: SceneSpec) -> tuple[object, ...]:
    """Return what decides how a scene's background is made."""
    framed = isinstance(scene.background, Still | Film)
    light = scene.light if isinstance(scene.background, Stage) else None
    return (
        scene.background,
        scene.move if framed else None,
        scene.framing if framed else None,
        light,
    )


def _painter(
    background: AnyBackground, size: Size, whole: Window, tint: RGB, patient: bool
) -> MakePainter:
    if isinstance(background, Plain | Gradient):
        return lambda programs: GradientPainter(programs, background)
    wide = round(size.width * (whole[2] - whole[0]) / 2.0)
    tall = round(size.height * (whole[3] - whole[1]) / 2.0)
    if isinstance(background, Still):
        texels = covering(background.source, background.blur, (wide, tall))
        return lambda programs: StillPainter(programs, texels)
    if isinstance(background, Stage):
        kept = room(background.room)
        shades = kept.shades(background, tint)
        blur, desk = background.blur, background.desk
        return lambda programs: StagePainter(programs, kept, shades, blur=blur, desk=desk)
    film = FilmLoop(background.source, (wide, tall), patient=patient)
    film.picture(0.0, wait=True)
    return lambda programs: FilmPainter(programs, film)


def _origins(scene: SceneSpec, size: Size) -> dict[str, Origin]:
    parts: dict[Slot, object] = {
        "mark": scene.language if scene.mark else None,
        "logo": scene.logo,
        "card": scene.card,
        "lower_third": scene.lower_third,
        "caption": scene.caption or None,
    }
    shown = frozenset(slot for slot, part in parts.items() if part is not None)
    boxes = layout(size, scene.framing, shown, moving=scene.move != "still")
    return {slot: (parts[slot], boxes[slot]) for slot in boxes}


def _panels(slot: str, scene: SceneSpec, origin: Origin) -> dict[str, Panel | None]:
    box = origin[1]
    assert isinstance(box, Box)
    if slot == "mark":
        return {slot: mark_panel(scene.language, box)}
    if slot == "logo" and scene.logo is not None:
        return {slot: logo_panel(scene.logo, box)}
    if slot == "lower_third" and scene.lower_third is not None:
        return {slot: lower_third_panel(scene.lower_third, box)}
    if slot == "card" and scene.card is not None:
        card, price = card_panels(scene.card, box)
        return {"card": card, "price": price}
    return {slot: caption_panel(scene.caption, box)}
