"""How finished an English phrase reads."""

import re
from collections.abc import Sequence
from typing import Final

from encoder.finish import Finish


def english_finish(sentence: str) -> Finish:
    """Judge the last sentence of a turn; its punctuation is not looked at."""
    text = sentence.lower().replace("’", "'")
    words = re.findall(r"[a-z']*[a-z][a-z']*|\d+", text)
    if not words:
        return Finish.UNFINISHED
    ending = _ending(words)
    if ending is not Finish.CLOSED:
        return ending
    if _number_read_out(text, words):
        return Finish.COUNTING
    return Finish.UNFINISHED if _clause_missing(words) else Finish.CLOSED


def _ending(words: Sequence[str]) -> Finish:
    line = " ".join(words)
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if " ".join(_without_openers(words)) in _SHORT_QUESTIONS:
        return Finish.DOUBTFUL
    asked = _asks(words)
    if _ends_with(line, _LEADS) or (_ends_with(line, _ASKING_LEADS) and not asked):
        return Finish.OPEN
    if _ends_with(line, _ASIDES) or line in _CALLS:
        return Finish.UNFINISHED
    if before in _CLOSING_PAIRS.get(last, ()):
        return Finish.CLOSED
    if last in _QUESTION_WORDS:
        return Finish.CLOSED if not before else Finish.OPEN
    if last in _STRANDED:
        return Finish.DOUBTFUL if asked else Finish.OPEN
    return Finish.OPEN if last in _DANGLING else Finish.CLOSED


def _asks(words: Sequence[str]) -> bool:
    """Tell whether the last of joined clauses has a question word before its end: "what's it"."""
    parts = [at for at, word in enumerate(words) if word in ("and", "but", "or")]
    clause = words[parts[-1] + 1 if parts else 0 : -1]
    return any(word.partition("'")[0] in _QUESTION_WORDS for word in clause)


def _ends_with(line: str, phrases: Sequence[str]) -> bool:
    return any(line == phrase or line.endswith(f" {phrase}") for phrase in phrases)


def _clause_missing(words: Sequence[str]) -> bool:
    """Tell whether a sentence that a conjunction began still lacks its main clause."""
    rest = _without_openers(words)
    verbs = sum(word in _VERBS for word in rest)
    if rest[0] in _SUBORDINATORS and len(rest) > 1:
        # "Since when?" asks in full.
        return verbs < 2 and rest[-1] not in _QUESTION_WORDS
    # "So my dear friends" and no verb: an address or a subject, whose sentence is to come.
    return len(rest) < len(words) and len(rest) > 2 and not verbs


def _without_openers(words: Sequence[str]) -> list[str]:
    rest = list(words)
    while len(rest) > 1 and rest[0] in _OPENERS:
        rest.pop(0)
    return rest


def _number_read_out(text: str, words: Sequence[str]) -> bool:
    """Tell whether digits are being read out, as of a telephone number: they come in groups."""
    if not (words[-1].isdigit() or words[-1] in _DIGITS) or re.search(r"[$€£¥%:]", text):
        return False
    digits = sum(len(word) if word.isdigit() else word in _DIGITS for word in words)
    others = [word for word in words if not word.isdigit() and word not in _DIGITS]
    announced = not others or bool(_NUMBER_CUES.intersection(others))
    return announced and 3 <= digits < _LONGEST_NUMBER


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


_QUESTION_WORDS: Final = _split("what which who whom whose when where why how")

# No clause ends with these in ordinary speech.
_DANGLING: Final = _split(
    "a an the and but or nor because cause although though unless until whether if than while "
    "my your our their its every i'm i've we're we've they're you're you've he's she's it's that's "
    "there's what's where's who's how's i'll we'll you'll i'd we'd you'd they'd i we they he she "
    "very really quite such so also even just maybe perhaps as not between during per via toward "
    "into onto without um uh er erm gonna wanna gotta wondering"
)

# A clause ends with these only where a question word was moved to its front, or after a pair below.
_STRANDED: Final = _split(
    "of to from with for at by about like is are was were am be been will would can could shall "
    "should may might must has have had do does did get need want think let isn't aren't wasn't "
    "don't doesn't didn't can't cannot won't wouldn't couldn't shouldn't haven't hasn't"
)

# Last word -> the words before it after which it closes a clause all the same.
_SUBJECTS: Final = _split("i you we they he she it that this there who what one")
_CLOSING_PAIRS: Final = {
    **dict.fromkeys(
        _split(
            "is are was were am do does did has have had will would can could should don't doesn't "
            "didn't isn't aren't wasn't can't won't wouldn't couldn't shouldn't haven't hasn't"
        ),
        _SUBJECTS,
    ),
    "i": _split("do did am was have can will would could should may and than"),
    "we": _split("do did are were have can will would could should shall"),
    "they": _split("do did are were have can will would could"),
    "he": _split("is was does did has can will"),
    "she": _split("is was does did has can will"),
    "not": _split(
        "why or hope guess course i'm am is are was were it's that's we're they're you're do does "
        "did will would could should have has can absolutely definitely certainly probably maybe "
        "better if"
    ),
    "so": _split("think hope guess suppose say why believe do not really ever that how"),
    "though": _split("it that good well interesting nice okay"),
    "to": _split("want like love going have need happy up used talking listen supposed"),
    "about": _split("talking thinking all it that hear heard"),
    "for": _split("looking waiting it asking asked paid what"),
    "with": _split("go come it deal agree start begin talking"),
    "like": _split("you looks sounds feels tastes i they we"),
    "at": _split("looking look good"),
    "by": _split("nearby close stand stop drop pass"),
    "need": _split("i you we they all"),
    "want": _split("i you we they"),
    "think": _split("i you we"),
    "get": _split("i you we they"),
    "really": {"", *_split("not no yes oh you very")},
    "even": _split("we're it's not"),
    "maybe": _split("yes no well yeah"),
    "perhaps": _split("yes no well"),
    "because": _split("just"),
    "when": _split("since until by know say"),
    "where": _split("from to know near no"),
    "why": _split("know me that's tell"),
    "how": _split("know me no that's"),
    "who": _split("know with from says guess"),
    "what": _split("for about so know say exactly now guess then like with"),
}

# They announce what is yet to come.
_LEADS: Final = (
    "i want to ask", "i wanted to ask", "i'd like to ask", "i would like to ask",
    "i want to know", "i wanted to know", "i'd like to know", "i would like to know",
    "i was wondering", "i am wondering", "i'm wondering", "i wonder", "can i ask", "may i ask",
    "could i ask", "let me ask", "let me ask you", "could you tell me", "can you tell me",
    "i have a question about", "my question is", "the question is", "such as", "for example",
    "in order", "how about", "what about", "what if", "let's say", "kind of", "sort of",
    "a lot of", "a couple of", "want to", "would like to", "going to", "have to", "need to",
    "how many", "is there any", "are there any", "do you have any", "i'm trying",
)  # fmt: skip

# They too, unless a question word before them is what they ask for: "which sizes do you have".
_ASKING_LEADS: Final = ("do you have", "i'd like", "i would like", "i'm looking")

# Whole by themselves, although within a sentence more would follow.
_SHORT_QUESTIONS: Final = frozenset(
    {"how many", "is there any", "are there any", "do you have any", "hi", "hello", "hey"}
)

_ASIDES: Final = (
    "i mean", "you know", "tell me", "do you know", "i have a question", "i've got a question",
    "let me see", "let me think", "i think", "please tell me",
)  # fmt: skip

_CALLS: Final = ("excuse me", "okay so", "so", "well", "now")

_OPENERS: Final = _split("and so but or then now well okay ok um uh er oh yeah also anyway")

# "Because" is left out: "Because I was hungry." answers a question in full.
_SUBORDINATORS: Final = _split("if when although though unless while since whenever once")

_VERBS: Final = _split(
    "is are was were am be been i'm i'd i've i'll it's that's there's he's she's we're they're "
    "you're what's who's where's how's isn't aren't wasn't don't doesn't didn't can't won't will "
    "would can could shall should may might must do does did have has had ask asks asked want "
    "wants wanted need needs like likes get gets got go goes going went come comes came know knows "
    "think thinks say says said tell tells told make makes made take takes took give gives gave "
    "see sees saw find found buy bought eat eats order orders ordered pay paid pick bring brought "
    "call called close closes closed open opens opened start starts stop stops help helps work "
    "works use uses try show shows send put keep let let's mean means cost costs love loves speak "
    "talk look looks wait happen happened arrive arrives feel feels live leave leaves read write "
    "play run runs deliver delivers cook bake add change choose recommend suggest thank thanks "
    "please wonder hope"
)

_DIGITS: Final = _split("zero oh o one two three four five six seven eight nine double triple")
_NUMBER_CUES: Final = _split("number phone code zip postcode card digits extension pin order")
_LONGEST_NUMBER: Final = 11
