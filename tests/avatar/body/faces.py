"""The bare heads of the ready hosts, for tests of faces: quick to build, never shown to anyone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avatar.body import face_parts, skin
from avatar.body.asset import AvatarAsset, save_asset
from avatar.body.expressions import correct_expressions
from avatar.body.landmarks import Landmarks
from avatar.body.morphs import MorphTable
from avatar.body.prepare import asset_path
from avatar.body.source import Body, load_body
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose
from tests.avatar.pictures import is_part

SIZE = Size(360, 640)


def head(who: AvatarSpec, anny_cache: Path) -> Body:
    """Return the body of `who` as avatars are built from it."""
    face = dict(who.body.face)
    body = load_body(who.body.phenotypes, dict(who.body.changes), face, anny_cache)
    return correct_expressions(body)


def store(who: AvatarSpec, body: Body, folder: Path) -> None:
    """Put the head of `body` where a renderer looks for the avatar `who`."""
    marks = Landmarks.of(body)
    below = body.vertices[:, 2] < marks.neck[2] - 0.1
    surfaces = [
        *skin.skin_surfaces(body, marks, below),
        *face_parts.eyes(body),
        *face_parts.mouth(body),
        face_parts.lash_surface(body),
    ]
    table, parts = MorphTable(body.shapes), []
    for surface in surfaces:
        full = np.ones(len(surface.positions), np.float32)
        parts.append(surface.part(full, full, table.rows(surface)))
    grey = np.full((4, 4, 4), 128, np.uint8)
    images = dict.fromkeys(("head", "limbs", "iris", "teeth", "tongue", "lashes"), grey)
    values = {"eye": marks.eye.tolist(), "scale": [marks.scale]}
    save_asset(
        AvatarAsset(tuple(parts), images, body.joints, table.packed(), values),
        asset_path(who, folder),
    )


class Portrait:
    """Counts the pixels that show a material on one face."""

    def __init__(self, renderer: OpenGLRenderer, who: AvatarSpec) -> None:
        self._renderer = renderer
        self.handle = renderer.open(who, SceneSpec(framing="head"), SIZE)

    def count(self, material: str, pose: Pose) -> int:
        """Return how many pixels show `material`."""
        return int(self.shown(material, pose).sum())

    def shown(self, material: str, pose: Pose) -> NDArray[np.bool_]:
        """Return which pixels [height, width] show `material`."""
        one = Pose(pose.rotations[None], pose.translation[None], pose.face[None])
        picture = self._renderer.draw([self.handle], one, 0.0)[0]
        return is_part(picture.planes, material)


@contextmanager
def portrait(renderer: OpenGLRenderer, who: AvatarSpec) -> Iterator[Portrait]:
    """Open a face for counting."""
    opened = Portrait(renderer, who)
    yield opened
    renderer.close(opened.handle)
