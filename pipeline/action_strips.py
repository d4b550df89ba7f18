"""Strips of pictures of actions: what a host's hands say, phase by phase."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from avatar.errors import AvatarError, AvatarValueError
from avatar.spec import AvatarSpec, SceneSpec
from motion.actions import ACTIONS, LEAD, Action, Phases
from motion.bodies import BASE, Body
from motion.errors import MotionValueError
from motion.pose import Pose
from motion.procedural import ProceduralMover
from motion.speech import SpokenAction, SpokenPassage
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.folders import avatar_folder, body_folder
from pipeline.library import avatars, scenes
from pipeline.picture_file import check_picture, write_picture
from pipeline.prepared import body_of
from pipeline.studio import patient_renderer

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE: Final = (216, 384)
"""Width and height of a picture, in pixels, when none is asked for."""

_WORD: Final = 3.0  # seconds into the passage at which the action's word is said
_LABEL: Final = 18  # pixels under each row


def moments(phases: Phases) -> Mapping[str, float]:
    """Return the times shown, by the phase they show: seconds from the action's word."""
    begins = -LEAD
    held = begins + phases.stroke + phases.hold
    return {
        "prepare": begins,
        "stroke": begins + 0.5 * phases.stroke,
        "apex": begins + phases.stroke,
        "hold": begins + phases.stroke + 0.6 * phases.hold,
        "retract": held + 0.45 * phases.retract,
    }


def poses_of(action: Action, given: Mapping[str, float | str], body: Body = BASE) -> Pose:
    """Return the poses of a speaking body at `moments` of an action, stacked."""
    spoken = SpokenAction(action.id, _WORD, tuple(given.items()))
    mover = ProceduralMover(1)
    mover.embody(body)
    mover.posture("speaking", 0.0)
    mover.passage(SpokenPassage(_WORD - 2.0, _WORD + 4.0, (), "en", actions=(spoken,)))
    taken = [mover.pose(_WORD + at) for at in moments(action.phases).values()]
    return Pose.stacked(taken)


def show_actions(
    configuration: Configuration,
    *,
    names: Sequence[str],
    output: Path,
    avatar: str = "mia",
    scene: str = "studio",
    size: tuple[int, int] = SIZE,
    given: Mapping[str, float | str] | None = None,
    columns: int = 1,
    progress: Callable[[str, float], None],
) -> dict[str, object]:
    """Draw actions (all when `names` is empty) as strips, one row each, `columns` side by side.

    `given`: parameters; those that an action has not are left out where several are drawn.

    Raises:
        ConfigurationError: no such action, avatar or scene, a parameter that the one action drawn
            does not take, or a file that cannot be written.
    """
    chosen = [_known(name) for name in names] or list(ACTIONS.values())
    given = given or {}
    if len(chosen) == 1:
        _check(chosen[0], given)
    who, place = avatars(configuration.cache).get(avatar), scenes(configuration.cache).get(scene)
    check_picture(output)
    try:
        strips = _drawn(
            configuration, who, place.changed(framing="half"), size, chosen, given, progress
        )
    except (AvatarError, AvatarValueError) as error:
        raise ConfigurationError(str(error)) from error
    sheet = _stacked(strips, columns)
    write_picture(sheet, output)
    drawn = {"avatar": avatar, "output": str(output), "size": f"{sheet.width}x{sheet.height}"}
    return drawn | {"actions": [action.id for action in chosen]}


def _drawn(
    configuration: Configuration,
    who: AvatarSpec,
    place: SceneSpec,
    size: tuple[int, int],
    actions: Sequence[Action],
    given: Mapping[str, float | str],
    progress: Callable[[str, float], None],
) -> list["Image"]:
    from PIL import Image

    from avatar.body.prepare import prepare
    from avatar.renderer.base import Size
    from avatar.renderer.planes import to_rgb

    strips = []
    folders = avatar_folder(configuration.cache), body_folder(configuration.cache)
    with patient_renderer(configuration) as renderer:
        asset = prepare(who, *folders, None)
        handle = renderer.open(who, place, Size(*size), asset=asset)
        body = body_of(who, configuration.cache)
        for number, action in enumerate(actions):
            progress(action.id, number / len(actions))
            poses = poses_of(action, given, body)
            rows = range(len(poses.rotations))
            # Planes are lent: the next picture is drawn into them.
            drawn = [
                renderer.draw([handle], _one(poses, row), 0.0)[0].planes.copy() for row in rows
            ]
            strips.append(_strip(action, [Image.fromarray(to_rgb(each)) for each in drawn]))
        renderer.close(handle)
    return strips


def _known(name: str) -> Action:
    if name not in ACTIONS:
        raise ConfigurationError(f"no action {name!r}; accepted: {', '.join(ACTIONS)}")
    return ACTIONS[name]


def _check(action: Action, given: Mapping[str, float | str]) -> None:
    try:
        action.check(given)
    except MotionValueError as error:
        raise ConfigurationError(str(error)) from error


def _one(poses: Pose, number: int) -> Pose:
    at = slice(number, number + 1)
    return Pose(poses.rotations[at], poses.translation[at], poses.face[at])


def _strip(action: Action, pictures: Sequence["Image"]) -> "Image":
    """Return one row: the pictures side by side, and under each what it shows."""
    from PIL import Image, ImageDraw

    width, height = pictures[0].size
    strip = Image.new("RGB", (width * len(pictures), height + _LABEL), "white")
    pen = ImageDraw.Draw(strip)
    for number, (phase, picture) in enumerate(zip(moments(action.phases), pictures, strict=True)):
        strip.paste(picture, (number * width, 0))
        text = f"{action.id}  {phase}" if number == 0 else phase
        pen.text((number * width + 4, height + 3), text, "black")
    return strip


def _stacked(strips: Sequence["Image"], columns: int) -> "Image":
    from PIL import Image

    width, height = strips[0].size
    rows = -(-len(strips) // columns)
    sheet = Image.new("RGB", (columns * width, rows * height), "white")
    for number, strip in enumerate(strips):
        sheet.paste(strip, (number % columns * width, number // columns * height))
    return sheet
