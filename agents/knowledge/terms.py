"""The terms that texts are searched by: stems in English, words of jieba in Chinese."""

import logging
import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import jieba

from agents.tokens import STOP_WORDS, simplified, stem
from agents.words import characters as character_list

CHARACTER_WEIGHT: Final = 0.3
_RUN: Final = re.compile(r"[\u3400-\u9fff]+|[^\W_]+(?:'[a-z]+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_STOP_HAN: Final = character_list("stop_zh")


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a text, in order and as often as they come, without stop words.

    Attributes:
        words: stems, and Chinese words with the words within them.
        characters: Chinese characters, which find what words are cut differently; they weigh
            `CHARACTER_WEIGHT` of a word.
    """

    words: tuple[str, ...]
    characters: tuple[str, ...]


def terms(text: str) -> Terms:
    """Return the terms of a text in any mix of languages.

    Traditional characters are as Simplified ones.
    """
    words: list[str] = []
    characters: list[str] = []
    for run in _RUN.findall(simplified(text.lower().replace("’", "'"))):
        if _HAN.match(run):
            cut = _segmenter().cut_for_search(run)
            words += [word for word in cut if len(word) > 1 or word not in _STOP_HAN]
            characters += [each for each in run if each not in _STOP_HAN]
        elif run not in STOP_WORDS:
            words.append(stem(run.partition("'")[0]))
    return Terms(tuple(words), tuple(characters))


def asked(text: str) -> Terms:
    """Return the terms a query is searched by: each Chinese character may be a word as well."""
    found = terms(text)
    return Terms(
        tuple(dict.fromkeys((*found.words, *found.characters))),
        tuple(dict.fromkeys(found.characters)),
    )


@cache
def _segmenter() -> jieba.Tokenizer:
    jieba.setLogLevel(logging.WARNING)
    segmenter = jieba.Tokenizer()
    # Its own initialize() would trust a cache file in the shared folder for temporary files.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
