"""Limits of keys: sessions at a time, minutes a day, requests a minute."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.clock import VirtualClock
from tests.transport.access.doors import Door
from transport.access.access import Access
from transport.access.errors import LimitReachedError
from transport.access.grant import LOCAL, Grant, Limits
from transport.access.leases import KEY_ENDED, MINUTES_USED, Lease
from transport.access.rates import Rates


class _Ending:
    """Ends what it was told to, and remembers why."""

    def __init__(self) -> None:
        self.reasons: list[tuple[str, str]] = []


def _open(access: Access, grant: Grant, name: str, ending: _Ending | None = None) -> Lease:
    lease = access.admit(grant)

    def end(code: str, message: str) -> None:
        if ending is not None:
            ending.reasons.append((code, message))
        lease.close()

    lease.opened(name, end)
    return lease


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def _key(door: Door, name: str = "shop", **limits: int) -> Grant:
    """Make a key and return what it grants."""
    _, key = door.file.create(name, ["talk"], Limits(**limits))
    door.clock._now += 1.0  # until the running server looks at the file
    return door.access.identify(key)


async def test_sessions_at_a_time(door: Door) -> None:
    grant = _key(door, sessions=2)
    first, _second = door.access.admit(grant), door.access.admit(grant)
    with pytest.raises(LimitReachedError, match="all 2 sessions") as caught:
        door.access.admit(grant)
    assert (caught.value.code, caught.value.retry_after_s) == ("sessions_limit", 5)
    first.close()
    first.close()
    door.access.admit(grant)
    with pytest.raises(LimitReachedError):
        door.access.admit(grant)


async def test_keys_do_not_share_their_limits(door: Door) -> None:
    one, two = _key(door, "one", sessions=1), _key(door, "two", sessions=1)
    door.access.admit(one)
    door.access.admit(two)
    for _ in range(50):
        door.access.admit(LOCAL)
    assert door.access.open == 52


async def test_a_session_ends_when_the_minutes_are_used_up(door: Door) -> None:
    grant, ending = _key(door, minutes_a_day=3), _Ending()
    _open(door.access, grant, "call_1", ending)
    await door.clock.run(178.0)
    assert not ending.reasons
    await door.clock.run(4.0)
    assert ending.reasons == [MINUTES_USED]
    assert door.access.open == 0
    with pytest.raises(LimitReachedError, match="minutes") as caught:
        door.access.admit(grant)
    assert caught.value.code == "minutes_limit"
    assert caught.value.retry_after_s == pytest.approx(86_400 - 183, abs=2)


async def test_sessions_at_once_share_the_minutes(door: Door) -> None:
    grant, ending = _key(door, minutes_a_day=4), _Ending()
    for name in ("a", "b"):
        _open(door.access, grant, name, ending)
    await door.clock.run(118.0)
    assert not ending.reasons
    await door.clock.run(4.0)
    assert ending.reasons == [MINUTES_USED, MINUTES_USED]


async def test_minutes_of_sessions_that_ended_count(door: Door) -> None:
    grant = _key(door, minutes_a_day=1)
    for _ in range(2):
        lease = _open(door.access, grant, "x")
        await door.clock.run(30.0)
        lease.close()
    with pytest.raises(LimitReachedError):
        door.access.admit(grant)


async def test_a_new_day_has_its_own_minutes(door: Door) -> None:
    await door.clock.run(86_400 - 31.0)
    grant, ending = _key(door, minutes_a_day=1), _Ending()
    _open(door.access, grant, "over_midnight", ending)
    await door.clock.run(80.0)  # 30 s before midnight, 50 s after
    assert not ending.reasons
    await door.clock.run(15.0)
    assert ending.reasons == [MINUTES_USED]


async def test_a_revoked_key_ends_what_runs(door: Door) -> None:
    grant, other = _key(door), _key(door, "other")
    ending, spared = _Ending(), _Ending()
    _open(door.access, grant, "a", ending)
    _open(door.access, other, "b", spared)
    await door.clock.run(5.0)
    door.file.revoke("shop")
    await door.clock.run(2.5)
    assert ending.reasons == [KEY_ENDED]
    assert not spared.reasons


async def test_an_end_that_takes_its_time_is_asked_for_once(door: Door) -> None:
    grant, reasons = _key(door, minutes_a_day=1), list[str]()
    lease = door.access.admit(grant)
    lease.opened("slow", lambda code, _: reasons.append(code))
    await door.clock.run(90.0)
    assert len(reasons) == 1
    lease.close()
    assert door.access.open == 0


async def test_nothing_is_looked_after_when_nothing_is_open(door: Door) -> None:
    lease = _open(door.access, _key(door), "a")
    await door.clock.run(3.0)
    lease.close()
    await door.clock.run(3.0)
    assert [task for task in asyncio.all_tasks() if task.get_name() == "leases"] == []
    _open(door.access, LOCAL, "b")
    await door.access.close()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "leases"] == []


async def test_starts_and_ends_are_told_without_content(tmp_path: Path) -> None:
    told: list[tuple[str, dict[str, object]]] = []
    door = Door(tmp_path, observer=lambda name, facts: told.append((name, facts)))
    grant = Grant("local", frozenset({"talk"}), token_id="t", person="p-1")
    lease = _open(door.access, grant, "call_1")
    viewer = door.access.admit(LOCAL, "view")
    viewer.opened("whep_1", lambda *_: None)
    refused = door.access.admit(LOCAL)
    await door.clock.run(12.0)
    for each in (lease, viewer, refused):
        each.close()
    assert told == [
        ("session.started", {"id": "call_1", "key": "local", "person": "p-1"}),
        ("session.ended", {"id": "call_1", "key": "local", "person": "p-1", "seconds": 12.0}),
    ]


async def test_a_session_that_goes_on_elsewhere_stays_one_lease(tmp_path: Path) -> None:
    told: list[str] = []
    door = Door(tmp_path, observer=lambda name, _: told.append(name))
    mine, other = _key(door), _key(door, "other")
    lease = _open(door.access, mine, "call_1")
    door.access.move("call_1", "call_2", lambda *_: None)
    door.access.move("nothing", "call_3", lambda *_: None)
    with pytest.raises(Exception, match="another key"):
        door.access.require_end(other, "call_2")
    door.access.require_end(other, "call_1")  # which is nobody's any more
    lease.close()
    assert told == ["session.started", "session.ended"]


async def test_what_ended_before_it_was_told_of_is_not_kept(door: Door) -> None:
    lease = door.access.admit(LOCAL)
    lease.close()
    lease.opened("late", lambda *_: None)
    assert door.access.open == 0
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "leases"]


async def test_requests_a_minute(door: Door) -> None:
    _, key = door.file.create("shop", ["talk"], Limits(requests_a_minute=6))
    door.clock._now += 1.0
    for _ in range(6):
        door.access.identify(key)
    with pytest.raises(LimitReachedError, match="6 requests") as caught:
        door.access.identify(key)
    assert (caught.value.code, caught.value.retry_after_s) == ("requests_limit", 10)
    door.clock._now += 10.0
    door.access.identify(key)
    with pytest.raises(LimitReachedError):
        door.access.identify(key)


@given(pauses=st.lists(st.floats(0.0, 40.0), min_size=1, max_size=120), a_minute=st.integers(1, 20))
def test_no_more_than_the_bucket_and_its_filling_passes(pauses: list[float], a_minute: int) -> None:
    clock = VirtualClock()
    rates, begin, passed = Rates(clock), clock.now(), 0
    for pause in pauses:
        clock._now += pause
        wait = rates.take("one", a_minute)
        assert 0.0 <= wait <= 60.0 / a_minute + 1e-9
        passed += wait == 0.0
    assert passed <= a_minute + (clock.now() - begin) * a_minute / 60.0 + 1e-6


def test_a_wait_is_long_enough() -> None:
    clock = VirtualClock()
    rates = Rates(clock)
    for _ in range(7):
        rates.take("one", 7)
    wait = rates.take("one", 7)
    assert wait > 0
    clock._now += wait + 1e-6
    assert rates.take("one", 7) == 0.0


def test_the_table_of_rates_does_not_grow() -> None:
    rates = Rates(VirtualClock(), most=10)
    for n in range(1000):
        rates.take(f"address {n}", 5)
    assert len(rates) == 10
