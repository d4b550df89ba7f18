"""Fixtures: tiny pipelines written to folders once, as a hub would hand them out."""

from pathlib import Path

import pytest

from tests.avatar.neural import tiny


@pytest.fixture(scope="session")
def flux(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny `FluxKontextInpaintPipeline`."""
    return tiny.flux(tmp_path_factory.mktemp("flux"))


@pytest.fixture(scope="session")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny `QwenImageEditPlusPipeline`."""
    return tiny.qwen(tmp_path_factory.mktemp("qwen"))


@pytest.fixture(scope="session")
def wan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny `WanAnimatePipeline`."""
    return tiny.wan(tmp_path_factory.mktemp("wan"))
