"""Other ways to say a sentence somebody wrote, by rules that leave what it states alone."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Final

from agents.clause import Language
from agents.rundown.leads import lowered, starts_commonly, telling_data
from agents.rundown.marks import plain

# Forms that may be exchanged for each other, either way.
_FORMS: Final = (
    ("it is", "it's"), ("that is", "that's"), ("do not", "don't"), ("does not", "doesn't"),
    ("is not", "isn't"), ("are not", "aren't"), ("cannot", "can't"), ("will not", "won't"),
    ("you will", "you'll"), ("we have", "we've got"), ("they are", "they're"),
    ("you are", "you're"), ("we are", "we're"), ("let us", "let's"),
)  # fmt: skip
_ADDRESS: Final = {
    "en": ("everyone", "friends", "folks", "everybody"),
    "zh": ("朋友们，", "大家，", "各位，", "各位朋友，"),
}
# What is no statement, or begins in a way that suffers no lead.
_NO_LEAD_EN: Final = re.compile(
    r"(?:hi|hello|hey|welcome|good (?:morning|evening|afternoon)|thanks?|thank you|goodbye|bye|so|"
    r"and|but|now|also|then|okay|right|next|again|yes|no|well|look|remember|once more|let's|let me|"
    r"for everyone|if you|by the way|here we|are you|do you|who|what|why|how|when)\b", re.IGNORECASE
)  # fmt: skip
_NO_LEAD_ZH: Final = re.compile(
    r"大家好|各位|朋友们|欢迎|谢谢|感谢|再见|拜拜|好，|来，|那么|另外|还有|而且|对了|再|顺便|接下来|"
    r"首先|最后|然后|所以|但是|不过|刚进来|嗨|哈喽|有没有|你们|您们"
)
_IF: Final = re.compile(r"^(If|When|Because|Since|Once|As long as) ([^,.!?]+), ([^.!?]+)([.!])$")
_TAIL: Final = re.compile(r"[.。!！]\s*$")


def rewordings(text: str, language: Language, random: Random) -> Iterator[str]:
    """Yield other wordings of a sentence with its marks, each once, in an order of chance.

    Questions and greetings have few: what leads up to a statement does not go with them.
    """
    forms = list(dict.fromkeys([text, *_turned(text, language)]))
    made = [form for form in forms if form != text]
    for form in forms:
        made += _led(form, language)
        made += _addressed(form, language)
    random.shuffle(made)
    yield from dict.fromkeys(made)


def _turned(text: str, language: Language) -> Iterator[str]:
    """Yield the sentence with short forms for long ones, or its clauses the other way round."""
    if language == "zh":
        return
    for long, short in _FORMS:
        for left, right in ((long, short), (short, long)):
            turned = re.sub(rf"\b{re.escape(left)}\b", right, text)
            if turned == text:
                start = re.sub(rf"^{re.escape(left.capitalize())}\b", right.capitalize(), text)
                turned = start
            if turned != text:
                yield turned
    if match := _IF.match(text):
        hinge, condition, rest, stop = match.groups()
        yield f"{rest[:1].upper()}{rest[1:]} {hinge.lower()} {condition}{stop}"


def _led(text: str, language: Language) -> Iterator[str]:
    if not _takes_lead(text, language):
        return
    leads = telling_data(language)["leads"]
    named: Sequence[str] = [*leads["recap"], *leads["colon"]]
    light = [lead for lead in leads["light"] if lead]
    for lead in named:
        yield lead + text if language == "zh" else f"{lead} {lowered(text)}"
    if language == "zh" or starts_commonly(plain(text)):
        for lead in light:
            yield lead + text if language == "zh" else f"{lead} {lowered(text)}"


def _addressed(text: str, language: Language) -> Iterator[str]:
    """Yield the sentence spoken to those who are there."""
    if text.startswith("[") or not _TAIL.search(text):
        return
    if language == "zh":
        if _takes_lead(text, language):
            for address in _ADDRESS["zh"]:
                yield address + text
        return
    for address in _ADDRESS["en"] if _takes_lead(text, language) else ():
        if not re.search(rf"\b{address}\b", text, re.IGNORECASE):
            yield f"{address.capitalize()}, {lowered(text)}"


def _takes_lead(text: str, language: Language) -> bool:
    bare = plain(text)
    if re.search(r"[?？:：]", bare) or text.startswith("["):
        return False
    pattern = _NO_LEAD_ZH if language == "zh" else _NO_LEAD_EN
    if pattern.match(bare) or bare.lower().startswith(_leads(language)):
        return False  # it has one
    return _TAIL.search(bare) is not None


@cache
def _leads(language: Language) -> tuple[str, ...]:
    kinds = telling_data(language)["leads"].values()
    return tuple(lead.lower() for leads in kinds for lead in leads if lead)
