"""Metaphoric actions: hands that give a thought a place, a size or a way."""

from functools import partial
from typing import Final

from motion.actions.hands import CUPPED, FLAT, OPEN, POINTING, RELAXED, counted
from motion.actions.phases import Phases
from motion.actions.schema import Parameter, Values, entry, level
from motion.actions.score import (
    AHEAD,
    BACK,
    DOWN,
    IN,
    UP,
    Look,
    Score,
    both,
    loosened,
    moved,
    one,
    reach,
    through,
    two,
)


def _offer(_: Values) -> Score:
    out = reach(0.17, 0.41, 0.26, OPEN, (-0.05, 1.0, -0.05), (-0.15, 0.0, 1.0))
    keys = (
        one(0.0, loosened(out, ahead=-0.13, up=-0.02)),
        one(1.0, out, torso_pitch=2.5, head_pitch=2.0),
        one(2.0, out, torso_pitch=2.5, head_pitch=2.0),
    )
    return Score(keys, face={"browInnerUp": 0.12, "browOuterUp": 0.1})


def _compare(_: Values) -> Score:
    held = reach(0.2, 0.35, 0.31, CUPPED, (0.1, 1.0, 0.15), (-0.35, 0.0, 1.0))
    low = moved(held, -0.04, -0.03, -0.07)
    keys = (
        two(0.0, low, low),
        two(0.3, held, low, head_turn=8.0, torso_tilt=1.5),
        two(0.5, held, low, head_turn=8.0, torso_tilt=1.5),
        two(0.8, low, held, head_turn=-8.0, torso_tilt=-1.5),
        two(1.0, low, held, head_turn=-8.0, torso_tilt=-1.5),
        two(2.0, moved(held, up=-0.04), moved(held, up=-0.04)),
    )
    return Score(keys, face={"browInnerUp": 0.1})


def _price_drop(v: Values) -> Score:
    fall = 0.12 + 0.16 * v["level"]
    top = reach(0.04, 0.36, 0.48, FLAT, (-0.55, 0.8, 0.0), DOWN, adduct=24, forward=30)
    steps = [moved(top, 0.035 * i, 0.0, -fall * i / 3.0) for i in range(4)]
    keys = [one(0.0, steps[0])]
    for i, place in enumerate(steps[1:], 1):
        keys.append(one(i / 3.0 - 0.1, place, head_pitch=1.5 * i))
        keys.append(one(i / 3.0, place, head_pitch=1.5 * i))
    return Score((*keys, one(2.0, steps[-1], head_pitch=2.0)), face={"browOuterUp": 0.2})


def _price_up(v: Values) -> Score:
    rise = 0.12 + 0.16 * v["level"]
    low = reach(0.06, 0.35, 0.24, FLAT, (-0.75, 0.6, 0.0), UP, adduct=30, forward=25)
    keys = [one(0.0, low)]
    for i in (1, 2, 3):
        place = moved(low, 0.04 * i, 0.0, rise * i / 3.0)
        keys += [
            one(i / 3.0 - 0.1, place, head_pitch=-1.0 * i),
            one(i / 3.0, place, head_pitch=-1.0 * i),
        ]
    return Score((*keys, one(2.0, place)), face={"browOuterUp": 0.25, "browInnerUp": 0.15})


def _grow(v: Values) -> Score:
    far = 0.06 + 0.1 * v["level"]
    small = reach(0.085, 0.33, 0.25, CUPPED, (-0.2, 1.0, 0.3), IN)
    big = moved(small, far, 0.02, 0.13, shape=OPEN, fingers=(0.2, 0.8, 0.6))
    keys = (both(0.0, small), both(1.0, big, head_pitch=-2.0, torso_pitch=-1.5), both(2.0, big))
    return Score(keys, face={"browOuterUp": 0.25, "eyeWide": 0.12, "mouthSmile": 0.08})


def _shrink(v: Values) -> Score:
    near = 0.11 - 0.06 * v["level"]
    wide = reach(0.25, 0.33, 0.32, OPEN, (0.0, 1.0, 0.4), IN)
    keys = (both(0.0, wide), both(1.0, moved(wide, near - 0.25, 0.0, -0.03), head_pitch=3.0))
    last = both(2.0, moved(wide, near - 0.25, 0.0, -0.03), head_pitch=2.0)
    return Score((*keys, last), Look(0.0, 18.0, 0.2, 1.1), {"eyeSquint": 0.15})


def _next(_: Values) -> Score:
    """Both hands roll about each other, forwards."""
    front = reach(-0.02, 0.37, 0.33, RELAXED, (-0.9, 0.35, 0.1), BACK, adduct=22, inward=20)
    high, back, low = (
        moved(front, 0, -0.055, 0.06),
        moved(front, 0, -0.1, 0.0),
        moved(front, 0, -0.055, -0.07),
    )
    ring = (high, front, low, back)
    keys = [two(0.0, back, front)]
    keys += [through(two(i / 8, ring[(i - 1) % 4], ring[(i + 1) % 4])) for i in range(1, 8)]
    offered = reach(0.16, 0.37, 0.28, OPEN, (0.1, 1.0, 0.1), (-0.4, 0.0, 1.0))
    return Score(
        (*keys, two(1.0, front, back), two(1.6, offered, offered), two(2.0, offered, offered))
    )


def _list(v: Values) -> Score:
    """The index of one hand taps the fingers of the other, one after the other."""
    number = int(v["number"])
    shown = {**counted(number), "spread": 10.0}
    held = reach(0.06, 0.34, 0.41, shown, (-0.55, 0.2, 0.8), (0.0, -1.0, 0.3))
    keys = []
    for i in range(number):
        share = (i + 0.6) / number
        touch = reach(0.03 - 0.012 * i, 0.37, 0.505 - 0.018 * i, POINTING, (-0.75, 0.5, -0.05),
                      (0.0, -0.4, -1.0), point="index", axis="index", adduct=32)  # fmt: skip
        away = moved(touch, 0.05, 0.0, 0.03)
        keys += [two(max(0.0, share - 0.4 / number), away, held)]
        keys += [two(min(share, 1.0), touch, held, head_pitch=3.0)]
    keys[0] = two(0.0, keys[0].main, held)  # type: ignore[arg-type]
    return Score(
        (*keys, two(1.0 + 1e-3, touch, held), two(2.0, away, held)), Look(-8.0, 16.0, 0.0, 0.6)
    )


def _split(_: Values) -> Score:
    edge = reach(0.02, 0.34, 0.3, FLAT, (-0.05, 1.0, 0.2), IN)
    high = moved(edge, 0.0, 0.0, 0.13)
    apart = moved(edge, 0.15, 0.0, -0.01, fingers=(0.15, 1.0, 0.15))
    keys = (both(0.0, high), both(0.45, edge, head_pitch=3.0), both(0.55, edge, head_pitch=3.0))
    return Score((*keys, both(1.0, apart), both(2.0, apart)))


def _together(_: Values) -> Score:
    met = reach(-0.004, 0.33, 0.31, OPEN, (-0.7, 0.65, 0.25), (-0.6, -0.75, 0.0), point="middle")
    wide = moved(met, 0.18, 0.02, 0.03, fingers=(-0.1, 1.0, 0.2), palm=IN)
    keys = (both(0.0, wide), both(1.0, met, head_pitch=4.0), both(2.0, met, head_pitch=2.0))
    return Score(keys, face={"mouthSmile": 0.08, "browInnerUp": 0.12})


def _everything(_: Values) -> Score:
    """Both hands draw a wide arc: all of it."""
    met = reach(0.115, 0.36, 0.5, OPEN, (-0.1, 0.5, 1.0), AHEAD, adduct=30)
    side = reach(0.2, 0.36, 0.44, OPEN, (0.25, 0.5, 0.85), (-0.4, 0.7, 0.3))
    low = reach(0.185, 0.38, 0.26, OPEN, (0.15, 1.0, 0.1), (-0.5, 0.1, 0.9))
    keys = (both(0.0, met), through(both(0.5, side, torso_pitch=-1.5)))
    last = (both(1.0, low, head_pitch=2.0), both(2.0, low))
    return Score((*keys, *last), face={"browOuterUp": 0.2, "mouthSmile": 0.06})


def _time(_: Values) -> Score:
    """A finger taps the other wrist, where a watch is worn."""
    wrist = reach(0.02, 0.32, 0.29, FIST_LOOSE, (-0.85, 0.45, 0.15), DOWN, point="wrist", adduct=26)
    tap = reach(-0.02, 0.32, 0.325, POINTING, (-0.6, 0.65, -0.4), (-0.3, -0.4, -0.8), point="index",
                axis="index", adduct=30)  # fmt: skip
    up = moved(tap, 0.01, 0.0, 0.05)
    keys = [two(0.0, up, wrist)]
    for share in (0.3, 0.75):
        keys += [
            two(share, tap, wrist, head_pitch=5.0),
            two(share + 0.22, up, wrist, head_pitch=3.0),
        ]
    keys[-1] = two(1.0, tap, wrist, head_pitch=4.0)
    return Score((*keys, two(2.0, tap, wrist)), Look(-4.0, 24.0, 0.0, 0.8), {"browInnerUp": 0.2})


FIST_LOOSE: Final = {"curl": 55, "thumb": 20, "oppose": 20}


def _idea(_: Values) -> Score:
    temple = reach(0.17, 0.24, 0.64, POINTING, (-0.15, -0.1, 1.0), (-0.7, 0.6, 0.0), point="index",
                   axis="index", adduct=26)  # fmt: skip
    up = moved(temple, 0.01, 0.05, 0.06, fingers=(0.0, 0.0, 1.0))
    keys = (one(0.0, loosened(temple)), one(0.85, moved(up, up=0.02), head_pitch=-2.0))
    face = {"browOuterUp": 0.45, "browInnerUp": 0.3, "eyeWide": 0.3, "mouthSmile": 0.1}
    return Score((*keys, one(1.0, up, head_pitch=-2.0), one(2.0, up)), face=face)


def _money(_: Values) -> Score:
    from_shape = {"index": 34, "middle": 38, "ring": 70, "pinky": 74, "thumb": 12, "oppose": 52}
    to_shape = {**from_shape, "index": 46, "middle": 50, "thumb": -4}
    rub = reach(0.16, 0.36, 0.42, from_shape, (-0.4, 0.8, 0.4), (-0.25, -0.25, 0.95), point="pinch")
    keys = [one(0.0, loosened(rub))]
    keys += [one(i / 6, moved(rub, shape=to_shape if i % 2 else from_shape)) for i in range(1, 7)]
    return Score((*keys, one(2.0, rub)), face={"browOuterUp": 0.15, "mouthSmile": 0.06})


_STEPS: Final = Phases(stroke=1.0, hold=0.4)
_COUNTED: Final = Phases(stroke=1.2, hold=0.3)


_meant: Final = partial(entry, "metaphoric")

METAPHORIC: Final = (
    _meant("offer", _offer, "an open palm offers something", "摊开手掌递给观众",
           (("here you are", "just for you", "for all of you"), ("给大家", "送给", "福利")),
           Phases()),
    _meant("compare", _compare, "weighs one thing against another", "左右手比较两样东西",
           (("compare", "on the one hand", "versus"), ("对比", "相比", "一方面")),
           Phases(stroke=1.2, hold=0.35), hands="two"),
    _meant("price_drop", _price_drop, "a flat hand steps down: the price falls",
        "手掌一级级往下，降价",
           (("price drop", "price drops", "cheaper", "discount", "percent off"),
            ("降价", "打折", "便宜", "优惠")),
           _STEPS, parameters=(level(),)),
    _meant("price_up", _price_up, "a flat hand steps up: it rises", "手掌一级级往上，涨价",
           (("price goes up", "more expensive", "prices rise"), ("涨价", "上涨", "更贵")),
           _STEPS, parameters=(level(),)),
    _meant("grow", _grow, "both hands open: it grows", "双手由小到大张开，增长",
           (("grow", "more and more", "increase"), ("增加", "越来越", "变大")),
           hands="both", parameters=(level(),)),
    _meant("shrink", _shrink, "both hands close: it gets less", "双手由大到小合拢，减少",
           (("shrink", "much less", "reduce"), ("减少", "变小", "缩小")),
           hands="both", parameters=(level(),)),
    _meant("next", _next, "hands roll: next, and so on", "双手滚动，下一个",
           (("next one", "and so on", "moving on"), ("下一个", "接下来", "下面这款")),
           Phases(stroke=1.1, hold=0.6), hands="two"),
    _meant("list_fingers", _list, "counts points off on the fingers", "掰着手指逐条列举",
           (("for one thing", "the reasons", "several points"), ("首先", "几个理由", "几点")),
           _COUNTED, hands="two",
           parameters=(Parameter("number", "count", 1.0, 4.0, 3.0),)),
    _meant("split", _split, "both edges cut, then part: a half", "双手切开再分开，一半",
           (("half and half", "split", "separate"), ("一半", "分开", "拆成")), hands="both"),
    _meant("together", _together, "both hands meet: together", "双手合拢，一起",
           (("together", "combine", "bundle"), ("一起", "组合", "搭配")), hands="both"),
    _meant("everything", _everything, "a wide arc of both hands: all of it", "双手划大弧，全部",
           (("everything", "all of it", "the whole set"), ("全部", "所有", "整个")),
           Phases(stroke=0.9, hold=0.5), hands="both"),
    _meant("hurry", _time, "taps the wrist: time is short", "轻点手腕，抓紧时间",
           (("hurry", "limited time", "minutes left"), ("抓紧", "限时", "倒计时")),
           Phases(stroke=0.95, hold=0.4), hands="two"),
    _meant("idea", _idea, "a finger goes up: an idea", "竖起食指，有主意",
           (("good idea", "i know", "a tip"), ("主意", "我知道", "小技巧"))),
    _meant("money", _money, "thumb and fingers rub: money", "搓手指表示钱",
           (("save money", "good value", "worth the money"), ("省钱", "划算", "值这个价")),
           Phases(stroke=0.9, hold=0.2)),
)  # fmt: skip
