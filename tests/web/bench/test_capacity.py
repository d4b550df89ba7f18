"""What `vivant bench capacity` measures, at a server without models."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine
from tests.transport.wire import write_recording
from transport.errors import CallFailedError
from transport.nat import DIRECT
from web.bench import capacity
from web.bench.capacity import (
    DEFAULT,
    LEVELS,
    Refusals,
    Step,
    _refuse,
    _rise,
    _summary,
)
from web.bench.machine import Shares
from web.bench.questions import Question
from web.bench.viewers import watch_more
from web.streams import open_broadcasting

SHARES = Shares(0.1, 1.2, 0.0)
SIZE = (128, 224)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine(limit=2)


@pytest.fixture
def url(engine: FakeEngine) -> Iterator[str]:
    with serving(engine, streams=open_broadcasting(engine, DIRECT)) as url:
        yield url


@pytest.fixture
def asked(tmp_path: Path) -> list[Question]:
    path = write_recording(tmp_path / "hum.wav", 0.1, 0.4, 0.6)
    return [Question(path, "en", "hum", 0.5, real=False)]


def step(sessions: int, **figures: float) -> Step:
    values = {"on_time": 0.99, "p95_s": 0.9, "unanswered": 0} | figures
    return Step(
        DEFAULT,
        sessions,
        values["on_time"],
        values["p95_s"],
        0.7,
        10,
        int(values["unanswered"]),
        0,
        SHARES,
    )


def test_what_holds() -> None:
    assert step(1).held
    assert not step(1, on_time=0.94).held
    assert not step(1, p95_s=1.51).held
    assert not step(1, unanswered=1).held


def test_the_report_has_what_a_buyer_asks() -> None:
    steps = [step(1), step(2, p95_s=1.2), step(3, on_time=0.5)]
    held = dict.fromkeys(LEVELS, 0) | {DEFAULT: 2}
    refusals = Refusals(20, 0.05, 0.99, 0.98)
    report = _summary("light", steps, held, refusals, [(1, 1.0), (8, 0.97), (12, 0.5)], SHARES)
    json.dumps(report, allow_nan=False)
    assert report["sessions"] == 2
    assert report["p95"] == 1.2
    assert report["viewers_per_encode"] == 8
    assert (report["refused_s"], report["on_time_during"]) == (0.05, 0.98)
    assert report["sessions_by_level"]["standard 540x960"] == 2
    assert [each["held"] for each in report["steps"]] == [True, True, False]


async def test_sessions_rise_to_what_was_asked_for(
    url: str, engine: FakeEngine, asked: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capacity, "ON_TIME", 0.0)  # how quick this machine is, is no matter here
    monkeypatch.setattr(capacity, "ANSWER_S", 60.0)
    steps = await _rise(url, DEFAULT, asked, 2, 1.0)
    assert [each.sessions for each in steps] == [1, 2]
    assert all(each.answered >= each.sessions and not each.unanswered for each in steps)
    assert all(each.p95_s is not None and each.p95_s >= 0.3 for each in steps)
    assert engine.sessions == 0


async def test_past_the_limit_calls_are_refused(url: str, asked: list[Question]) -> None:
    refusals = await _refuse(url, asked, 2, 1.5)
    assert refusals.tries >= 2
    assert refusals.refused_s > 0
    assert 0 < refusals.on_time_before <= 1
    assert 0 < refusals.on_time_during <= 1


async def test_what_does_not_hold_is_tried_once_more(
    url: str, asked: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capacity, "ANSWER_S", 0.0)
    steps = await _rise(url, DEFAULT, asked, 2, 0.0)
    assert [(each.sessions, each.held) for each in steps] == [(1, False)] * 2


async def test_a_server_with_room_is_not_full(url: str, asked: list[Question]) -> None:
    with pytest.raises(CallFailedError, match="has taken a call"):
        await _refuse(url, asked, 1, 0.5)


async def test_more_and_more_watch_one_stream(url: str, engine: FakeEngine) -> None:
    watched = await watch_more(url, SIZE, (1, 3), 1.0, 0.0)
    assert [viewers for viewers, _ in watched] == [1, 3]
    assert len(engine.opened) == 1, "one session, and so one encode, for all"
    assert all(0 < share <= 1 for _, share in watched)
    enough = re.escape("no stream: 409")
    with pytest.raises(CallFailedError, match=enough):
        await watch_more(url, SIZE, (1,), 1.0, 0.0)
