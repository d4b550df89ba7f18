"""Little words that accompany a speaker and do not ask for the floor."""

import re
from typing import Final

_WORD: Final = re.compile(r"[\w']+")
_ENGLISH: Final = frozenset(
    {"ah", "aha", "hm", "hmm", "huh", "mhm", "mm", "mmhm", "mmhmm", "mmm", "oh", "ok", "okay"}
    | {"right", "sure", "uh", "uhhuh", "um", "wow", "yeah", "yep", "yes"}
)
_MANDARIN: Final = frozenset(
    {"嗯", "嗯嗯", "哦", "噢", "喔", "啊", "唉", "哎", "呃", "额", "好", "好的", "好吧", "行"}
    | {"对", "对对", "是", "是的"}
)


def is_backchannel(text: str) -> bool:
    """Whether an utterance in English or Mandarin is at most two such words."""
    words = [word.casefold() for word in _WORD.findall(text.replace("-", ""))]
    return len(words) <= 2 and all(word in _ENGLISH or word in _MANDARIN for word in words)


def has_words(text: str) -> bool:
    """Whether there is anything in it that is said."""
    return bool(_WORD.search(text))
