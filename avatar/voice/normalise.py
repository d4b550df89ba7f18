"""Text as shown to text as said."""

import re
from collections.abc import Mapping

from avatar.voice.spoken import Language, Span, Spoken

_TOKENS = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*|[㐀-鿿]+|[,.!?;:，。！？；：…、]")
_PAUSES = {"，": ",", "。": ".", "！": "!", "？": "?", "；": ";", "：": ":", "、": ","}


def normalise(text: str, language: str, lexicon: Mapping[str, str] | None = None) -> Spoken:
    """Return how `text` is said."""
    spans: list[Span] = []
    for match in _TOKENS.finditer(text):
        said = match.group()
        if said[0] in ",.!?;:，。！？；：…、":
            if spans:
                last = spans[-1]
                pause = _PAUSES.get(said, said)
                spans[-1] = Span(last.said, last.start, last.end, last.language, pause)
            continue
        of: Language = "zh" if said[0] >= "㐀" else "en"
        spans.append(Span(said, match.start(), match.end(), of))
    return Spoken(text, tuple(spans))
