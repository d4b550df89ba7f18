"""Files that ask for too much are given up, and the next one is read."""

import time
from collections.abc import Iterator

import pytest

from web.apart import Apart
from web.errors import RequestRefusedError


@pytest.fixture
def apart() -> Iterator[Apart]:
    apart = Apart()
    yield apart
    apart.close()


async def test_work_that_wants_too_much_memory_is_refused_and_the_next_is_done(
    apart: Apart,
) -> None:
    with pytest.raises(RequestRefusedError, match="too much memory") as refused:
        await apart.read(bytes, 3 * 1024**3)
    assert (refused.value.status_code, refused.value.param) == (400, "file")
    assert await apart.read(len, b"abc") == 3


async def test_work_that_computes_without_end_is_ended(apart: Apart) -> None:
    with pytest.raises(RequestRefusedError, match="its process ended"):
        await apart.read(compute, 1)


def compute(seconds: int) -> None:
    """Compute for ever, with a limit of `seconds` for the process."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    assert most == 30
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    while time.monotonic():
        pass
