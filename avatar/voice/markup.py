"""Blanking out what is shown but not said: Markdown, HTML, stage directions, emphasis.

Every step replaces characters one for one, so a place in the result is the same place in the text.
"""

import re
import unicodedata
from typing import Final

_GESTURES: Final = (
    "applaud beam beckon blink blow blush bow chuckle clap clear cough cry cue dance frown gasp "
    "gesture giggle grin hug jump laugh lean nod pause point raise shake shrug sigh sing smile "
    "sniff spin stretch tilt wave whisper wink yawn"
)
_MANNERS: Final = (
    "cheerfully excitedly gently happily quietly sadly shyly softly warmly laughing smiling waving "
    "winking nodding"
)
_HAN_GESTURES: Final = (
    "微笑|大笑|笑|挥手|挥挥手|招手|点头|点点头|摇头|鼓掌|眨眼|鞠躬|叹气|举手|竖起大拇指|比心|拍手|"
    "轻声|停顿|跳舞|转身|指向|歪头|害羞|开心地|兴奋地|温柔地|思考|咳嗽"
)


def _gesture_words() -> str:
    forms = []
    for stem in _GESTURES.split():
        root = stem.removesuffix("e")
        forms.append(f"{stem}(?:s|es)?|{root}ing")
    return "|".join((*forms, *_MANNERS.split(), "cries", "shrugs"))


# A stage direction is short and opens with a gesture: "(waves)", "*smiles warmly*", "（挥手）".
_DIRECTION: Final = (
    rf"(?:(?i:{_gesture_words()})(?![a-z])[^()*\[\]【】（）\n]{{0,40}}|"
    rf"(?:[一-鿿]{{0,4}}?)(?:{_HAN_GESTURES})[一-鿿]{{0,6}})"
)
# What stands between asterisks on its own, a single verb in the third person: "*twirls*".
_LONE_VERB: Final = r"[a-z]{3,20}(?<!s)s(?: [a-z]{1,15}){0,4}"

_FENCE: Final = r"[ \t]{0,8}(?:```|~~~)"

_BLANKED: Final = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"^{_FENCE}[^\n]*\n(?:(?!{_FENCE})[^\n]*\n)*(?:{_FENCE}[^\n]*)?",
        r"!\[[^\[\]\n]{0,300}\]\([^()\s]{0,2000}\)",
        r"(?<=\])\([^()\s]{0,2000}(?: \"[^\"\n]{0,200}\")?\)",
        r"\[\^?\d{1,3}\]",
        r"</?[A-Za-z][^<>\n]{0,300}>|<!--[^<>\n]{0,300}-->",
        r"&(?:nbsp|quot|lt|gt|ensp|emsp|hellip|#\d{1,6});",
        r"(?<=&)amp;",
        r"^[ \t]{0,8}#{1,6}(?=[ \t])",
        r"^[ \t]{0,16}(?:[-+*•·▪◦●○■□▶►✓✔✅☑➤→][ \t]+(?:\[[ xX]\][ \t])?)",
        r"^[ \t]{0,8}(?:>[ \t]?){1,8}",
        r"^[ \t]{0,8}(?:[-*_=][ \t]?){3,}$",
        r"^[ \t]{0,8}\|?(?:[ \t]?:?-{2,}:?[ \t]?\|?){1,50}$",
        rf"\({_DIRECTION}\)|（{_DIRECTION}）|\[{_DIRECTION}\]|【{_DIRECTION}】",
        rf"(?<!\*)\*{_DIRECTION}\*(?!\*)",
        rf"(?:(?<=^)|(?<=[.!?。！？\n] ))\*{_LONE_VERB}\*(?=[ \t]*(?:$|[A-Z\n。]))",
        r"\d\uFE0F?\u20E3",
        r"(?<![\dgmlLGVW个片瓶包袋盒支枚粒米克斤升寸颗条天])\*+|\*+(?!\d)|`+|~~+|(?<![0-9A-Za-z])_+|_+(?![0-9A-Za-z])",
    )
)
_FULL_WIDTH: Final = {
    code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0) not in ",:"
}
_SINGLES: Final = {
    **_FULL_WIDTH,
    **dict.fromkeys(map(ord, "　\u00a0\u2007\u2009\u202f"), ord(" ")),
    ord("’"): ord("'"),
    ord("‘"): ord("'"),
    ord("ʼ"): ord("'"),
    ord("−"): ord("-"),
    ord("‐"): ord("-"),
    ord("‑"): ord("-"),
    ord("〇"): ord("零"),
    ord("_"): ord(" "),
}


def without_markup(text: str) -> str:
    """Return `text`, as long as it was, with spaces where there is nothing to say.

    Full-width letters and digits, other scripts' digits and curly apostrophes become plain ones.
    """
    plain = text
    for pattern in _BLANKED[:-1]:
        plain = pattern.sub(_blank, plain)
    plain = _BLANKED[-1].sub(_blank, plain).translate(_SINGLES)
    return _OTHER_DIGITS.sub(_plain_digit, plain)


_OTHER_DIGITS: Final = re.compile(r"[^\W_](?<![A-Za-z0-9一-鿿])")


def _blank(match: re.Match[str]) -> str:
    """Keep line ends: they are pauses."""
    return "".join("\n" if letter == "\n" else " " for letter in match.group())


def _plain_digit(match: re.Match[str]) -> str:
    letter = match.group()
    if letter in "²³":
        return letter
    value = unicodedata.digit(letter, None)
    return letter if value is None else str(value)
