"""Identity and scene as data: versioned, checked, small JSON."""

from avatar.spec.identity import AvatarSpec, OrnamentSpec, PieceSpec
from avatar.spec.ready import HOSTS, SCENES, ready, ready_scene
from avatar.spec.scene import FRAMINGS, SceneSpec

__all__ = [
    "FRAMINGS",
    "HOSTS",
    "SCENES",
    "AvatarSpec",
    "OrnamentSpec",
    "PieceSpec",
    "SceneSpec",
    "ready",
    "ready_scene",
]
