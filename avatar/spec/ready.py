"""The identities and scenes that come ready."""

from functools import cache
from importlib import resources
from typing import Final

from avatar.errors import AvatarValueError
from avatar.spec.identity import AvatarSpec

HOSTS: Final = ("mia",)


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
