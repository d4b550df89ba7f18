"""Builds an avatar from its identity."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body import face_parts, head_skin, occlusion, skin, textures
from avatar.body.asset import AvatarAsset, Part
from avatar.body.ears import flatten_ears
from avatar.body.expressions import correct_expressions
from avatar.body.landmarks import Landmarks
from avatar.body.morphs import MorphTable
from avatar.body.photo_skin import load_face
from avatar.body.source import Body, load_body
from avatar.body.surface import Surface
from avatar.hair import covers_ears
from avatar.hair import styles as hair
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from avatar.wardrobe import outfit
from avatar.wardrobe.fabrics import fabric_textures
from avatar.wardrobe.ornaments import ornament_surfaces


def build(
    context: Any,
    who: AvatarSpec,
    anny_cache: Path,
    progress: Callable[[str, float], None] | None = None,
    faces: Path | None = None,
) -> AvatarAsset:
    """Build an avatar: the same identity always gives the same one.

    `faces`: folder of face pictures, for identities made from a photo.
    """
    tell = progress or (lambda _step, _share: None)
    tell("body", 0.0)
    body = load_body(who.body.phenotypes, dict(who.body.changes), dict(who.body.face), anny_cache)
    body = correct_expressions(flatten_ears(body) if covers_ears(who.hair.style) else body)
    marks = Landmarks.of(body)
    tell("clothes", 0.2)
    clothes, covered = outfit.dress(body, marks, who)
    tell("skin", 0.4)
    images = _textures(body, who)
    photo = load_face(faces, who.skin.texture) if faces and who.skin.texture else None
    images["head"] = head_skin.paint_head(context, body, marks, who, photo)
    tell("hair", 0.6)
    surfaces = [
        *skin.skin_surfaces(body, marks, covered),
        *face_parts.eyes(body),
        *face_parts.mouth(body),
        *clothes,
        *hair.hair_surfaces(body, marks, who, clothes),
        face_parts.lash_surface(body),
        *ornament_surfaces(body, marks, who, clothes),
    ]
    tell("light", 0.7)
    light = occlusion.bake_light(context, body, surfaces, who.seed)
    parts, morphs = _freeze(surfaces, light, body.shapes)
    values = {"eye": marks.eye.tolist(), "scale": [marks.scale]}
    tell("done", 1.0)
    return AvatarAsset(tuple(parts), images, body.joints, morphs, values)


def _freeze(
    surfaces: Sequence[Surface],
    light: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    shapes: NDArray[np.float32],
) -> tuple[list[Part], NDArray[np.float32]]:
    table = MorphTable(shapes)
    parts = []
    for surface, (ambient, key) in zip(surfaces, light, strict=True):
        rows = table.rows(surface)
        parts.append(surface.part(ambient, key, rows))
    return parts, table.packed()


def _textures(body: Body, who: AvatarSpec) -> dict[str, NDArray[np.uint8]]:
    """Paint every texture but the head's."""
    images = {
        "limbs": textures.body_skin(body.masks, who),
        "iris": textures.iris((linear(who.eyes.outer), linear(who.eyes.inner)), who.seed + 3),
        "lashes": textures.lashes(who.seed + 2),
        "teeth": textures.teeth(),
        "tongue": np.full((4, 4, 3), (165, 95, 92), np.uint8),
        **fabric_textures(who),
        "strands": textures.strands(who.seed + 32),
    }
    images["tips"] = textures.tips(images["strands"], who.seed + 33)
    return images
