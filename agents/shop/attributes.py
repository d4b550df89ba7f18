"""Sentences for what a merchant wrote of a product: attributes, points, descriptions."""

import re
from collections.abc import Sequence

from agents.clause import Language
from agents.shop.data import shop_data
from agents.shop.labels import polarity, spoken_list
from agents.shop.lexicon import phrases
from agents.shop.measures import kinds_given
from agents.shop.phrases import bare, fill, is_plural, is_sentence, phrase, rules
from agents.shop.product import Product, Words

# Attributes that have sentences of their own.
WORDED = frozenset({
    "colour", "size", "material", "weight", "warranty", "shipping", "returns", "origin", "care",
    "contents",
})  # fmt: skip
# Of these, Chinese values such as "不可机洗" follow the name as they are.
_MANNERS = frozenset({"care", "shipping", "returns", "warranty"})
_GLOSSARY = shop_data("glossary")
# What attributes named by a verb or an adjective are called in a sentence.
_RENAMED = {
    "waterproof": "water resistance", "fits": "compatibility", "holds": "fit", "lasts": "life",
    "works with": "compatibility", "suitable for": "compatibility", "feeding": "daily amount",
}  # fmt: skip
_VERBS = frozenset(_GLOSSARY["verbs"])
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|(?<=[。！？])\s*(?=\S)|\n+")
_FIGURE = re.compile(
    r"^(?:(?:up to|about|around|over|at least|approx\.?|more than)\s|[~<>≤≥])?"
    r"(?:[-−+]?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
    r"|^(?:最多|约|大约|至少|超过|可达)?(?:[-−+]?\d|[一二两三四五六七八九十])",
    re.IGNORECASE,
)
# "No, made where wheat is handled", "可以，30度以下".
_YES_AND = re.compile(
    r"^(?:(?:yes|true|是的?|有|支持|可以|能)|(?P<no>no|false|否|不是|没有|不支持|不可以|不能))\s?[,，;；:：]\s*(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
# Names of attributes that are the beginning of a sentence about the product.
_LABEL_PHRASES = re.compile(
    r"^(?:(?P<verb>(?:goes|pairs|works) with)|(?:not |good |suitable |ideal |best )+for)$"
)
# How sentences of a merchant's begin that leave out what they are about.
_MODALS = frozenset({"can", "may", "must", "should", "will", "cannot"})
_PARTICIPLES = re.compile(
    r"^(?:made|built|cut|sewn|woven|knit|sold|grown|handmade|hand-\w+|[a-z]{3,}ed)$"
)
_COUNT = re.compile(r"\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve", re.I)
_AMOUNT, _EXTENTS = r"[\d.,]+\s?\w+", "long|wide|high|tall|deep|thick|across"
# A value that holds no finer kind than these is put into words by its look.
_LOOKS = {
    "figure": _FIGURE,
    "extent": re.compile(
        rf"^(?:{_AMOUNT}(?: (?:{_EXTENTS}))?(?:, | and ))*{_AMOUNT} (?:{_EXTENTS})$"
        rf"|^{_AMOUNT} (?:{_EXTENTS})(?:, | and ){_AMOUNT}$"
    ),
    "rating": re.compile(r"^ip[x\d]", re.IGNORECASE),
    "port": re.compile(r"^(?:usb|type-?c|micro-?usb|lightning|qi\b)", re.IGNORECASE),
    "place": re.compile(r"^(?!.*(?:\b(?:made|grown|designed|from|in|by)\b|[产制造做来])).{2,40}$"),
    "name": re.compile(r"^(?!.*(?:\b(?:no|not|none|never)\b|[不无没])).{2,60}$"),
}
# Names of attributes that a product is, where others are had: waterproof, not Bluetooth.
_QUALITIES = re.compile(
    r"(?:able|ible|proof|ready|safe|free|resistant|repellent|friendly|less|vegan|organic|halal|kosher"
    r"|unisex|natural|compatible|magnetic|vegetarian|insulated|padded|lined|certified)$"
    r"|^(?:可|能|支持|防|适合|含|带|纯|耐|抗)",
    re.IGNORECASE,
)
# Chinese names of what a thing is without: "无麸质", "不含镍".
_LACKING = ("不", "无", "免")
# Values that say what a thing is or is not; and those that are clauses, or begin within one.
_ADJECTIVES = re.compile(
    r"^(?:not|suitable|safe|compatible|designed|fully|ideal|resistant|waterproof|splash|water|"
    r"adjustable|foldable|removable|rechargeable|non-|machine washable)\b"
    r"|^(?:可|不可|能|不能|不含|支持|不支持|适合|适用|无需|不适合)",
    re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"^(?:no|never|only|do not|don't|please|use|avoid|with|for|by|in|on|from|can|hand|wipe|rinse|"
    r"keep|wash|dry|store|clean|yes|works|fits|has|have|it|they|you)\b"
    r"|^(?:请|勿|需|用|只|避免|有|没|配|带|采用|建议)",
    re.IGNORECASE,
)
_AFTER_PARTICIPLE = r"(?:in|by|for|with|from|of|to|on|at|as|without|using|singly|individually)\b"
_BARE_NOUN = (
    r"(?!(?:an?|the|one|two|three|four|five|six|seven|eight|nine|ten|twelve|no|your|some|each|our)\b)"
    r"[a-z]"
)
_LEFT_OUT = re.compile(
    r"^(?:the )?(?P<item>[\w' -]{2,40}?),? (?:is |are )?(?:not included|sold separately)$",
    re.IGNORECASE,
)


def attribute_texts(
    product: Product, topic: str, label: Words, value: str, language: Language
) -> tuple[str, ...]:
    """Return sentences that state an attribute of a product, several wordings of the same.

    Args:
        label: what the attribute is called, as `agents.shop.labels.labels`.
    """
    name, called = product.named(language), label.get(language, "")
    answer, more = polarity_of(value)
    if answer is not None and (called or not more):
        return _yes_or_no(name, called, language, answer=answer, more=more) if called else ()
    if is_sentence(value) or name.lower() in value.lower():
        return (about(name, value, language),)
    if _SENTENCES.search(value) is not None:
        return phrase("sentence", language, name=name, value=stopped(value, language))
    if topic == "contents":
        return _contents(name, value, language)
    listing = topic in ("colour", "size", "material", "ingredients") or _is_list(value)
    spoken = bare(spoken_list(value, language) if listing else value)
    if _says_label(topic, called, spoken, language):
        article = "a " if language == "en" and re.match(r"\d+[- ]\w+\s", spoken) else ""
        return phrase("attribute_own", language, name=name, value=article + spoken)
    phrased = _LABEL_PHRASES.match(called) if language == "en" else None
    if phrased is not None:
        kind = "attribute_verb" if phrased["verb"] and not is_plural(name) else "attribute_is"
        if kind == "attribute_is" and phrased["verb"]:
            called = called.replace("goes", "go").replace("pairs", "pair").replace("works", "work")
            kind = "attribute_verb"
        return phrase(kind, language, name=name, value=f"{called} {spoken}")
    own = _of_kind(label, spoken, language)
    if own:
        return fill(own, language, name=name, value=spoken)
    return _generic(name, topic, called, spoken, language)


def _yes_or_no(
    name: str, label: str, language: Language, *, answer: bool, more: str
) -> tuple[str, ...]:
    """Say that a product is waterproof, has Bluetooth, or not; and what is said beside."""
    if language == "zh" and label[:1] in _LACKING:
        return (f"{name}{label}。" if answer else f"{name}不是{label}的。",)
    quality = _QUALITIES.search(label) is not None
    kind = ("quality" if quality else "feature") + ("_yes" if answer else "_no")
    texts = phrase(kind, language, name=name, attribute=label)
    if not more:
        return texts
    joint = "，" if language == "zh" else ", "
    return tuple(stopped(f"{bare(text)}{joint}{bare(more)}", language) for text in texts[:1])


def polarity_of(value: str) -> tuple[bool | None, str]:
    """Return whether a value says yes or no, None for neither, and what it says after that."""
    whole = polarity(value)
    if whole is not None:
        return whole, ""
    match = _YES_AND.match(value.strip())
    if match is None:
        return None, ""
    return match["no"] is None, match["rest"]


def _says_label(topic: str, label: str, value: str, language: Language) -> bool:
    """Say whether a value of a warranty says itself what it is: "保修2年", "2-year warranty"."""
    if topic != "warranty":
        return False
    names = (label.lower(), *phrases(topic, language)[:2])
    return any(name and name in value.lower() for name in names)


def _is_list(value: str) -> bool:
    """Say whether a value is a list of things alike: "180 cm; 200 cm"."""
    items = re.split(r"\s*[;；、/]\s*", value)
    figures = {bool(_FIGURE.search(item)) for item in items}
    return len(items) > 1 and len(figures) == 1 and not re.search(r"[,，]", value)


def _of_kind(label: Words, value: str, language: Language) -> Sequence[str]:
    """Return the wordings for a value of such a look under such a name; nothing for none."""
    kinds = kinds_given(value)
    if re.search(r"\b(?:no|not|none)\b|[不无没]", value, re.IGNORECASE):
        return ()
    for rule in rules("attributes"):
        if not any(re.fullmatch(rule["label"], name, re.IGNORECASE) for name in label.values()):
            continue
        shape = rule["shape"]
        look = _LOOKS.get(shape, _FIGURE)
        one = not re.search(r"\sand\s|、", value)
        if look.search(value) and (shape in _LOOKS or (shape in kinds and one)):
            wordings: Sequence[str] = rule.get(language, ())
            return wordings
    return ()


def _generic(name: str, topic: str, label: str, value: str, language: Language) -> tuple[str, ...]:
    if topic in WORDED:
        says_all = language == "zh" and topic in _MANNERS and _ADJECTIVES.search(value)
        kind = "attribute_is" if says_all else topic
        return phrase(kind, language, name=name, value=value)
    if not label:
        return phrase("attribute_nameless", language, name=name, value=value)
    label = _RENAMED.get(label, label)
    kind = "attribute"
    if language == "en" and value.partition(" ")[0].lower() in _VERBS and not is_plural(name):
        kind = "attribute_verb"
    elif _ADJECTIVES.search(value):
        kind = "attribute_is"
    elif _CLAUSES.search(value):
        kind = "attribute_clause"
    elif language == "en" and is_plural(label) and _COUNT.fullmatch(value):
        kind = "attribute_count" if not label.startswith("number") else "attribute"
    elif _FIGURE.search(value) and not is_plural(label):
        kind = "attribute_figure"
    article = "an" if re.match(r"[aeiou]|[AEFHILMNORSX](?![a-z])", label) else "a"
    return phrase(kind, language, name=name, attribute=label, value=value, an=article)


def _contents(name: str, value: str, language: Language) -> tuple[str, ...]:
    """Say what comes with a product, and in a sentence of its own what does not."""
    inside, left_out = [], []
    for part in re.split(r"\s*[;；]\s*", bare(value)):
        without = _LEFT_OUT.match(part)
        if without:
            left_out.append(without["item"])
        elif part:
            inside.append(_with_articles(spoken_list(part, language), language))
    if not inside:
        return phrase("sentence", language, name=name, value=stopped(value, language))
    joined = ("; " if language == "en" else "；").join(inside)
    said = phrase("contents", language, name=name, value=joined)
    more = "".join(
        (" " if language == "en" else "") + phrase("not_included", language, item=item)[0]
        for item in left_out
    )
    return tuple(text + more for text in said)


def _with_articles(listed: str, language: Language) -> str:
    """Return "the tent, two poles and the repair kit" of a list without articles."""
    if language == "zh":
        return listed
    parts = re.split(r"(, | and )", listed)
    commas = ", " in parts
    return "".join(
        f"the {part}" if at % 2 == 0 and (commas or not at) and re.match(_BARE_NOUN, part) else part
        for at, part in enumerate(parts)
    )


def about(name: str, text: str, language: Language) -> str:
    """Return a merchant's words as a sentence that says what it is about."""
    whole = stopped(text, language)
    if name.lower() in whole.lower():
        return whole
    if language == "en":
        made = _joined(re.sub(r"^the\s", "", name, flags=re.IGNORECASE), whole)
        if made is not None:
            return made
    return phrase("sentence", language, name=name, value=whole)[0]


def _joined(name: str, whole: str) -> str | None:
    """Return an English sentence with the name for its subject, where its first word lets it."""
    first, _, rest = whole.partition(" ")
    if first in ("It", "They", "This", "These") and rest[:1].islower():
        return f"The {name} {rest}"
    if first.lower() in _MODALS:
        return f"The {name} {first.lower()} {rest}"
    if _PARTICIPLES.match(first.lower()) and re.match(_AFTER_PARTICIPLE, rest):
        verb = "are" if is_plural(name) else "is"
        return f"The {name} {verb} {first.lower()} {rest}"
    if first.lower() in _VERBS and not is_plural(name):
        return f"The {name} {first.lower()} {rest}"
    if first in ("A", "An") and not is_plural(name) and not re.search(r"[,;:]\s", rest):
        return f"The {name} is {first.lower()} {rest}"
    if first == "The":
        return f"On the {name}, the {rest}"
    return None


def stopped(text: str, language: Language) -> str:
    """Return a text that ends as a sentence does."""
    plain = text.strip()
    if re.search(r"[.!?。！？…]$", plain):
        return plain
    return plain + ("。" if language == "zh" else ".")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a description."""
    return tuple(_SENTENCES.split(text.strip()))
