"""Words and syllables: what questions and facts are compared by."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from opencc import OpenCC
from pypinyin import Style, lazy_pinyin

from agents.clause import Language
from agents.words import characters, pattern, word_list

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_HAN = re.compile(r"[\u3400-\u9fff]")
# "where's" is "where is" to a keyword; a possessive, "the shop's", is left alone.
_CONTRACTED = re.compile(r"\b(what|where|when|who|how|which|why|there|here)'s\b")

# Words that say little about the subject.
STOP_WORDS = frozenset(word_list("stop_en"))
# Everyday words a misheard keyword is never guessed from.
COMMON_WORDS = STOP_WORDS | frozenset(word_list("common_en"))
# The characters of Chinese words that say little about the subject.
_STOP_HAN = characters("stop_zh")

_QUESTION_EN = re.compile(pattern("question_en"))
_QUESTION_ZH = re.compile(pattern("question_zh"))


@dataclass(frozen=True, slots=True)
class Token:
    """A comparable unit.

    Attributes:
        key: a stem in English, a syllable without tone in Chinese.
        exact: the word or character it came from, in its Simplified form.
        stop: whether it says little about the subject.
    """

    key: str
    exact: str
    stop: bool


def tokenize(text: str, language: Language) -> list[Token]:
    """Return the tokens of a text; in Chinese one a character, Latin words in it whole."""
    return _chinese(text) if language == "zh" else _english(text)


def is_question(text: str, language: Language) -> bool:
    """Say whether an utterance asks for something; recognised speech may lack the mark."""
    if language == "zh":
        return bool(_QUESTION_ZH.search(text))
    return bool(_QUESTION_EN.search(text.lower().replace("’", "'")))


def simplified(text: str) -> str:
    """Return a text in Simplified characters."""
    plain: str = _simplifier().convert(text)
    return plain


def is_short(text: str, language: Language) -> bool:
    """Say whether an utterance is a mere phrase, "vegan pizza", which asks by naming a thing."""
    tokens = tokenize(text, language)
    return len(tokens) <= (5 if language == "zh" else 3)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its common English endings."""
    if word.isdigit() or len(word) < 4:
        return word
    word = word.removesuffix("'s")
    for ending, rest in (("ies", "y"), ("ing", ""), ("ery", "er"), ("ed", ""), ("es", "e")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + rest
            break
    else:
        if word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=4096)
def distance(left: str, right: str) -> int:
    """Return the Levenshtein distance of two words."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


def allowed_distance(word: str) -> int:
    """Return how many letters a misheard word of this length may differ by."""
    return 0 if len(word) < 4 else 1 if len(word) < 7 else 2


def _english(text: str) -> list[Token]:
    plain = text.lower().replace("’", "'").replace("-", " ")
    words = _WORD.findall(_CONTRACTED.sub(r"\1 is", plain))
    return [Token(stem(word), word, word in STOP_WORDS) for word in words]


def _chinese(text: str) -> list[Token]:
    tokens: list[Token] = []
    for run in re.findall(r"[\u3400-\u9fff]+|[a-z0-9]+", simplified(text.lower())):
        if not _HAN.match(run):
            tokens.append(Token(stem(run), run, run in STOP_WORDS))
            continue
        syllables = lazy_pinyin(run)
        tokens.extend(
            Token(_merge(syllable), char, char in _STOP_HAN)
            for char, syllable in zip(run, syllables, strict=True)
        )
    return tokens


@lru_cache(maxsize=4096)
def same_sound(left: str, right: str) -> bool:
    """Say whether two characters are spoken alike, tone included."""
    return lazy_pinyin(left, style=Style.TONE3) == lazy_pinyin(right, style=Style.TONE3)


@cache
def _simplifier() -> OpenCC:
    return OpenCC("t2s")


@lru_cache(maxsize=2048)
def _merge(syllable: str) -> str:
    """Merge the sounds recognisers and speakers of many regions confuse."""
    for retroflex, plain in (("zh", "z"), ("ch", "c"), ("sh", "s")):
        if syllable.startswith(retroflex):
            syllable = plain + syllable[2:]
    for back in ("ang", "eng", "ing"):
        if syllable.endswith(back):
            syllable = syllable[:-1]
    return syllable
