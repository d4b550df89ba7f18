"""Phoneme alphabets: Kokoro's symbols, plain IPA segments, and the IPA of Piper's voices.

Kokoro reads one symbol per token: letters of the IPA, capitals for English diphthongs, arrows for
Mandarin tones. The numbers are those of the model's own configuration (Kokoro-82M, Apache-2.0).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from avatar.errors import AvatarValueError

KOKORO_IDS: Final[dict[str, int]] = {
    symbol: number
    for first, symbols in (
        (1, ";:,.!?"),
        (9, '—…"()“” \u0303ʣʥʦʨᵝꭧAI'),
        (31, "O"),
        (33, "Q"),
        (35, "ST"),
        (39, "W"),
        (41, "Yᵊabcdefgh"),
        (51, "ijklmnopqrstuvwxyzɑɐɒæ"),
        (75, "βɔɕç"),
        (80, "ɖðʤə"),
        (85, "ɚɛɜ"),
        (90, "ɟ"),
        (92, "ɡ"),
        (99, "ɥ"),
        (101, "ɨɪʝ"),
        (110, "ɯɰŋɳɲɴø"),
        (118, "ɸθœ"),
        (123, "ɹ"),
        (125, "ɾɻ"),
        (128, "ʁɽʂʃʈʧ"),
        (135, "ʊʋ"),
        (138, "ʌɣɤ"),
        (142, "χʎ"),
        (147, "ʒʔ"),
        (156, "ˈˌː"),
        (162, "ʰ"),
        (164, "ʲ"),
        (169, "↓"),
        (171, "→↗↘"),
        (177, "ᵻ"),
    )
    for number, symbol in enumerate(symbols, first)
    if symbol != "g"
}
"""Token number of every symbol; 0 opens and closes an utterance."""

PAUSES: Final = ";:,.!?—…"
STRESSES: Final = {"ˈ": 1, "ˌ": 2}
TONES: Final = "↓→↗↘"

_SEGMENTS: Final[dict[str, tuple[str, ...]]] = {
    "A": ("e", "ɪ"),
    "I": ("a", "ɪ"),
    "O": ("o", "ʊ"),
    "Q": ("ə", "ʊ"),
    "W": ("a", "ʊ"),
    "Y": ("ɔ", "ɪ"),
    "T": ("ɾ",),
    "ᵊ": ("ə",),
    "ᵻ": ("ɪ",),
    "ʤ": ("dʒ",),
    "ʧ": ("tʃ",),
    "ʦ": ("ts",),
    "ʣ": ("dz",),
    "ʨ": ("tɕ",),
    "ʥ": ("dʑ",),
    "ꭧ": ("ʈʂ",),
}
_VOWELS: Final = frozenset("aeiouyɑɐɒæɔəɚɛɜɨɪɯøœʊʌɤ")

_IPA_TO_KOKORO: Final = (
    ("t͡ʃ", "ʧ"),
    ("d͡ʒ", "ʤ"),
    ("tʃ", "ʧ"),
    ("dʒ", "ʤ"),
    ("eɪ", "A"),
    ("aɪ", "I"),
    ("oʊ", "O"),
    ("əʊ", "O"),
    ("aʊ", "W"),
    ("ɔɪ", "Y"),
    ("ɝ", "ɜɹ"),
    ("ɜː", "ɜ"),
    ("ɚ", "əɹ"),
    ("ɾ", "T"),
    ("r", "ɹ"),
    ("g", "ɡ"),
    ("ː", ""),
    (".", ""),
)


@dataclass(frozen=True, slots=True)
class Segment:
    """One IPA segment, its stress, and the range of symbols it came from.

    `share`: the part of those symbols' time that is this segment's, as (start, end) in [0, 1].
    """

    ipa: str
    stress: int
    first: int
    last: int
    share: tuple[float, float] = (0.0, 1.0)


def segments(symbols: str) -> Iterator[Segment]:
    """Yield the IPA segments of Kokoro `symbols`; pauses are "" and spaces belong to no segment.

    Stress marks lend their time to the vowel after them, aspiration and tones to the sound before.
    """
    first = 0
    stress = 0
    for index, symbol in enumerate(symbols):
        if symbol in STRESSES:
            stress = STRESSES[symbol]
            continue
        if index + 1 < len(symbols) and symbols[index + 1] == "ʰ":
            continue
        parts = _parts(symbols, index)
        last = index
        while last + 1 < len(symbols) and symbols[last + 1] in TONES:
            last += 1
        for number, ipa in enumerate(parts):
            vowel = ipa[:1] in _VOWELS
            share = (number / len(parts), (number + 1) / len(parts))
            yield Segment(ipa, stress if vowel else 0, first, last, share)
            if vowel and number + 1 == len(parts):
                stress = 0
        first = last + 1


def _parts(symbols: str, index: int) -> tuple[str, ...]:
    symbol = symbols[index]
    if symbol in TONES or symbol == " ":
        return ()
    if symbol in PAUSES or symbol in '"()“”':
        return ("",)
    if symbol == "ʰ":
        return tuple(
            part + "ʰ" for part in _SEGMENTS.get(symbols[index - 1], (symbols[index - 1],))
        )
    return _SEGMENTS.get(symbol, (symbol,))


def from_ipa(ipa: str) -> str:
    """Return English `ipa` in Kokoro's symbols.

    Raises:
        AvatarValueError: it holds something that is no symbol of the alphabet.
    """
    text = ipa
    for source, target in _IPA_TO_KOKORO:
        text = text.replace(source, target)
    unknown = sorted(set(text) - KOKORO_IDS.keys())
    if unknown:
        raise AvatarValueError(
            f"phonemes /{ipa}/: {' '.join(unknown)} is not in the IPA of English"
        )
    return text


def kokoro_ids(symbols: str) -> list[int]:
    """Return the token numbers of `symbols`, without those that open and close.

    Raises:
        AvatarValueError: a symbol is not in Kokoro's alphabet.
    """
    try:
        return [KOKORO_IDS[symbol] for symbol in symbols]
    except KeyError as error:
        raise AvatarValueError(f"symbol {error.args[0]!r} is not in Kokoro's alphabet") from None
