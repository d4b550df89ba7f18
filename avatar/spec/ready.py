"""The identities and scenes that come ready."""

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
    if name not in HOSTS:
        raise AvatarValueError(f"unknown avatar {name!r}; accepted: {', '.join(HOSTS)}")
    text = resources.files("avatar.hosts").joinpath(f"{name}.json").read_text("utf-8")
    return AvatarSpec.from_json(text)


@cache
def ready_scene(name: str) -> SceneSpec:
    """Return the ready scene `name`.

    Raises:
        AvatarValueError: there is none of that name.
    """
    if name not in SCENES:
        raise AvatarValueError(f"unknown scene {name!r}; accepted: {', '.join(SCENES)}")
    text = resources.files("avatar.scenes").joinpath(f"{name}.json").read_text("utf-8")
    return SceneSpec.from_json(text)
