"""How finished a Mandarin phrase reads, in Simplified characters."""

import re
from typing import Final

from encoder.finish import Finish


def mandarin_finish(sentence: str, *, asked: bool = False) -> Finish:
    """Judge the last sentence of a turn; its punctuation parts clauses, no more.

    `asked`: whether a question mark followed it.
    """
    core = re.sub(r"[^\w]", "", sentence)
    if not core:
        return Finish.UNFINISHED
    if core in _ANSWERS or core.endswith(_ASKING):
        return Finish.CLOSED
    if core in _HESITATIONS or (core.endswith(_LEADS + _DANGLING) and not core.endswith(_WHOLE)):
        return Finish.OPEN
    if _number_read_out(core):
        return Finish.COUNTING
    if asked:
        return Finish.CLOSED
    if core in _POINTING or _ONE_OF_THEM.search(core):
        return Finish.DOUBTFUL
    halting = core.endswith(_HALTING) or _clause_missing(sentence)
    return Finish.UNFINISHED if halting else Finish.CLOSED


def _clause_missing(sentence: str) -> bool:
    """Tell whether a first clause stands whose second has not come."""
    for opener, answers in _PAIRS.items():
        before, found, rest = sentence.partition(opener)
        if opener == "只要" and before.strip():
            # "I only want..." is no condition.
            continue
        clauses = [part for part in re.split(r"[,，;；]", rest) if re.search(r"\w", part)]
        if found and len(clauses) < 2 and not any(answer in rest for answer in answers):
            return True
    return False


def _number_read_out(core: str) -> bool:
    """Tell whether digits are being read out, as of a telephone number: they come in groups."""
    found = re.search(r"(?:^|号码是?|电话是?|号是)([\d零一二三四五六七八九幺两]{3,10})$", core)
    return found is not None


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Whole answers, although some of them leave a longer phrase open.
_ANSWERS: Final = _words(
    "嗯 对 不 好 是 有 没 没有 不是 可以 行 要 不要 不对 对对 对的 好的 是的 需要 不需要 都要 "
    "不在 在"
)

_HESITATIONS: Final = _words("那 就是 那么 那个 然后 呃 额 嗯那个 就是说 你好请问")

# They close every question, even of words that otherwise demand more.
_ASKING: Final = ("吗", "呢")

# They name a thing in view as often as they fill a pause.
_POINTING: Final = _words("这个 就这个 就那个 是那个 一个")

# "One" that stands for a thing: "which one", "so much for one", "give us one".
_ONE_OF_THEM: Final = re.compile("(?:[哪来换钱块元第这每]|最后|另外|(?<!一)下|同样)一个$")

# Words that end like one of those below.
_WHOLE: Final = _words(
    "送给我 发给我 拿给我 寄给我 还给我 交给我 递给我 带给我 很特别 真特别 挺特别 什么特别 暖和 "
    "温和 柔和 平和 自由 理由 什么打算"
)

# They announce what is yet to come.
_LEADS: Final = _words(
    "想问 想问一下 想问问 想请问 请问 请问一下 问一下 想知道 想了解 想了解一下 我的问题是 "
    "我的意思是 你能告诉我 能不能告诉我 能不能帮我 可以帮我 请帮我 我想买 我想要 我想 我觉得 "
    "我认为 我需要 你能不能 我打算 你们有没有 如果我 麻烦你"
)

# Nothing ends with these in ordinary speech.
_DANGLING: Final = _words(
    "因为 但是 可是 不过 而且 并且 或者 如果 要是 虽然 所以 然后 以及 比如 比如说 就是说 "
    "也就是 关于 对于 至于 根据 除了 为了 和 跟 与 把 被 让 给我 往 由 很 非常 特别 更 呃 额 "
    "正在 打算 的话 还有就是"
)

_HALTING: Final = _words(
    "有没有 可不可以 能不能 我有个问题 我有一个问题 告诉我 我要 一个 一些 还有 你知道 嗯 从 比 "
    "最 那个"
)

# What opens a first clause -> what shows that the second one has come.
_PAIRS: Final = {
    "如果": ("就", "那", "怎么", "会", "可以", "吗", "能", "多"),
    "要是": ("就", "那", "怎么", "会", "可以", "吗", "能", "多"),
    "虽然": ("但", "可是", "不过", "还是", "却"),
    "不但": ("而且", "还", "也"),
    "不仅": ("而且", "还", "也"),
    "只要": ("就",),
    "除了": ("还", "都", "也"),
}
