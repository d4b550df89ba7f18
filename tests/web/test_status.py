"""Health, metrics and voices."""

import time
from importlib.metadata import version

import httpx
import pytest
from prometheus_client import REGISTRY, CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families

from pipeline.options import IceServer
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app


async def _sample(client: httpx.AsyncClient, name: str, **labels: str) -> float | None:
    text = (await client.get("/metrics")).text
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return None


async def test_health(client: httpx.AsyncClient, engine: StubEngine) -> None:
    engine.sessions = 1
    expected = {
        "status": "ok",
        "troubles": [],
        "sessions": 1,
        "limit": 2,
        "version": version("vivant"),
    }
    assert (await client.get("/healthz")).json() == expected


async def test_health_of_a_full_server(client: httpx.AsyncClient, engine: StubEngine) -> None:
    engine.sessions = engine.limit
    response = await client.get("/healthz")
    assert (response.status_code, response.json()["status"]) == (200, "full")


async def test_voices(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/voices")).json() == {
        "voices": [
            {"name": "joe", "languages": ["en"]},
            {"name": "lily", "languages": ["en", "zh"]},
        ],
        "default": "joe",
        "ice_servers": [],
    }


async def test_pages_are_told_of_ice_servers(engine: StubEngine, calls: StubCalls) -> None:
    servers = [IceServer(("stun:a.example",)), IceServer(("turn:b.example:3478",), "me", "secret")]
    async with client_of(create_app(engine, calls, ice_servers=servers)) as client:
        told = (await client.get("/v1/voices")).json()["ice_servers"]
    assert told == [
        {"urls": ["stun:a.example"]},
        {"urls": ["turn:b.example:3478"], "username": "me", "credential": "secret"},
    ]


async def test_pages_get_credentials_that_end(
    engine: StubEngine, calls: StubCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_TURN_SECRET", "north")
    servers = [IceServer(("turn:b.example",), secret_variable="TEST_TURN_SECRET", lifetime_s=60)]
    async with client_of(create_app(engine, calls, ice_servers=servers)) as client:
        response = await client.get("/v1/voices")
    (told,) = response.json()["ice_servers"]
    assert set(told) == {"urls", "username", "credential"}
    assert 0 < int(told["username"].partition(":")[0]) - time.time() <= 60
    assert response.headers["cache-control"] == "no-store"
    assert "north" not in response.text


async def test_health_tells_what_does_not_work(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    engine.troubles = ("nothing is drawn",)
    told = (await client.get("/healthz")).json()
    assert (told["status"], told["troubles"]) == ("degraded", ["nothing is drawn"])


async def test_metrics_follow_the_engine(client: httpx.AsyncClient, engine: StubEngine) -> None:
    engine.sessions = 2
    assert await _sample(client, "vivant_sessions") == 2
    assert await _sample(client, "vivant_sessions_limit") == 2


async def test_metrics_count_routes_and_not_ids(client: httpx.AsyncClient) -> None:
    for number in range(3):
        await client.delete(f"/v1/realtime/calls/call-{number}")
        await client.get(f"/nowhere/{number}")
    route = "/v1/realtime/calls/{call_id}"
    name = "vivant_http_requests_total"
    assert await _sample(client, name, route=route, method="DELETE", status="404") == 3
    assert await _sample(client, name, route="other", method="any", status="404") == 3
    assert "call-1" not in (await client.get("/metrics")).text


async def test_metrics_do_not_grow_with_the_words_used_for_methods(
    client: httpx.AsyncClient,
) -> None:
    for number in range(3):
        response = await client.request(f"DANCE{number}", "/healthz")
        assert response.status_code == 405
    name = "vivant_http_requests_total"
    assert await _sample(client, name, route="/healthz", method="other", status="405") == 3
    assert "DANCE" not in (await client.get("/metrics")).text


async def test_metrics_show_what_the_engine_measures(engine: StubEngine, calls: StubCalls) -> None:
    registry = CollectorRegistry()
    turns = Counter("vivant_turns", "Turns answered.", registry=registry)
    turns.inc(5)
    async with client_of(create_app(engine, calls, registry=registry)) as client:
        assert await _sample(client, "vivant_turns_total") == 5


async def test_two_servers_in_one_process_share_no_metrics(
    engine: StubEngine, calls: StubCalls
) -> None:
    before = set(REGISTRY._names_to_collectors)
    for _ in range(2):
        async with client_of(create_app(engine, calls)) as client:
            await client.get("/healthz")
            assert await _sample(client, "vivant_http_requests_total", route="/healthz") == 1
    assert set(REGISTRY._names_to_collectors) == before
