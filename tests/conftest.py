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

# Where processes, browsers and sockets run against the clock of the wall: a machine that others use
# may take the processor away for seconds. A test that fails is tried once more, and pytest prints
# "rerun"; what fails twice has failed.
REAL_TIME = (
    "tests/e2e",
    "tests/transport/egress",
    "tests/web/bench",
    "tests/web/test_storm.py",
)

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what approves pictures; see `tests/avatar/test_golden.py`."""
    parser.addoption("--write-golden", action="store_true", help="approve how hosts look now")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of `REAL_TIME`."""
    places = tuple(config.rootpath / place for place in REAL_TIME)
    for item in items:
        if any(item.path == place or place in item.path.parents for place in places):
            item.add_marker(pytest.mark.flaky(reruns=1))


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
