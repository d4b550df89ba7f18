"""A real server loses its language model, its voice and the room on its disk while on air.

One server lives through all of it; each test leaves it as it was.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any

import pytest

from agents.shop.sample import sample_shop
from tests.e2e.real_server import (
    HEARD_DB,
    PATIENCE_S,
    RealServer,
    RefusedError,
    light_settings,
    serving,
    standing,
)
from tests.e2e.remote_models import Manner, RemoteModels
from tests.e2e.small_disk import SmallDisk, small_disk

# Goods of the sample shop with their prices: what each question is about is new to the room.
GOODS = cycle(
    (product.name["en"], str(product.price).removesuffix(".00"))
    for product in sample_shop()
    if product.price is not None and product.offer is None
)
# How the language model words a price, and the catalogue does not.
WORDED = "You pay"
_names = count(1)


@dataclass(frozen=True, slots=True)
class OnAir:
    """A room on air, and all it depends on."""

    server: RealServer
    model: RemoteModels
    voice: RemoteModels
    disk: SmallDisk

    def answer(self) -> tuple[str, str]:
        """Have a viewer ask for the price of something; return what is said, and the price."""
        (product, price), name = next(GOODS), f"question-{next(_names)}"
        self.model.says = f"{WORDED} ${price} for the {product}."
        self.server.question(name, f"how much is the {product}?")
        return self.server.answered(name)["answer"], price

    def lines(self, number: int) -> list[dict[str, Any]]:
        """Wait until so many more lines have been heard; return them."""
        known = {line["id"] for line in self.server.state()["lines"]}
        state = self.server.until(
            lambda state: (
                len([line for line in state["lines"] if line["id"] not in known]) >= number
            ),
            f"{number} more lines",
        )
        return [line for line in state["lines"] if line["id"] not in known]

    def like(self) -> str:
        """Have a viewer do something that nobody need answer; return its id."""
        name = f"like-{next(_names)}"
        self.server.ask("/chat", {"id": name, "kind": "like", "viewer": "v", "text": "x" * 500})
        return name

    def chat_until_refused(self) -> tuple[list[str], RefusedError]:
        """Have viewers do things until they are refused; return the ids of what was acknowledged,
        and the refusal.
        """
        kept: list[str] = []
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                kept.append(self.like())
            except RefusedError as error:
                return kept, error
        raise AssertionError("nothing is refused")


@pytest.fixture(scope="module")
def on_air(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnAir]:
    """Give a room that is on air; what it says is spoken and worded elsewhere."""
    folder = tmp_path_factory.mktemp("outages")
    model, voice = RemoteModels(), RemoteModels()
    with small_disk(folder / "disk") as disk:
        settings = light_settings(
            disk.folder,
            voices=("endpoint", "light"),
            speak=f'url = "{voice.url}"',
            think=f'model = "endpoint"\nurl = "{model.url}"\nname = "stand-in"',
        )
        with serving(folder, settings) as server:
            server.begin()
            yield OnAir(server, model, voice, disk)
    model.stop()
    voice.stop()


@pytest.mark.parametrize("manner", ["gone", "failing", "hanging"])
def test_a_dead_language_model(on_air: OnAir, manner: Manner) -> None:
    server, model = on_air.server, on_air.model
    assert WORDED in on_air.answer()[0]
    told = len(alerts(server.state(), "model_failing"))
    model.be(manner)
    for _ in range(3):
        said, price = on_air.answer()
        assert WORDED not in said
        assert f"${price}" in said
    state = server.until(lambda state: standing(state, "model_failing"), "the alert")
    assert state["status"] == "on_air"
    assert len(alerts(state, "model_failing")) == told + 1
    model.be("well")
    deadline = time.monotonic() + PATIENCE_S
    while WORDED not in on_air.answer()[0]:
        assert time.monotonic() < deadline, "the model is not asked again"
    server.until(lambda state: not standing(state, "model_failing"), "the end of the alert")


@pytest.mark.parametrize("manner", ["gone", "failing", "hanging"])
def test_a_dead_voice(on_air: OnAir, manner: Manner) -> None:
    server, voice = on_air.server, on_air.voice
    told = len(alerts(server.state(), "voice_fallback"))
    voice.be(manner)
    state = server.until(lambda state: standing(state, "voice_fallback"), "the alert")
    assert len(alerts(state, "voice_fallback")) == told + 1
    lines = on_air.lines(3)
    assert all(line["whole"] for line in lines)
    assert server.loudest(since=lines[0]["began_at"]) > HEARD_DB
    assert not alerts(server.state(), "silence")
    voice.be("well")
    server.until(lambda state: not standing(state, "voice_fallback"), "the end of the alert")
    asked = len(voice.asked)
    on_air.lines(2)
    assert len(voice.asked) >= asked + 2


def test_a_full_disk(on_air: OnAir) -> None:
    server, disk = on_air.server, on_air.disk
    disk.fill(server.process.pid)
    kept, refused = on_air.chat_until_refused()
    assert refused.status == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert "disk of the database is full" in refused.body["error"]["message"]
    server.until(lambda state: standing(state, "database_full"), "the alert")
    lines = on_air.lines(3)
    assert all(line["whole"] for line in lines)
    assert not alerts(server.state(), "silence")
    disk.empty(server.process.pid)
    server.until(lambda state: not standing(state, "database_full"), "the end of the alert")
    on_air.like()
    written = {each["id"] for each in server.ask("/history?kind=lines&limit=1000")["data"]}
    assert written >= {line["id"] for line in lines}
    likes = {each["id"] for each in server.ask("/history?kind=chat&limit=1000")["data"]}
    assert likes >= set(kept[-900:])


def alerts(state: Mapping[str, Any], code: str) -> list[Any]:
    """Return the alerts of that code there have been."""
    return [each for each in state["alerts"] if each["code"] == code]
