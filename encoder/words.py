"""Words that leave a sentence open, by language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class EnglishWords:
    """Lower case, without punctuation.

    Attributes:
        dangling: no English clause ends with them in ordinary speech.
        closing_after: pairs (word before -> last words) which do end a clause all the same.
        leads: phrases that announce what is yet to come.
        openers: words before a clause which say nothing about its own completeness.
        subordinators: they open a clause that needs a second one.
        verbs: enough verb forms to tell a clause from a mere phrase.
        digits: digits as words.
        longest_number: digits after which a spoken number is taken as whole.
    """

    dangling: frozenset[str]
    closing_after: Mapping[str, frozenset[str]]
    leads: tuple[str, ...]
    openers: frozenset[str]
    subordinators: frozenset[str]
    verbs: frozenset[str]
    digits: frozenset[str]
    longest_number: int


@dataclass(frozen=True, slots=True)
class MandarinWords:
    """Simplified characters.

    Attributes:
        dangling: endings after which more must follow.
        leads: phrases that announce what is yet to come.
        pairs: what opens a first clause -> what shows that the second one has come.
    """

    dangling: tuple[str, ...]
    leads: tuple[str, ...]
    pairs: Mapping[str, tuple[str, ...]]


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


ENGLISH: Final = EnglishWords(
    dangling=_split(
        "a an the and but or nor because cause although though unless until whether if than "
        "of to from with without for into onto at by about between among during per via toward "
        "my your our their its every i'm i'd i've we're we'd we've they're you're he's she's it's "
        "that's there's what's where's who's i we they he she is are was were am be been being "
        "will would can could shall should may might must cannot can't won't wouldn't couldn't "
        "don't doesn't didn't isn't aren't wasn't not has have had do does did get gets let "
        "very really quite too such as so also even just maybe perhaps like "
        "um uh er erm hmm well which who whose whom what when where while since "
        "want need think wonder wondering want's gonna wanna gotta"
    ),
    closing_after={
        "or": _split("not what so"),
        "if": _split("not so"),
        "why": _split("not"),
        "i": _split("do did am was have can will would could should think don't can't"),
        "you": _split("do did are were have can will would could should think like want need"),
        "we": _split("do did are were have can will would could should think"),
        "they": _split("do did are were have can will would could should think"),
        "it": _split("is was does did do has can will would should"),
        "that": _split("is was does did has it"),
        "there": _split("is are was were"),
        "he": _split("is was does did has can will would"),
        "she": _split("is was does did has can will would"),
        "me": _split("too about"),
        "think": _split("so about of"),
        "hope": _split("so not"),
        "guess": _split("so not"),
        "much": _split("is too"),
        "very": _split("well much"),
        "all": _split("about of"),
        "i'd": _split("like"),
        "what": _split("for about is if"),
        "where": _split("from to at is"),
        "who": _split("for is with"),
        "say": _split("so"),
        "looks": _split("like"),
        "look": _split("like at"),
        "feels": _split("like"),
        "interested": _split("though"),
        "talking": _split("about to"),
        "talk": _split("about to"),
        "looking": _split("for at"),
        "waiting": _split("for"),
        "come": _split("from with"),
        "did": _split("not"),
        "go": _split("to with"),
    },
    leads=(
        "i want to ask",
        "i wanted to ask",
        "i'd like to ask",
        "i would like to ask",
        "i want to know",
        "i wanted to know",
        "i'd like to know",
        "i would like to know",
        "i was wondering",
        "i am wondering",
        "i'm wondering",
        "i wonder",
        "can i ask",
        "may i ask",
        "could i ask",
        "let me ask",
        "let me ask you",
        "can you tell me",
        "could you tell me",
        "tell me",
        "please tell me",
        "do you know",
        "i have a question",
        "i've got a question",
        "my question is",
        "the question is",
        "i mean",
        "you know",
        "kind of",
        "sort of",
        "for example",
        "such as",
        "in order",
        "i'd like",
        "i would like",
        "i'm looking",
        "i am looking",
        "excuse me",
        "ask not",
        "how about",
        "what about",
        "let's say",
        "let me see",
        "let me think",
    ),
    openers=_split("and so but or then now well okay ok um uh er oh yeah also anyway"),
    subordinators=_split("if when because although though unless while since whenever once"),
    verbs=_split(
        "is are was were am be been i'm i'd i've i'll it's that's there's he's she's we're they're "
        "you're what's who's where's how's isn't aren't wasn't don't doesn't didn't can't won't "
        "will would can could shall should may might must do does did have has had ask asks asked "
        "want wants wanted need needs like likes get gets got go goes going went come comes came "
        "know knows think thinks say says said tell tells told make makes made take takes took "
        "give gives gave see sees saw find found buy bought eat eats order orders ordered pay paid "
        "pick picked bring bring's brought call called close closes closed open opens opened start "
        "starts stop stops help helps work works use uses try show shows send sends put keep let "
        "let's mean means cost costs love loves hate speak talk look looks wait happen happened "
        "arrive arrives feel feels live lives leave leaves read write play run runs sit stand "
        "deliver delivers cook bake add change choose recommend suggest thank thanks please"
    ),
    digits=_split("zero oh one two three four five six seven eight nine double triple"),
    longest_number=11,
)

MANDARIN: Final = MandarinWords(
    dangling=(
        "因为",
        "但是",
        "可是",
        "不过",
        "而且",
        "并且",
        "或者",
        "还是说",
        "如果",
        "要是",
        "虽然",
        "所以",
        "然后",
        "还有",
        "以及",
        "比如",
        "比如说",
        "就是说",
        "也就是",
        "关于",
        "对于",
        "至于",
        "根据",
        "除了",
        "和",
        "跟",
        "与",
        "把",
        "被",
        "让",
        "给我",
        "向",
        "从",
        "在",
        "往",
        "对",
        "由",
        "比",
        "为了",
        "的话",
        "是不是",
        "有没有",
        "能不能",
        "可不可以",
        "想要",
        "需要",
        "我想",
        "我要",
        "我觉得",
        "我认为",
        "这个",
        "那个",
        "嗯",
        "呃",
        "一个",
        "一些",
        "很",
        "非常",
        "特别",
        "最",
        "更",
        "不",
        "没有那么",
        "正在",
        "打算",
    ),
    leads=(
        "我想问",
        "我想问一下",
        "我想问问",
        "我想请问",
        "想问",
        "想问一下",
        "请问",
        "请问一下",
        "我问一下",
        "我想知道",
        "想知道",
        "我想了解",
        "我想了解一下",
        "麻烦问一下",
        "我有个问题",
        "我有一个问题",
        "我的问题是",
        "你知道",
        "你能告诉我",
        "告诉我",
        "我的意思是",
        "你能不能",
        "你可以",
        "可以帮我",
        "帮我",
        "我想买",
        "那",
        "就是",
        "那么",
    ),
    pairs={
        "如果": ("就", "那", "怎么", "会", "可以", "吗", "能"),
        "要是": ("就", "那", "怎么", "会", "可以", "吗", "能"),
        "因为": ("所以", "就", "因此"),
        "虽然": ("但", "可是", "不过", "还是", "却"),
        "不但": ("而且", "还", "也"),
        "不仅": ("而且", "还", "也"),
        "只要": ("就",),
        "只有": ("才",),
        "除了": ("还", "都", "也"),
        "当": ("时", "的时候", "就"),
    },
)
