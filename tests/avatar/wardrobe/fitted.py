"""Dressed bodies drawn without face or hair, so that they are ready in a second."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, save_asset
from avatar.body.prepare import asset_path
from avatar.body.skin import skin_surfaces
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fabrics import fabric_textures
from avatar.wardrobe.outfit import dress
from motion.pose import Pose
from tests.avatar.pictures import SMALL, batch
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of

LEGS = PieceSpec(garment="trousers", colour="#30343d", fabric="twill")
FEET = PieceSpec(garment="shoes", colour="#26211f", fabric="leather")


def wearing(*pieces: PieceSpec, name: str = "model") -> AvatarSpec:
    """Return an identity in these pieces, with trousers unless it wears a dress, and shoes."""
    legs = () if pieces[0].garment == "dress" else (LEGS,)
    return AvatarSpec(name=name, outfit=(*pieces, *legs, FEET))


def a_piece(garment: str, colour: str = "#884455") -> PieceSpec:
    """Return a plain piece by the garment's name."""
    return PieceSpec.model_validate({"garment": garment, "colour": colour})


def fitted(model: Model, who: AvatarSpec) -> AvatarAsset:
    """Return `model` dressed as `who` says, in full light."""
    clothes, covered = dress(model.body, model.marks, who)
    made = asset_of(model.body.joints, [*skin_surfaces(model.body, model.marks, covered), *clothes])
    blank = np.full((4, 4, 4), 128, np.uint8)
    textures = {"head": blank, "limbs": blank} | fabric_textures(who)
    values = {"eye": model.marks.eye.tolist(), "scale": [model.marks.scale]}
    return AvatarAsset(made.parts, textures, made.joints, made.morphs, values)


def drawn(
    renderer: OpenGLRenderer, cache: Path, who: AvatarSpec, asset: AvatarAsset, pose: Pose
) -> NDArray[np.uint8]:
    """Draw an asset that the renderer finds among its prepared avatars; return its planes."""
    save_asset(asset, asset_path(who, cache))
    handle = renderer.open(who, SceneSpec(), SMALL)
    planes = renderer.draw([handle], batch(pose), 0.0)[0].planes.copy()
    renderer.close(handle)
    return planes
