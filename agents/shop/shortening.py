"""Short names: what a product is called once it has been named: "the tent"."""

import re
from collections.abc import Iterable, Sequence

from agents.clause import Language
from agents.shop.phrases import is_plural
from agents.shop.product import Product

_WRITTEN = {"en": re.compile(r"[A-Za-z][A-Za-z' -]*"), "zh": re.compile(r"[\u3400-\u9fff]+")}
# Characters of a short name, by language.
_LENGTHS: dict[Language, tuple[int, int]] = {"en": (3, 24), "zh": (2, 5)}


def short_name(
    product: Product, others: Iterable[Product], language: Language, *, aliases_only: bool = False
) -> str | None:
    """Return a short name that only this product of a shop goes by; None where it has none.

    Args:
        others: the shop's products, itself included.
        aliases_only: leave out its category, "tent", which is no name of its own.
    """
    name = product.named(language)
    least, most = _LENGTHS[language]
    taken = {t for other in others if other.id != product.id for t in _called(other, language)}
    aliases = sorted(product.aliases.get(language, ()), key=len)
    category = [] if aliases_only else [product.category]
    for short in [*category, *aliases] if language == "en" else aliases:
        fits = least <= len(short) <= min(most, len(name) - 1) and short.lower() not in taken
        written = re.fullmatch(
            r"[A-Za-z][A-Za-z' -]*" if language == "en" else r"[\u3400-\u9fff]+", short
        )
        if fits and written and is_plural(short) == is_plural(name):
            return short.lower() if language == "en" else short
    return None


def shortened(texts: Sequence[str], name: str, short: str, language: Language) -> tuple[str, ...]:
    """Return texts with a short name for a name; another wording comes first than did before."""
    if language == "en":
        bare = re.sub(r"^the\s", "", name, flags=re.IGNORECASE)
        said = [re.sub(rf"\b([Tt]he ){re.escape(bare)}\b", rf"\g<1>{short}", t) for t in texts]
    else:
        said = [text.replace(name, short) for text in texts]
    return (*said[1:], *said[:1])


def _called(product: Product, language: Language) -> set[str]:
    names = [product.category, product.named(language), *product.aliases.get(language, ())]
    return {name.lower() for name in names if name}
