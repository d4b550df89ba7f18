"""A real server, killed while a room is on air: it comes back at the sentence it was in."""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.real_server import RealServer, RefusedError, light_settings, serving, standing
from tests.pipeline.store.postgresql import Cluster, running

KILLS = 3


@pytest.mark.timeout(1200)
def test_it_comes_back_at_the_sentence_it_was_in(tmp_path: Path) -> None:
    chance = random.Random(7)
    settings = light_settings(tmp_path)
    acknowledged: list[str] = []
    with serving(tmp_path, settings) as server:
        server.begin()
        time.sleep(chance.uniform(1.0, 8.0))
        place, heard = last_place(server, acknowledged)
    for number in range(KILLS):
        with serving(tmp_path, settings) as server:
            assert next_place(server, heard) == place, f"kill {number + 1}"
            kept = {each["id"] for each in server.ask("/history?kind=chat&limit=1000")["data"]}
            assert kept >= set(acknowledged)
            time.sleep(chance.uniform(0.0, 3.0))
            place, heard = last_place(server, acknowledged)
    with serving(tmp_path, settings) as server:
        server.ask("/commands", {"type": "stop", "now": True})
    with serving(tmp_path, settings) as server:
        assert server.ask("/state")["status"] == "off"


def last_place(server: RealServer, acknowledged: list[str]) -> tuple[tuple[str, int], set[str]]:
    """Return the sentence that is being said, to which a room must come back, once what a viewer
    did has been acknowledged; and the ids of all lines so far.
    """
    name = f"like-{len(acknowledged)}"
    server.ask("/chat", {"id": name, "kind": "like", "viewer": "v1"})
    acknowledged.append(name)

    # Well inside a sentence: between two, it may have gone on by the time of the kill.
    def inside(state: dict[str, Any]) -> bool:
        line = state["line"]
        return bool(line) and line["kind"] == "script" and state["at"] - line["began_at"] > 0.5

    state = server.until(inside, "a sentence of the script")
    line = state["line"]
    return (line["item"], line["sentence"]), {line["id"], *(each["id"] for each in state["lines"])}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Give a running PostgreSQL."""
    with running() as started:
        yield started


def test_on_postgresql_it_outlives_its_database_and_itself(
    tmp_path: Path, cluster: Cluster
) -> None:
    settings = light_settings(tmp_path, database=cluster.create("onair"))
    acknowledged: list[str] = []
    with serving(tmp_path, settings) as server:
        server.begin()
        cluster.stop()
        with pytest.raises(RefusedError, match="database cannot be reached") as refused:
            server.ask("/chat", {"id": "lost", "kind": "like", "viewer": "v1"})
        assert refused.value.status == 503
        assert int(refused.value.headers["Retry-After"]) > 0
        state = server.until(lambda state: standing(state, "database_lost"), "the alert")
        known = {line["id"] for line in state["lines"]}
        state = server.until(lambda state: len(state["lines"]) > len(known) + 2, "more lines")
        said = {line["id"] for line in state["lines"]} - known
        assert state["status"] == "on_air"
        cluster.start()
        server.until(lambda state: not standing(state, "database_lost"), "the end of the alert")
        place, heard = last_place(server, acknowledged)
        kept = {each["id"] for each in server.ask("/history?kind=lines&limit=1000")["data"]}
        assert kept >= said
    with serving(tmp_path, settings) as server:
        assert next_place(server, heard) == place
        kept = {each["id"] for each in server.ask("/history?kind=chat&limit=1000")["data"]}
        assert kept == set(acknowledged)


def next_place(server: RealServer, heard: set[str]) -> tuple[str, int]:
    """Return the sentence that a room that has come back says first, after its bridge."""
    state = server.until_heard(heard)
    assert state["status"] == "on_air"
    assert state["line"]["kind"] == "bridge"
    while state["line"] is None or state["line"]["kind"] != "script":
        known = {line["id"] for line in (*state["lines"], state["line"]) if line is not None}
        state = server.until_heard(heard | known)
    return state["line"]["item"], state["line"]["sentence"]
