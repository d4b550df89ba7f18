"""Phrases for what can be seen of a host: colours, garments, hair styles, ornaments, patterns."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def looks() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return, for each kind ("colour", "shade", "pattern", "fabric", "style", "garment",
    "ornament"), what can be meant with its phrases, lower case, words apart by spaces.

    A colour is a name of `avatar.words.palettes.CLOTH`. "suit" and "jeans" are garments by what
    they are made of, "earrings" ornaments of any kind.
    """
    text = resources.files("avatar.words").joinpath("looks.json").read_text("utf-8")
    return {
        kind: {value: tuple(phrases) for value, phrases in senses.items()}
        for kind, senses in json.loads(text).items()
    }
