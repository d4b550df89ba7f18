"""The terms that texts are searched by: stems in English, words of jieba in Chinese."""

import logging
import re
from functools import cache
from typing import Final

import jieba

from agents.tokens import STOP_WORDS, simplified, stem
from agents.words import characters

_RUN: Final = re.compile(r"[\u3400-\u9fff]+|[^\W_]+(?:'[a-z]+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_STOP_HAN: Final = characters("stop_zh")


def terms(text: str) -> list[str]:
    """Return the terms of a text in any mix of languages, in order, without stop words.

    Chinese words bring their parts along, so that "保温杯" is found by "保温"; Traditional
    characters are as Simplified ones.
    """
    found: list[str] = []
    for run in _RUN.findall(simplified(text.lower().replace("’", "'"))):
        if _HAN.match(run):
            words = _segmenter().cut_for_search(run)
            found += [word for word in words if len(word) > 1 or word not in _STOP_HAN]
        elif run not in STOP_WORDS:
            found.append(stem(run.partition("'")[0]))
    return found


@cache
def _segmenter() -> jieba.Tokenizer:
    jieba.setLogLevel(logging.WARNING)
    segmenter = jieba.Tokenizer()
    # Its own initialize() would trust a cache file in the shared folder for temporary files.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
