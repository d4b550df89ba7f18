"""Words that hold sentences together: of themselves they name no product, whoever sells one.

"Can this hold 100 kg" asks for no watering can, "自己装吗" for no hot pot that heats by itself.
"""

from collections.abc import Container, Sequence

from agents.shop.data import shop_data
from agents.shop.lexicon import Unit

_DATA = shop_data("questions")
_WORDS = frozenset(_DATA["function_en"].split())
_RUNS = frozenset(_DATA["function_zh"].split("|"))
_ARTICLES = frozenset({"the", "a", "an"})


def is_function_word(word: str) -> bool:
    """Say whether an English word, in lower case, is an auxiliary, a pronoun, a preposition..."""
    return word in _WORDS


def is_function_run(run: str) -> bool:
    """Say whether Chinese characters are such a word, or several of them."""
    if run in _RUNS:
        return True
    return any(run[:at] in _RUNS and is_function_run(run[at:]) for at in range(1, len(run)))


def names_here(units: Sequence[Unit], at: int, name: Container[str], heads: Container[str]) -> bool:
    """Say whether a word of a text may be one of a name.

    A function word is one only beside another word of the name, "watering can", or, where a name
    ends with it, after an article: "the can".

    Args:
        name: keys of the words of the name.
        heads: keys of the words that it, or a shorter form of it, ends with.
    """
    unit = units[at]
    if not is_function_word(unit.text):
        return True
    beside = [units[place] for place in (at - 1, at + 1) if 0 <= place < len(units)]
    if any(one.key in name and not is_function_word(one.text) for one in beside):
        return True
    if unit.key not in heads:
        return False
    # "The can", and, where no verb may follow, "the grey can".
    reach = 2 if at == len(units) - 1 else 1
    return any(one.text in _ARTICLES for one in units[max(0, at - reach) : at])
