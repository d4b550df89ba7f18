"""The sample shop: a small invented brand that a fresh server has something to sell from."""

import json
from functools import cache
from importlib import resources

from agents.errors import AgentValueError
from agents.shop.form import shop_from_json
from agents.shop.product import Shop

_DATA = resources.files("agents") / "data"


@cache
def sample_shop() -> Shop:
    """Return the sample shop."""
    return shop_from_json(json.loads((_DATA / "sample_shop.json").read_text("utf-8")))


def sample_picture(name: str) -> bytes:
    """Return a picture of the sample shop's, a JPEG of 640 x 640.

    Args:
        name: as a product of the sample shop has it in `picture`.

    Raises:
        AgentValueError: the sample shop has no such picture.
    """
    known = {product.picture for product in sample_shop()}
    if name not in known:
        raise AgentValueError(f"no picture {name[:60]!r}; known are {', '.join(sorted(known))}")
    return (_DATA / "pictures" / name).read_bytes()
