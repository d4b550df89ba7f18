"""Word times for voices that give none: each word lasts in proportion to its letters."""

from typing import Final

from avatar.speech import Word
from avatar.voice.spoken import Span, Spoken

# Letters of English, and characters of Mandarin, in a second of ordinary speech.
_RATES: Final = {"en": 15.0, "zh": 4.6}
_BETWEEN: Final = {"en": 1.0, "zh": 0.0}
_PAUSES: Final = {"": 0.0, ",": 0.2, ";": 0.25, ":": 0.2}
_SENTENCE: Final = 0.4


class WordClock:
    """Gives each stretch of sound, in order, the words that are spoken in it."""

    def __init__(self, spoken: Spoken, speed: float) -> None:
        self._words: list[Word] = []
        now = 0.0
        for span in spoken.spans:
            end = now + _seconds(span) / speed
            if text := spoken.written(span):
                self._words.append(Word(text, now, end))
            now = end + _PAUSES.get(span.pause, _SENTENCE) / speed
        self._heard = 0.0

    def within(self, seconds: float, last: bool) -> tuple[Word, ...]:
        """Return the words of the next `seconds` of sound, timed from its start.

        The last stretch gets all that remain, even if they should take longer than it lasts.
        """
        start, end = self._heard, self._heard + seconds
        self._heard = end
        count = len(self._words) if last else sum(word.start < end for word in self._words)
        now, self._words = self._words[:count], self._words[count:]
        return tuple(Word(word.text, word.start - start, word.end - start) for word in now)


def _seconds(span: Span) -> float:
    return (len(span.said) + _BETWEEN[span.language]) / _RATES[span.language]
