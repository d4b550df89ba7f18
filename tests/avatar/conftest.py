"""Fixtures: one avatar prepared per test session, and renderers that draw it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from avatar.body.asset import AvatarAsset
from avatar.body.prepare import prepare
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import ready

Steps = list[tuple[str, float]]


@pytest.fixture(scope="session")
def building(tmp_path_factory: pytest.TempPathFactory, anny_cache: Path) -> tuple[Path, Steps]:
    """Prepare the avatar "mia"; return the folder it lies in and the progress that was told."""
    folder, steps = tmp_path_factory.mktemp("avatars"), Steps()
    prepare(ready("mia"), folder, anny_cache, lambda step, share: steps.append((step, share)))
    return folder, steps


@pytest.fixture(scope="session")
def avatars(building: tuple[Path, Steps]) -> Path:
    """Return a folder that holds the prepared avatar "mia"."""
    return building[0]


@pytest.fixture(scope="session")
def mia(avatars: Path, anny_cache: Path) -> AvatarAsset:
    """Return the prepared avatar."""
    return prepare(ready("mia"), avatars, anny_cache)


@pytest.fixture(scope="session")
def renderer(avatars: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    """Return a renderer with light."""
    made = OpenGLRenderer(avatars, anny_cache)
    yield made
    made.release()


@pytest.fixture(scope="session")
def patient(avatars: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    """Return a renderer whose pictures wait for their scene."""
    made = OpenGLRenderer(avatars, anny_cache, patient=True)
    yield made
    made.release()


@pytest.fixture(scope="session")
def flat(avatars: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    """Return a renderer that draws every material in its own flat colour."""
    made = OpenGLRenderer(avatars, anny_cache, shading="parts")
    yield made
    made.release()
