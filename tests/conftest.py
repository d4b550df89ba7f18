"""Fixtures shared by all tests: model files, recordings, cases."""

import os
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

from pipeline.folders import body_folder
from tests.made_recordings import make_recordings
from tests.recordings import Recording, load_recordings

# A continuous-integration run repeats what it did before; at a desk hypothesis looks further.
# Neither has a deadline: the first example may load a lexicon, and time is measured elsewhere.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what approves pictures; see `tests/avatar/test_golden.py`."""
    parser.addoption("--write-golden", action="store_true", help="approve how hosts look now")


@pytest.fixture
def approve(request: pytest.FixtureRequest) -> bool:
    """Return whether golden pictures are to be written instead of compared."""
    return bool(request.config.getoption("--write-golden"))


@pytest.fixture(scope="session")
def models() -> Path:
    """Return the folder the model registry unpacks into."""
    return _cache() / "models"


@pytest.fixture(scope="session")
def anny_cache() -> Path:
    """Return the folder that holds the prebuilt body."""
    return body_folder(_cache())


@pytest.fixture(scope="session")
def recordings(models: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recording]:
    """Return real recordings by file stem, or speech of our own voices where there are none."""
    if (SHARED / "audio" / "index.json").is_file():
        return load_recordings(SHARED / "audio")
    return make_recordings(models, tmp_path_factory.mktemp("recordings"))


def _cache() -> Path:
    return Path(os.environ.get("VIVANT_CACHE", platformdirs.user_cache_dir("vivant")))
