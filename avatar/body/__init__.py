"""The body: identity, skin, hair and clothes, prepared once and cached as one file."""

from avatar.body.asset import AvatarAsset, Part
from avatar.body.prepare import asset_path, prepare

__all__ = ["AvatarAsset", "Part", "asset_path", "prepare"]
