"""A call whose key allows no more of it: the client is told over the wire, then it ends."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.fakes.engine import FakeEngine
from tests.transport.access.doors import Door
from tests.transport.wire import connected
from transport.access.grant import Limits
from transport.calls import Calls
from transport.errors import CallFailedError


@pytest.mark.parametrize(
    ("cause", "code"), [("minutes", "minutes_limit"), ("revoked", "key_ended")]
)
async def test_the_client_is_told_and_the_place_is_free(
    tmp_path: Path, cause: str, code: str
) -> None:
    door = Door(tmp_path)
    _, key = door.file.create("shop", ["talk"], Limits(minutes_a_day=1))
    door.clock._now += 1.0
    calls = Calls(FakeEngine(limit=1))
    lease = door.access.admit(door.access.identify(key))
    async with connected(calls, video=False) as caller:
        (call_id,) = calls._serving._running
        lease.opened(call_id, partial(calls.dismiss, call_id))
        if cause == "revoked":
            door.file.revoke("shop")
        await door.clock.run(3.0 if cause == "revoked" else 61.0)
        error = (await caller.event("error", 5))["error"]
        assert (error["type"], error["code"]) == ("rate_limit_error", code)
        with pytest.raises(CallFailedError):
            await caller.event("never", 5)
        async with asyncio.timeout(5):
            await calls.empty()
    lease.close()
    await calls.close()
    await door.access.close()
