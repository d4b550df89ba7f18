"""`Workshop`: builds avatars in stages, and makes a stage again only when what it needs changed."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from avatar.body import face_parts, head_skin, occlusion, skin, textures
from avatar.body.asset import AvatarAsset, Part
from avatar.body.ears import flatten_ears
from avatar.body.expressions import correct_expressions
from avatar.body.hands import shaped_hands
from avatar.body.iris import eyeball_picture
from avatar.body.landmarks import Landmarks
from avatar.body.limb_skin import limb_skin
from avatar.body.morphs import MorphTable
from avatar.body.photo_skin import load_face
from avatar.body.source import Body, load_body
from avatar.body.surface import Surface
from avatar.body.teeth import teeth_picture, tongue_picture
from avatar.hair import covers_ears
from avatar.hair import styles as hair
from avatar.hair.pictures import pictures
from avatar.spec import AvatarSpec
from avatar.wardrobe import outfit
from avatar.wardrobe.fabrics import fabric_textures
from avatar.wardrobe.ornaments import ornament_surfaces

T = TypeVar("T")
Bytes = NDArray[np.uint8]
Light = list[tuple[NDArray[np.float32], NDArray[np.float32]]]
Progress = Callable[[str, float], None]

# Directions that ambient light is gathered from: for an avatar that is kept, and for a draft that
# is looked at once, small.
FULL: Final = 64
DRAFT: Final = 12

# Results kept of each stage. A textured head is 8 MB, a body 30 MB.
_KEPT: Final = 3


class Workshop:
    """Builds avatars. The same specification always gives the same avatar.

    All calls come from the thread of `context`, which is current while it builds.

    Args:
        context: where textures are painted and light is baked.
        anny_cache: folder of the body package's prebuilt tensors.
        faces: folder of face pictures, for identities made from a photo; None for no such folder.
        directions: `FULL`, or `DRAFT` for avatars that are thrown away.
    """

    def __init__(
        self,
        context: Any,
        anny_cache: Path,
        faces: Path | None = None,
        *,
        directions: int = FULL,
    ) -> None:
        self._context = context
        self._anny_cache = anny_cache
        self._faces = faces
        self._directions = directions
        self._stages: dict[str, OrderedDict[Hashable, object]] = {}

    def build(self, who: AvatarSpec, progress: Progress | None = None) -> AvatarAsset:
        """Build `who`; `progress` is called with what is being done and the share done, 0 to 1.

        Raises:
            AvatarError: when the body package cannot be used.
        """
        tell = progress or (lambda _step, _share: None)
        tell("body", 0.0)
        covered_ears = covers_ears(who.hair.style)
        body = self._stage("body", (who.body, covered_ears), lambda: self._body(who, covered_ears))
        marks = Landmarks.of(body)
        tell("clothes", 0.2)
        shape = who.body, covered_ears, who.outfit, who.seed
        clothes, covered = self._stage("clothes", shape, lambda: outfit.dress(body, marks, who))
        tell("skin", 0.4)
        images = self._textures(body, marks, who)
        tell("hair", 0.6)
        grown = self._stage(
            "hair", (shape, who.hair), lambda: hair.hair_surfaces(body, marks, who, clothes)
        )
        surfaces = [
            *skin.skin_surfaces(body, marks, covered),
            *face_parts.eyes(body),
            *face_parts.mouth(body),
            *clothes,
            *grown,
            face_parts.lash_surface(body),
            *ornament_surfaces(body, marks, who, clothes),
        ]
        tell("light", 0.7)
        parts, morphs = self._lit(body, surfaces, who)
        values = {"eye": marks.eye.tolist(), "scale": [marks.scale]}
        tell("done", 1.0)
        return AvatarAsset(tuple(parts), images, body.joints, morphs, values)

    def _body(self, who: AvatarSpec, covered_ears: bool) -> Body:
        face = dict(who.body.face)
        body = load_body(who.body.phenotypes, dict(who.body.changes), face, self._anny_cache)
        body = shaped_hands(flatten_ears(body) if covered_ears else body)
        return correct_expressions(body)

    def _textures(self, body: Body, marks: Landmarks, who: AvatarSpec) -> dict[str, Bytes]:
        """Paint every texture that shows."""
        seed = who.seed
        painted = who.body, who.skin, who.lips, who.brows, who.hair, seed
        images = dict(self._stage("common", seed, lambda: _common(seed)))
        style, grey = who.hair.style, who.hair.grey
        images |= self._stage(
            "strands", (style, seed, grey), lambda: pictures(style, seed + 32, grey)
        )
        images |= self._stage("fabrics", (who.outfit, seed), lambda: fabric_textures(who))
        images["limbs"] = self._stage(
            "limbs", (who.body, who.skin, seed), lambda: limb_skin(self._context, body, who)
        )
        images["iris"] = self._stage(
            "iris", (who.eyes, seed), lambda: eyeball_picture(who.eyes, seed + 3)
        )
        images["lashes"] = self._stage(
            "lashes", (who.skin, seed), lambda: textures.lashes(seed + 2, who.skin.makeup)
        )
        images["head"] = self._stage("head", painted, lambda: self._head(body, marks, who))
        return images

    def _head(self, body: Body, marks: Landmarks, who: AvatarSpec) -> Bytes:
        texture = who.skin.texture
        photo = load_face(self._faces, texture) if self._faces and texture else None
        key = who.body, covers_ears(who.hair.style), who.skin, who.seed
        bare = self._stage(
            "bare head", key, lambda: head_skin.bare_head(self._context, body, marks, who)
        )
        return head_skin.paint_head(bare, body, who, photo)

    def _lit(
        self, body: Body, surfaces: Sequence[Surface], who: AvatarSpec
    ) -> tuple[list[Part], NDArray[np.float32]]:
        shape = _shape(surfaces, who.seed)
        light = self._stage("light", shape, lambda: self._bake(body, surfaces, who.seed))
        rows, morphs = self._stage("morphs", shape, lambda: _morphs(body, surfaces))
        parts = [
            surface.part(ambient, key, own)
            for surface, (ambient, key), own in zip(surfaces, light, rows, strict=True)
        ]
        return parts, morphs

    def _bake(self, body: Body, surfaces: Sequence[Surface], seed: int) -> Light:
        return occlusion.bake_light(self._context, body, surfaces, seed, self._directions)

    def _stage(self, name: str, key: Hashable, make: Callable[[], T]) -> T:
        kept = self._stages.setdefault(name, OrderedDict())
        if key not in kept:
            kept[key] = make()
            if len(kept) > _KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return cast(T, kept[key])


def _common(seed: int) -> dict[str, Bytes]:
    """Paint what depends on nothing but chance."""
    return {"teeth": teeth_picture(seed + 50), "tongue": tongue_picture(seed + 51)}


def _shape(surfaces: Sequence[Surface], seed: int) -> bytes:
    """Return a digest of all that light and the morph table depend on."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=16)
    for surface in surfaces:
        digest.update(
            f"{surface.name} {surface.material} {surface.occludes} {surface.floor}".encode()
        )
        for array in (surface.positions, surface.normals, surface.triangles, surface.source):
            if array is not None:
                digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


def _morphs(
    body: Body, surfaces: Sequence[Surface]
) -> tuple[list[NDArray[np.int32]], NDArray[np.float32]]:
    table = MorphTable(body.shapes)
    rows = [table.rows(surface) for surface in surfaces]
    return rows, table.packed()
