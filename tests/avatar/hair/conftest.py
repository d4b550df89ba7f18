"""Fixtures: every style on a woman's and on a man's body."""

from pathlib import Path

import pytest

from avatar.body.source import Body, load_body
from avatar.hair.styles import STYLES
from avatar.spec import ready
from tests.avatar.hair.worn import Worn, identity, wear


@pytest.fixture(scope="session")
def bodies(anny_cache: Path) -> dict[str, Body]:
    """Return a woman's and a man's body."""
    spec = ready("mia").body
    man = spec.model_copy(update={"gender": 0.0, "muscle": 0.6, "weight": 0.45})
    return {
        name: load_body(who.phenotypes, dict(who.changes), dict(who.face), anny_cache)
        for name, who in (("woman", spec), ("man", man))
    }


@pytest.fixture(scope="session")
def worn(bodies: dict[str, Body]) -> dict[tuple[str, str], Worn]:
    """Return hair by (style, body)."""
    return {
        (style, name): wear(body, identity(style))
        for style in STYLES
        for name, body in bodies.items()
    }
