"""Phones: from an IPA segment to the articulatory features lips are shaped by.

English and Mandarin as voices write them: plain IPA, ligatures (ʧ, ʨ, ꭧ), the single letters
some front ends use for diphthongs (A, I, O, W, Y, Q), length, stress and tone marks ignored.
What is not listed falls back to its base letter, then to a neutral consonant: nothing raises.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Place = Literal[
    "bilabial",
    "labiodental",
    "dental",
    "alveolar",
    "postalveolar",
    "retroflex",
    "palatal",
    "velar",
    "glottal",
    "labialvelar",
    "labiopalatal",
]


@dataclass(frozen=True, slots=True)
class Vowel:
    """`height` 0 close to 1 open, `backness` 0 front to 1 back, `rounding` 0 to 1."""

    height: float
    backness: float
    rounding: float = 0.0


@dataclass(frozen=True, slots=True)
class Consonant:
    """`sibilant`: a hissing sound, which needs the teeth together."""

    place: Place
    sibilant: bool = False
    rhotic: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A vowel or consonant that takes `share` of its phone's time; shares of a phone sum to 1."""

    features: Vowel | Consonant
    share: float = 1.0


VOWELS: Final[dict[str, Vowel]] = {
    "i": Vowel(0.0, 0.0),
    "y": Vowel(0.0, 0.0, 1.0),
    "ɨ": Vowel(0.05, 0.5),
    "ʉ": Vowel(0.05, 0.5, 1.0),
    "ɯ": Vowel(0.05, 1.0),
    "u": Vowel(0.0, 1.0, 1.0),
    "ɪ": Vowel(0.2, 0.15),
    "ʏ": Vowel(0.2, 0.15, 0.9),
    "ʊ": Vowel(0.2, 0.85, 0.75),
    "e": Vowel(0.4, 0.0),
    "ø": Vowel(0.4, 0.0, 0.9),
    "ɘ": Vowel(0.4, 0.5),
    "ɵ": Vowel(0.4, 0.5, 0.8),
    "ɤ": Vowel(0.42, 1.0),
    "o": Vowel(0.45, 1.0, 0.9),
    "ə": Vowel(0.42, 0.5),
    "ɛ": Vowel(0.6, 0.05),
    "œ": Vowel(0.6, 0.05, 0.8),
    "ɜ": Vowel(0.5, 0.5, 0.15),
    "ɞ": Vowel(0.55, 0.5, 0.6),
    "ʌ": Vowel(0.65, 0.7),
    "ɔ": Vowel(0.68, 1.0, 0.75),
    "æ": Vowel(0.82, 0.0),
    "ɐ": Vowel(0.75, 0.5),
    "a": Vowel(0.95, 0.35),
    "ɶ": Vowel(0.95, 0.0, 0.6),
    "ɑ": Vowel(1.0, 0.9),
    "ɒ": Vowel(0.9, 1.0, 0.45),
    "ɚ": Vowel(0.42, 0.5, 0.35),
    "ɝ": Vowel(0.42, 0.5, 0.35),
    "ᵊ": Vowel(0.35, 0.5),
    "ᵻ": Vowel(0.2, 0.35),
}

_PLACES: Final[dict[Place, str]] = {
    "bilabial": "pbmɸβʙ",
    "labiodental": "fvɱʋⱱ",
    "dental": "θð",
    "alveolar": "tdnlɾszrɬɮɫT",
    "postalveolar": "ʃʒ",
    "retroflex": "ʈɖɳʂʐɭɽ",
    "palatal": "ɕʑcɟɲçjʎʝ",
    "velar": "kɡgŋxɣɰqɢɴχʁ",
    "glottal": "hɦʔħʕ",
    "labialvelar": "wʍ",
    "labiopalatal": "ɥ",
}
_SIBILANTS: Final = frozenset("szʃʒʂʐɕʑ")

CONSONANTS: Final[dict[str, Consonant]] = {
    letter: Consonant(place, sibilant=letter in _SIBILANTS)
    for place, letters in _PLACES.items()
    for letter in letters
} | {
    "ɹ": Consonant("alveolar", rhotic=True),
    "ɻ": Consonant("retroflex", rhotic=True),
}

# Ligatures and the one-letter spellings of diphthongs.
_SPELT: Final[dict[str, str]] = {
    "ʧ": "tʃ",
    "ʤ": "dʒ",
    "ʨ": "tɕ",
    "ʥ": "dʑ",
    "ʦ": "ts",
    "ʣ": "dz",
    "ꭧ": "tʂ",
    "ꭦ": "dʐ",
    "A": "eɪ",
    "I": "aɪ",
    "O": "oʊ",
    "Q": "əʊ",
    "W": "aʊ",
    "Y": "ɔɪ",
    "ɿ": "ɨ",
    "ʅ": "ɨ",
}
_NEUTRAL: Final = Consonant("alveolar")
_SYLLABIC: Final = "\u0329"
_SYLLABIC_ABOVE: Final = "\u030d"
# Modifier letters and tone marks that say nothing about lips.
_IGNORED_CATEGORIES: Final = frozenset({"Lm", "Mn", "Mc", "Me", "Sk", "Nd", "No", "Po", "Ps", "Pe"})


@lru_cache(maxsize=1024)
def segments(ipa: str) -> tuple[Segment, ...]:
    """Return the segments of one phone in order; none for silence or for marks alone."""
    found = [feature for feature in map(_features, _letters(ipa)) if feature is not None]
    shares = _shares(found)
    return tuple(Segment(f, share) for f, share in zip(found, shares, strict=True))


def is_vowel(ipa: str) -> bool:
    """Return whether a phone carries a syllable: a vowel, a diphthong, a syllabic consonant."""
    return any(isinstance(segment.features, Vowel) for segment in segments(ipa))


def _letters(ipa: str) -> list[str]:
    """Split into base letters, ligatures spelt out, a syllabic mark kept with its letter."""
    letters: list[str] = []
    for mark in unicodedata.normalize("NFD", ipa):
        if mark in (_SYLLABIC, _SYLLABIC_ABOVE) and letters:
            letters[-1] += _SYLLABIC
        elif mark in VOWELS or mark in CONSONANTS:
            letters.append(mark)
        elif mark in _SPELT:
            letters.extend(_SPELT[mark])
        elif unicodedata.category(mark)[0] == "L" and unicodedata.category(mark) != "Lm":
            letters.append(mark.lower())
    return letters


def _features(letter: str) -> Vowel | Consonant | None:
    base = letter[0]
    if letter.endswith(_SYLLABIC) and base in CONSONANTS:
        # Mandarin "shi" and "si" hum with the teeth together; m, n and l keep their contact.
        return VOWELS["ɨ"] if base in "ɹɻzʐ" else CONSONANTS[base]
    return VOWELS.get(base) or CONSONANTS.get(base) or _NEUTRAL


def _shares(found: list[Vowel | Consonant]) -> list[float]:
    """Vowels of a phone share its time; a consonant before others takes half as much."""
    weights = [1.0 if isinstance(feature, Vowel) else 0.5 for feature in found]
    if weights and isinstance(found[-1], Consonant):
        weights[-1] = 1.0
    return [weight / sum(weights) for weight in weights]
