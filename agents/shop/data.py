"""What several modules read questions and values with, kept as data and read once."""

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def shop_data(name: str) -> dict[str, Any]:
    """Return what a file of the package's data holds; not to be changed.

    Args:
        name: of the file, without "shop_" and ".json".
    """
    file = resources.files("agents") / "data" / f"shop_{name}.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found
