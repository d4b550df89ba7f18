"""Fixtures: one avatar prepared per test session, and renderers that draw it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from avatar.body.asset import AvatarAsset
from avatar.body.prepare import prepare
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import AvatarSpec


@pytest.fixture(scope="session")
def avatars(tmp_path_factory: pytest.TempPathFactory, anny_cache: Path) -> Path:
    """Return a folder that holds the prepared avatar "mia"."""
    folder = tmp_path_factory.mktemp("avatars")
    prepare(AvatarSpec("mia"), folder, anny_cache)
    return folder


@pytest.fixture(scope="session")
def mia(avatars: Path, anny_cache: Path) -> AvatarAsset:
    """Return the prepared avatar."""
    return prepare(AvatarSpec("mia"), avatars, anny_cache)


@pytest.fixture(scope="session")
def renderer(avatars: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    """Return a renderer with light."""
    made = OpenGLRenderer(avatars, anny_cache)
    yield made
    made.release()


@pytest.fixture(scope="session")
def flat(avatars: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    """Return a renderer that draws every material in its own flat colour."""
    made = OpenGLRenderer(avatars, anny_cache, shading="parts")
    yield made
    made.release()
