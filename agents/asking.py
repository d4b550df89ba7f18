"""What kind of thing a question asks for: a price, a place, how long, at what time, how big.

"How much" and "where" say what is wanted and nothing of what it is wanted of. A fact answers them
only where it holds such a thing, and where it knows what else the question names.
"""

from collections.abc import Sequence

from agents.catalogue import Fact
from agents.clause import LANGUAGES, Language
from agents.figures import find_amounts
from agents.tokens import Token, tokenize
from agents.words import table, word_list

_KINDS = table("asking")


def _token_phrases(language: Language) -> dict[str, list[tuple[Token, ...]]]:
    return {
        kind: [tuple(tokenize(text, language)) for text in entry[language]]
        for kind, entry in _KINDS.items()
    }


_PHRASES = {language: _token_phrases(language) for language in LANGUAGES}


def telling(token: Token, language: Language) -> str:
    """Return what a word is known again by where no slip of hearing is allowed for."""
    return token.exact if language == "zh" else token.key


# They name nothing that could be foreign to a fact.
_NEUTRAL = {
    language: frozenset(
        telling(token, language)
        for token in tokenize(" ".join(word_list(f"neutral_{language}")), language)
    )
    for language in LANGUAGES
}


def is_neutral(token: Token, language: Language) -> bool:
    """Say whether a word names no thing: "please", "today", "exactly"."""
    return token.stop or telling(token, language) in _NEUTRAL[language]


def kinds_asked(tokens: Sequence[Token], language: Language) -> frozenset[str]:
    """Return the kinds of thing that the words of a question ask for."""
    words = [telling(token, language) for token in tokens]
    return frozenset(
        kind
        for kind, phrases in _PHRASES[language].items()
        if any(_places(words, [telling(t, language) for t in phrase]) for phrase in phrases)
    )


def kinds_answered(fact: Fact) -> frozenset[str]:
    """Return the kinds of thing a fact can tell, by its keywords and by the amounts it states."""
    stated: set[str] = set()
    found: set[str] = set()
    for language in LANGUAGES:
        for text in fact.sentences(language):
            for one in find_amounts(text):
                stated |= {reading.kind.partition(":")[0] for reading in one.readings}
        for aspect in (fact.whole, *fact.aspects):
            for keyword in aspect.keywords[language]:
                found |= kinds_asked(tokenize(keyword, language), language)
    return frozenset(found | {k for k, e in _KINDS.items() if stated.intersection(e["amounts"])})


def only_asks(tokens: Sequence[Token], language: Language) -> bool:
    """Say whether words ask for a kind of thing and name nothing that it is asked of."""
    keys = [token.key for token in tokens]
    asking: set[int] = set()
    for phrases in _PHRASES[language].values():
        for phrase in phrases:
            for at in _places(keys, [token.key for token in phrase]):
                asking.update(range(at, at + len(phrase)))
    return bool(asking) and all(t.stop or at in asking for at, t in enumerate(tokens))


def _places(words: Sequence[str], phrase: Sequence[str]) -> list[int]:
    size = len(phrase)
    return [at for at in range(len(words) - size + 1) if words[at : at + size] == phrase]
