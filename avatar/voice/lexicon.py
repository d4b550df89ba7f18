"""A merchant's pronunciations: written form -> respelling, or phonemes between slashes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from avatar.errors import AvatarValueError
from avatar.voice.alphabet import from_ipa
from avatar.voice.mandarin import syllable
from avatar.voice.spoken import Language

_HAN: Final = re.compile(r"[㐀-鿿]")
_PHONEMES: Final = re.compile(r"/([^/]+)/")
_PINYIN: Final = re.compile(r"(?:[a-zü]+[1-5] ?)+")
_RESPELLING: Final = re.compile(r"[A-Za-z][A-Za-z' -]*|[㐀-鿿]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """How a written form is said. `phonemes`: Kokoro's symbols, "" for the front end's own."""

    said: str
    language: Language
    phonemes: str = ""

    @property
    def spoken_as(self) -> tuple[Language, str, str]:
        """The language, the pause (none) and the phonemes, as a `Span` takes them."""
        return self.language, "", self.phonemes


@dataclass(frozen=True, slots=True)
class Part:
    """A slice of a text: one written form of the lexicon with its entry, or what lies between."""

    start: int
    end: int
    entry: Entry | None


class Lexicon:
    """Entries by written form; upper and lower case are the same.

    A respelling is English letters ("zen trova") or Chinese characters ("崇庆"). Phonemes are IPA
    for English ("/zɛnˈtroʊvə/"), pinyin with tone digits for Mandarin ("/chong2 qing4/").

    Raises:
        AvatarValueError: an entry is neither; the message names it.
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries = {
            written.casefold(): _entry(written, spoken) for written, spoken in entries.items()
        }
        words = sorted(entries, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_bounded, words)), re.IGNORECASE) if words else None

    @classmethod
    def of(cls, entries: "Mapping[str, str] | Lexicon | None") -> "Lexicon":
        """Return `entries` as a lexicon."""
        return entries if isinstance(entries, Lexicon) else cls(entries or {})

    def cut(self, text: str) -> Iterator[Part]:
        """Yield the parts of `text`, in order and without gaps."""
        position = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            if position < match.start():
                yield Part(position, match.start(), None)
            yield Part(*match.span(), self._entries[match.group().casefold()])
            position = match.end()
        if position < len(text):
            yield Part(position, len(text), None)


def _bounded(written: str) -> str:
    before = r"(?<![A-Za-z0-9])" if written[:1].isascii() else ""
    after = r"(?![A-Za-z0-9])" if written[-1:].isascii() else ""
    return before + re.escape(written) + after


def _entry(written: str, spoken: str) -> Entry:
    language: Language = "zh" if _HAN.search(written) else "en"
    phonemes = _PHONEMES.fullmatch(spoken)
    if not written.strip():
        raise AvatarValueError("lexicon: a written form is empty")
    if phonemes and _PINYIN.fullmatch(phonemes[1]):
        return Entry(written, "zh", "".join(map(syllable, phonemes[1].split())))
    if phonemes:
        return Entry(written, "en", from_ipa(phonemes[1]))
    if _RESPELLING.fullmatch(spoken):
        return Entry(spoken, "zh" if _HAN.search(spoken) else "en")
    raise AvatarValueError(
        f"lexicon: {written!r} -> {spoken!r}; accepted are letters, Chinese characters, /IPA/ "
        f"and /pin1 yin1/ ({'Chinese' if language == 'zh' else 'English'} written form)"
    )
