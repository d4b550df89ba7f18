"""What is shown of the product that is spoken of."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.shop.sample import sample_shop
from pipeline.errors import ConfigurationError
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.stagecraft import Stagecraft
from pipeline.rooms.state import RoomSpec

SHOP = sample_shop()
ROOM = RoomSpec(id="one", title="One", shop=SHOP.id, rundown="one")
NOW = 1_800_000_000.0


@pytest.fixture
def stagecraft(tmp_path: Path) -> Stagecraft:
    return Stagecraft(Pictures(tmp_path), (540, 960))


def test_a_card_has_name_and_prices_and_says_them_once(stagecraft: Stagecraft) -> None:
    thermos = SHOP.product("dawn-thermos")
    changes = stagecraft.card(ROOM, SHOP, thermos, "", NOW)
    assert changes.keys() == {"card"}
    card = changes["card"]
    assert isinstance(card, dict)
    assert (card["name"], card["price"], card["strike"]) == ("Dawn Thermos", "26.00", "32.00")
    assert card["badge"] == "-19%"


def test_a_hook_stands_beside_the_card(stagecraft: Stagecraft) -> None:
    changes = stagecraft.card(ROOM, SHOP, SHOP.product("dawn-thermos"), "Tea for two", NOW)
    assert changes["lower_third"] == {"name": "Tea for two"}


def test_what_has_no_price_is_named(stagecraft: Stagecraft) -> None:
    unpriced = replace(SHOP.product("dawn-thermos"), price=None, offer=None, list_price=None)
    changes = stagecraft.card(ROOM, SHOP, unpriced, "Soon", NOW)
    assert changes == {"lower_third": {"name": "Dawn Thermos", "title": "Soon"}}


def test_sold_out_is_shown(stagecraft: Stagecraft) -> None:
    card = stagecraft.card(ROOM, SHOP, SHOP.product("rain-candle"), "", NOW)["card"]
    assert isinstance(card, dict)
    assert card["badge"] == "Sold out"


def test_nothing_is_shown_where_nothing_is_spoken_of(stagecraft: Stagecraft) -> None:
    assert stagecraft.card(ROOM, SHOP, None, "", NOW) == {}


def test_a_size_that_is_none_is_refused(stagecraft: Stagecraft) -> None:
    with pytest.raises(ConfigurationError, match="size is 'big'; accepted: such as '540x960'"):
        stagecraft.options(ROOM.model_copy(update={"size": "big"}))
