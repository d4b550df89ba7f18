"""Whether a value somebody asks for is among those there are: "does it come in red?"."""

import re

from agents.clause import Language
from agents.shop.asked import Asked
from agents.shop.labels import items_of, spoken_list
from agents.shop.lexicon import COLOURS, SIZES, called, read
from agents.shop.phrases import bare, value_phrase
from agents.shop.product import Product
from agents.shop.sheet import Entry

# Colours that some call by the name of others; of these nothing is denied.
_FAMILIES = (
    {"blue", "navy", "sky_blue", "teal"}, {"green", "olive", "dark_green", "mint", "sage", "teal"},
    {"white", "cream", "natural", "beige"}, {"brown", "tan", "beige", "walnut"},
    {"red", "burgundy", "coral", "terracotta"}, {"pink", "coral", "rose_gold"},
    {"purple", "lilac"}, {"yellow", "mustard", "gold"}, {"gold", "rose_gold", "bronze"},
    {"orange", "terracotta", "coral"}, {"black", "grey"}, {"grey", "silver"},
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?:\.5)?(?![\d.])")
_RANGE = re.compile(
    r"(?<![\d.])(\d{1,3}(?:\.5)?)\s?(?:-|–|~|to|至|到)\s?(\d{1,3}(?:\.5)?)(?![\d.])"
)


def value_answer(
    entry: Entry, product: Product, query: Asked, language: Language
) -> tuple[str, ...]:
    """Return the sentences that answer whether a product has a value; nothing where it is unsure.

    They state all the values there are, so that they are right even where the question was not
    understood.
    """
    if entry.kind != "attribute" or not query.matches("yes_no") or query.matches("besides"):
        return ()
    value = bare(entry.value.get(language, ""))
    if entry.topic == "colour" and len(query.colours) == 1:
        (colour,) = query.colours
        has, shown = _has_colour(colour, value), called(COLOURS, colour, language)
    elif entry.topic == "size" and (size := _size_asked(query)):
        has = _has_size(size, value)
        # A number somebody made up is not said again.
        shown = ""
    else:
        return ()
    if has is None:
        return ()
    return value_phrase(
        "value_yes" if has else "value_no",
        entry.topic,
        language,
        name=product.named(language),
        asked=shown,
        value=spoken_list(value, language),
    )


def _has_colour(colour: str, value: str) -> bool | None:
    """Say whether a colour is among some; None where that cannot be told."""
    items = items_of(value)
    found = [read(item).names(COLOURS) for item in items]
    if any(colour in names for names in found):
        return True
    if not items or not all(found):
        return None
    kin = {name for family in _FAMILIES if colour in family for name in family}
    return None if any(names & kin for names in found) else False


def _size_asked(query: Asked) -> str:
    if len(query.sizes) == 1:
        return next(iter(query.sizes))
    return query.size_number


def _has_size(size: str, value: str) -> bool | None:
    if size[0].isdigit():
        for low, high in _RANGE.findall(value):
            if float(low) <= float(size) <= float(high):
                return True
        numbers = _NUMBER.findall(value)
        if re.search(r"\d\s?(?:cm|mm|ml|g\b|kg|l\b|inch|厘米|毫升|克|升)", value):
            return None
        return size in numbers if numbers else None
    items = items_of(re.sub(r"[-–~]| to |至|到", ",", value))
    found = [read(item).names(SIZES) for item in items]
    if any(size in names for names in found):
        return True
    ordered = ("xs", "s", "m", "l", "xl", "xxl", "xxxl")
    if not all(found) or not items:
        return None
    if re.search(r"[a-z]\s?(?:[-–~]|to|至|到)\s?[a-z]", value.lower()) and size in ordered:
        places = [ordered.index(n) for names in found for n in names if n in ordered]
        return bool(places) and min(places) <= ordered.index(size) <= max(places)
    return False
