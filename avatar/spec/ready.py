"""The identities and scenes that come ready."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from avatar.errors import AvatarValueError
from avatar.spec.identity import AvatarSpec
from avatar.spec.scene import SceneSpec

HOSTS: Final = ("mia", "leo", "grace", "kofi", "lin", "rosa")
SCENES: Final = (
    "studio",
    "shop",
    "kitchen",
    "evening",
    "boutique",
    "spotlight",
    "plain_white",
    "green_screen",
)


@cache
def ready(name: str) -> AvatarSpec:
    """Return the ready identity `name`.

    Raises:
        AvatarValueError: there is none of that name.
    """
    return AvatarSpec.from_json(_text("avatar", name, HOSTS, "avatar.hosts"))


@cache
def ready_scene(name: str) -> SceneSpec:
    """Return the ready scene `name`.

    Raises:
        AvatarValueError: there is none of that name.
    """
    return SceneSpec.from_json(_text("scene", name, SCENES, "avatar.scenes"))


def _text(kind: str, name: str, names: Sequence[str], package: str) -> str:
    if name not in names:
        raise AvatarValueError(f"unknown {kind} {name!r}; accepted: {', '.join(names)}")
    return resources.files(package).joinpath(f"{name}.json").read_text("utf-8")
