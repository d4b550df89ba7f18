"""Fixtures: one paper doll for all tests, so that equal pictures are drawn once."""

import pytest

from tests.avatar.editing.doll import Doll


@pytest.fixture(scope="session")
def doll() -> Doll:
    """Return a studio that draws within milliseconds."""
    return Doll()
