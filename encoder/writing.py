"""From what a recogniser wrote to what a reader expects, and to what was never said."""

import re
from functools import cache
from typing import Final

from opencc import OpenCC

from encoder.tokens import PROMPTS

_CJK: Final = r"\u3400-\u9fff"
_FULL_WIDTH: Final = {",": "，", "?": "？", "!": "！", ";": "；", ":": "：", ".": "。"}
_HALF: Final = re.compile(rf"(?<=[{_CJK}])[,?!;:.](?![\d.])\s*")
_GAP: Final = re.compile(rf"(?<=[{_CJK}，。？！])\s+(?=[{_CJK}])")

HALLUCINATIONS: Final = frozenset({
    "thank you", "thank you very much", "thanks", "thanks for watching", "thank you for watching",
    "you", "the", "i", "bye", "bye bye", "please subscribe",
    "谢谢", "谢谢观看", "谢谢大家", "谢谢大家观看", "感谢观看", "我", "你", "拜拜",
    "请不吝点赞订阅转发打赏支持明镜与点点栏目", "字幕志愿者", "中文字幕志愿者",
})  # fmt: skip
"""What Whisper writes where nothing was said, as `bare` gives it (Mandarin without spaces)."""


def tidy(text: str, language: str, before: str = "") -> str:
    """Return `text` in Simplified characters with full-width punctuation where it is Mandarin.

    `before`: the text it continues, whose last character decides on a leading comma.
    """
    if language != "zh":
        return text
    simple = before[-1:] + _simplifier().convert(text)
    marked = _HALF.sub(lambda match: _FULL_WIDTH[match[0][0]], simple)
    return _GAP.sub("", marked)[len(before[-1:]) :]


def bare(text: str) -> str:
    """Return `text` in lower case, words parted by single spaces, without punctuation."""
    return " ".join(re.sub(r"[^\w\s']|_", " ", text).lower().split())


def implausible(text: str, confidence: float, silence: float) -> bool:
    """Tell whether `text` was made up where nobody spoke.

    `confidence`: exp() of the mean token log-probability. `silence`: the probability of no speech.
    """
    words = _compact(text)
    if not words or confidence < max(0.1, silence / 2):
        return True
    invented = words in HALLUCINATIONS or (len(words) > 1 and words in _prompts())
    return invented and (silence > 0.5 or confidence < 0.5)


def _compact(text: str) -> str:
    return bare(text).replace(" ", "") if re.search(f"[{_CJK}]", text) else bare(text)


@cache
def _prompts() -> str:
    """Return what the decoder was prompted with: on noise it says that again."""
    return "|".join(_compact(prompt) for prompt in PROMPTS.values())


@cache
def _simplifier() -> OpenCC:
    return OpenCC("t2s")
