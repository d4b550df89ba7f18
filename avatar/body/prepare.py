"""Builds an avatar once and keeps it as a file, so that opening it needs neither torch nor anny."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body import textures
from avatar.body.asset import AvatarAsset, Part, load_asset, save_asset
from avatar.body.identity import IDENTITIES, Identity
from avatar.body.surface import Surface
from avatar.renderer.context import create_context
from avatar.spec import AvatarSpec

# Raise it whenever the code of avatar/body changes what it builds.
VERSION: Final = 1

Progress = Callable[[str, float], None]


def asset_path(spec: AvatarSpec, cache: Path) -> Path:
    """Return where the prepared avatar of `spec` is kept under `cache`."""
    return cache / f"{spec.name}-{VERSION}.safetensors"


def prepare(
    spec: AvatarSpec, cache: Path, anny_cache: Path, progress: Progress | None = None
) -> AvatarAsset:
    """Return the prepared avatar of `spec`, building it first where `cache` lacks it.

    Args:
        spec: who.
        cache: folder of prepared avatars; made when missing.
        anny_cache: folder of the body package's prebuilt tensors; needed only to build.
        progress: called with what is being done and the share done, 0 to 1.

    Raises:
        AvatarError: when the file is broken or the body package cannot be used.
    """
    path = asset_path(spec, cache)
    if path.exists():
        return load_asset(path)
    context = create_context()
    try:
        asset = build(context, IDENTITIES[spec.name], anny_cache, progress)
    finally:
        context.release()
    save_asset(asset, path)
    return asset


def build(
    context: Any, who: Identity, anny_cache: Path, progress: Progress | None = None
) -> AvatarAsset:
    """Build an avatar: the same identity always gives the same one."""
    from avatar.body import face_parts, hair, head_skin, occlusion, outfit, skin
    from avatar.body.ears import flatten_ears
    from avatar.body.expressions import correct_expressions
    from avatar.body.landmarks import Landmarks
    from avatar.body.source import load_body

    tell = progress or (lambda _step, _share: None)
    tell("body", 0.0)
    body = load_body(who.phenotypes, who.local_changes, who.resting_face, anny_cache)
    body = correct_expressions(flatten_ears(body))
    marks = Landmarks.of(body)
    tell("clothes", 0.2)
    clothes, covered = outfit.dress(body, marks, who)
    tell("skin", 0.4)
    images = {
        "head": head_skin.paint_head(context, body, marks, who),
        "limbs": textures.body_skin(body.masks, who),
        "iris": textures.iris(who.iris, who.seed + 3),
        "lashes": textures.lashes(who.seed + 2),
        "teeth": textures.teeth(),
        "tongue": np.full((4, 4, 3), (165, 95, 92), np.uint8),
        "twill": textures.weave("twill", who.seed + 30),
        "plain": textures.weave("plain", who.seed + 31),
        "strands": textures.strands(who.seed + 32),
    }
    images["tips"] = textures.tips(images["strands"], who.seed + 33)
    tell("hair", 0.6)
    surfaces = [
        *skin.skin_surfaces(body, marks, covered),
        *face_parts.eyes(body),
        *face_parts.mouth(body),
        *clothes,
        *hair.hair_surfaces(body, marks, who, clothes),
        face_parts.lash_surface(body),
    ]
    tell("light", 0.7)
    light = occlusion.bake_light(context, body, surfaces, who.seed)
    parts, morphs = _freeze(surfaces, light, body.shapes)
    values = {
        "eye": marks.eye.tolist(),
        "axis": [marks.axis],
        "top": [marks.top],
        "hip": [float(marks.hip[2])],
        "scale": [marks.scale],
    }
    tell("done", 1.0)
    return AvatarAsset(tuple(parts), images, body.joints, morphs, values)


def _freeze(
    surfaces: Sequence[Surface],
    light: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    shapes: NDArray[np.float32],
) -> tuple[list[Part], NDArray[np.float32]]:
    from avatar.body.morphs import MorphTable

    table = MorphTable(shapes)
    parts = []
    for surface, (ambient, key) in zip(surfaces, light, strict=True):
        rows = table.rows(surface)
        parts.append(surface.part(ambient, key, rows))
    return parts, table.packed()
