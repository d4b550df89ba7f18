"""Chinese characters to Kokoro's phonemes: words by jieba, readings by pypinyin.

Kokoro's Mandarin is written as broad IPA, one syllable after the other, a space between words, and
an arrow for the tone at the end of the syllable's vowel: first level, second rising, third dipping,
fourth falling, none for the neutral tone. The transcription follows Duanmu, The Phonology of
Standard Chinese (2007), in the symbols that the model was trained on.
"""

import logging
from functools import cache
from typing import Final

import jieba
from pypinyin import Style, lazy_pinyin
from pypinyin.constants import PINYIN_DICT

from avatar.errors import AvatarValueError

_TONES: Final = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}

_INITIALS: Final = {
    "b": "p",
    "p": "pʰ",
    "m": "m",
    "f": "f",
    "d": "t",
    "t": "tʰ",
    "n": "n",
    "l": "l",
    "g": "k",
    "k": "kʰ",
    "h": "x",
    "j": "ʨ",
    "q": "ʨʰ",
    "x": "ɕ",
    "zh": "ꭧ",
    "ch": "ꭧʰ",
    "sh": "ʂ",
    "r": "ɻ",
    "z": "ʦ",
    "c": "ʦʰ",
    "s": "s",
}

# The tone's place is marked by "0", after the vowel that carries it.
_FINALS: Final = {
    "a": "a0",
    "ai": "ai0",
    "an": "a0n",
    "ang": "a0ŋ",
    "ao": "au0",
    "e": "ɤ0",
    "ei": "ei0",
    "en": "ə0n",
    "eng": "ə0ŋ",
    "er": "ɚ0",
    "i": "i0",
    "ia": "ja0",
    "ian": "jɛ0n",
    "iang": "ja0ŋ",
    "iao": "jau0",
    "ie": "je0",
    "in": "i0n",
    "ing": "i0ŋ",
    "io": "jɔ0",
    "iong": "jʊ0ŋ",
    "iu": "jou0",
    "o": "wo0",
    "ong": "ʊ0ŋ",
    "ou": "ou0",
    "u": "u0",
    "ua": "wa0",
    "uai": "wai0",
    "uan": "wa0n",
    "uang": "wa0ŋ",
    "ui": "wei0",
    "un": "wə0n",
    "ueng": "wə0ŋ",
    "uo": "wo0",
    "ü": "y0",
    "üe": "ɥe0",
    "üan": "ɥɛ0n",
    "ün": "y0n",
    "ê": "ɛ0",
}

_INTERJECTIONS: Final = {
    "o": "ɔ0",
    "m": "m0",
    "n": "n0",
    "ng": "ŋ0",
    "hm": "hm0",
    "hng": "hŋ0",
}

_WITHOUT_INITIAL: Final = (
    ("yuan", "üan"),
    ("yue", "üe"),
    ("yun", "ün"),
    ("yu", "ü"),
    ("yong", "iong"),
    ("you", "iu"),
    ("yi", "i"),
    ("y", "i"),
    ("yo", "uo"),
    ("wu", "u"),
    ("wei", "ui"),
    ("weng", "ueng"),
    ("wen", "un"),
    ("wong", "ong"),
    ("w", "u"),
)
_LONG_INITIALS: Final = ("zh", "ch", "sh")


def warm_up() -> None:
    """Load the dictionaries (about a second, once in a process)."""
    words("你好")
    readings("你好")


@cache
def _segmenter() -> jieba.Tokenizer:
    jieba.setLogLevel(logging.WARNING)
    segmenter = jieba.Tokenizer()
    # Its own initialize() would trust a cache file in the shared folder for temporary files.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def words(text: str) -> list[str]:
    """Return the words of `text` (Chinese characters alone), which join to it."""
    return [str(word) for word in _segmenter().cut(text)]


def readings(text: str) -> list[str]:
    """Return the pinyin of each character of `text`, tone digit last ("hao3"; 5 is neutral)."""
    # A character without a reading would shift the others: it gets the sound of hesitation.
    known = "".join(letter if ord(letter) in PINYIN_DICT else "呃" for letter in text)
    return lazy_pinyin(known, Style.TONE3, v_to_u=True, neutral_tone_with_five=True)


def syllable(pinyin: str) -> str:
    """Return Kokoro's symbols for one syllable of pinyin with a tone digit, "v" or "ü" for ü.

    Raises:
        AvatarValueError: it is no Mandarin syllable.
    """
    plain, tone = pinyin[:-1].lower().replace("v", "ü"), pinyin[-1:]
    if tone not in _TONES:
        raise AvatarValueError(f"pinyin {pinyin!r} does not end in a tone digit, 1 to 5")
    initial, final = _split(plain)
    if final not in _FINALS and plain not in _INTERJECTIONS:
        raise AvatarValueError(f"{pinyin!r} is not a syllable of pinyin")
    shape = _INTERJECTIONS.get(plain) or _INITIALS.get(initial, "") + _rime(initial, final)
    return shape.replace("0", _TONES[tone])


def _split(plain: str) -> tuple[str, str]:
    for spelling, final in _WITHOUT_INITIAL:
        if plain.startswith(spelling):
            return "", final + plain[len(spelling) :]
    initial = plain[:2] if plain[:2] in _LONG_INITIALS else plain[:1]
    if initial not in _INITIALS:
        return "", plain
    final = plain[len(initial) :]
    if initial in ("j", "q", "x") and final.startswith("u"):
        final = "ü" + final[1:]
    return initial, {"uei": "ui", "uen": "un", "iou": "iu", "ue": "üe"}.get(final, final)


def _rime(initial: str, final: str) -> str:
    if final == "i" and initial in ("zh", "ch", "sh", "r", "z", "c", "s"):
        return "ɨ0"
    return _FINALS[final]
