"""Stills are drawn by a process of their own, which ends when nobody wants any for a while."""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from avatar.spec import SceneSpec, ready
from motion.style import NATURAL
from pipeline.drawing import DrawSettings
from pipeline.errors import ConfigurationError
from pipeline.looks import Look, Looks
from pipeline.options import SessionOptions
from pipeline.stills import IDLE_S, Stills
from tests.fakes.clock import VirtualClock
from tests.fakes.room import Room

LOOK = Look(ready("mia"), SceneSpec(), NATURAL)


@pytest.fixture
async def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def stills(tmp_path: Path, clock: VirtualClock) -> AsyncIterator[Stills]:
    stills = Stills(DrawSettings("flash", tmp_path, tmp_path), clock)
    yield stills
    await stills.close()
    await stills.close()


async def test_a_still_is_a_jpeg_of_the_size(stills: Stills) -> None:
    made = await asyncio.gather(stills.draw(LOOK, (96, 128)), stills.draw(LOOK, (128, 96)))
    assert [Image.open(io.BytesIO(jpeg)).size for jpeg in made] == [(96, 128), (128, 96)]
    assert Image.open(io.BytesIO(made[0])).format == "JPEG"


async def test_the_process_goes_when_nobody_looks(stills: Stills, clock: VirtualClock) -> None:
    await stills.draw(LOOK, (96, 128))
    assert stills._worker is not None
    await clock.run(IDLE_S + 1.0)
    async with asyncio.timeout(30):
        async with stills._one:
            assert stills._worker is None
    assert await stills.draw(LOOK, (96, 128))


def test_what_is_shown_lies_over_the_scene() -> None:
    scene = SceneSpec(caption="before")
    card = {"name": "Tote", "price": "49", "picture": "/a/file/of/the/server.jpg"}
    shown = Looks.shown(scene, {"card": card, "caption": None})
    assert shown.card is not None
    assert (shown.card.name, shown.caption) == ("Tote", "")
    assert Looks.shown(scene, {}) is scene
    with pytest.raises(ConfigurationError, match="nonsense"):
        Looks.shown(scene, {"nonsense": 1})
    with pytest.raises(ConfigurationError, match="card"):
        Looks.shown(scene, {"card": {"name": ""}})


async def test_a_session_keeps_what_is_shown_when_its_options_change() -> None:
    room = Room()
    room.session.show({"caption": "hello"})
    room.session.update(
        SessionOptions(scene_changes={"caption": "from the options", "mark": False})
    )
    scene = room.session._scene
    assert (scene.caption, scene.mark) == ("hello", False)
    room.session.show({})
    assert room.session._scene.caption == "from the options"
    await room.close()


async def test_a_holding_cards_text_is_short() -> None:
    room = Room()
    with pytest.raises(ConfigurationError, match="201"):
        room.session.hold_card("x" * 201)
    room.session.hold_card("Back soon")
    await room.close()
