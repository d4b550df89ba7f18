"""Deictic actions: hands that point, at places of which the direction is a parameter."""

import math
from functools import partial
from typing import Final

from motion.actions.hands import FLAT, OPEN, POINTING
from motion.actions.phases import Phases
from motion.actions.schema import Values, direction, entry
from motion.actions.score import (
    BACK,
    Direction,
    Look,
    Reach,
    Score,
    both,
    loosened,
    moved,
    one,
    reach,
)

_SHOULDER: Final = (0.147, 0.02, 0.459)
# Metres a hand goes out at most, to stay in an upright picture: an index by its tip, a palm.
_WIDEST: Final = {"index": 0.17, "palm": 0.16}
_ASIDE: Final = 0.65  # what is further to the side than 40 degrees needs a hand further out
_NEAREST: Final = 0.34  # ahead, so that the whole hand stays before the body
_DEEPEST: Final = 0.18
_INMOST: Final = 0.08  # a hand that points across the body stays on its own side of it,
_OVER: Final = 0.12  # and above the other one


def direction_to(place: tuple[float, float, float]) -> tuple[float, float]:
    """Return (azimuth, elevation) in degrees to a place: metres to the host's left, ahead and up
    from between the shoulders.
    """
    left, ahead, up = place
    return math.degrees(math.atan2(left, ahead)), math.degrees(
        math.atan2(up, math.hypot(left, ahead))
    )


def _toward(v: Values) -> tuple[Direction, float]:
    """Return the unit direction as the main hand sees it, and its azimuth in degrees."""
    out, up = math.radians(v["side"] * v["azimuth"]), math.radians(v["elevation"])
    level = math.cos(up)
    return (level * math.sin(out), level * math.cos(out), math.sin(up)), math.degrees(out)


def _slack(v: Values) -> float:
    """Return how far a hand may be off its place to point right: more, the harder that is."""
    aside, off = abs(v["azimuth"]) - 40.0, abs(v["elevation"]) - 15.0
    return 0.08 + 0.04 * min(1.0, max(0.0, aside) / 20.0 + max(0.0, off) / 10.0)


def _along(aim: Direction, far: float, point: str, lift: float) -> Direction:
    """Return the place `far` metres from the shoulder towards something, a little lower."""
    x, y, z = (s + far * a for s, a in zip(_SHOULDER, aim, strict=True))
    widest = _WIDEST[point] + 0.5 * max(0.0, aim[0] - _ASIDE)
    over = _OVER * max(0.0, -aim[0])
    return min(max(x, _INMOST), widest), max(y, _NEAREST), max(z + lift, _DEEPEST) + over


def _pointing(v: Values, far: float, *, turn: float = 0.25, pitch: float = 0.3) -> Score:
    aim, azimuth = _toward(v)
    place = _along(aim, far, "index", -0.03)
    goal = Reach(
        place, POINTING, aim, (-aim[1], aim[0], -0.4), "index", "index", "world",
        slack=_slack(v), palm_matters=0.15,
    )  # fmt: skip
    body = {"head_turn": turn * azimuth, "torso_turn": 0.1 * azimuth}
    body["head_pitch"] = -pitch * 0.5 * v["elevation"]
    back = {name: 0.4 * value for name, value in body.items()}
    keys = (
        one(0.0, loosened(goal, out=-0.03, ahead=-0.02, up=0.01)),
        one(0.85, moved(goal, *(0.02 * a for a in aim)), **body),
        one(1.0, goal, **body),
        one(2.0, goal, **back),
    )
    look = Look(0.7 * azimuth, -0.7 * v["elevation"], 0.0, 1.3)
    return Score(keys, look, {"browInnerUp": 0.08})


def _index(v: Values) -> Score:
    return _pointing(v, 0.43)


def _product(v: Values) -> Score:
    """The polite way: an open hand, palm up, that leads the eye to its side."""
    aim, azimuth = _toward(v)
    before = math.copysign(0.1, aim[0])  # the hand comes from the other side of its place
    goal = Reach(
        _along(aim, 0.36, "palm", -0.05),
        OPEN,
        aim,
        (-0.45, -0.1, 1.0),
        "palm",
        "fingers",
        "world",
        slack=_slack(v),
        palm_matters=0.25,
    )
    body = {"head_turn": 0.3 * azimuth, "torso_turn": 0.1 * azimuth, "head_pitch": 3.0}
    keys = (
        one(0.0, loosened(goal, out=-before, ahead=-0.02, up=-0.03)),
        one(1.0, goal, **body),
        one(2.0, goal, **(body | {"head_turn": 0.08 * azimuth})),
    )
    return Score(keys, Look(0.7 * azimuth, -0.6 * v["elevation"], 0.0, 1.4))


def _below(_: Values) -> Score:
    goal = reach(
        0.1, 0.3, 0.08, POINTING, (-0.15, 0.35, -0.9), (-0.2, -0.9, -0.3), point="index",
        axis="index",
    )  # fmt: skip
    high = moved(goal, up=0.07)
    keys = (both(0.0, loosened(goal, ahead=0.0, up=0.06)), both(0.5, goal, head_pitch=6.0))
    rest = (both(0.75, high, head_pitch=3.0), both(1.0, goal, head_pitch=6.0), both(2.0, goal))
    return Score((*keys, *rest), Look(0.0, 26.0, 0.0, 0.9))


def _viewer(_: Values) -> Score:
    aim = (-0.1, 1.0, 0.12)
    goal = reach(0.13, 0.46, 0.44, POINTING, aim, (-0.7, 0.0, -0.7), point="index", axis="index")
    keys = (
        one(0.0, loosened(goal, ahead=-0.13)),
        one(0.8, moved(goal, ahead=0.02), torso_pitch=3.0, head_pitch=2.0),
        one(1.0, goal, torso_pitch=3.0, head_pitch=2.0),
        one(2.0, goal, torso_pitch=2.0),
    )
    return Score(keys, Look(0.0, 0.0), {"mouthSmile": 0.1, "browOuterUp": 0.14})


def _self(_: Values) -> Score:
    goal = reach(
        0.0, 0.225, 0.36, OPEN, (-0.8, -0.45, 0.35), BACK, point="middle", adduct=30, inward=30
    )
    keys = (
        one(0.0, moved(goal, out=0.06, ahead=0.1, up=-0.05)),
        one(1.0, goal, head_pitch=3.0, torso_pitch=-1.0),
        one(2.0, goal),
    )
    return Score(keys, face={"browInnerUp": 0.15, "mouthSmile": 0.05})


def _look_here(_: Values) -> Score:
    eye = reach(
        0.12,
        0.2,
        0.66,
        POINTING,
        (-0.35, -0.25, 0.9),
        (-0.6, 0.6, 0.0),
        point="index",
        axis="index",
    )
    out = reach(0.17, 0.36, 0.52, POINTING, (0.0, 0.5, 0.9), (-0.5, 0.6, 0.0), point="index",
                axis="index")  # fmt: skip
    keys = (
        one(0.0, loosened(eye)),
        one(0.45, eye, head_pitch=3.0),
        one(0.6, eye, head_pitch=3.0),
        one(1.0, out, torso_pitch=2.0),
        one(2.0, out, torso_pitch=2.0),
    )
    return Score(keys, Look(0.0, 0.0), {"browOuterUp": 0.3, "browInnerUp": 0.2, "eyeWide": 0.2})


def _screen(v: Values) -> Score:
    """Presents what is shown beside the head: flat hand, palm towards the viewer's picture."""
    aim, azimuth = _toward(v)
    goal = Reach(
        _along(aim, 0.34, "palm", -0.05), FLAT, aim, (-0.2, 0.6, 0.8), "palm", "fingers", "world"
    )
    body = {"head_turn": 0.4 * azimuth, "torso_turn": 0.14 * azimuth, "head_pitch": -2.0}
    keys = (
        one(0.0, loosened(goal, out=-0.1)),
        one(1.0, goal, **body),
        one(1.6, moved(goal, up=-0.03), **body),
        one(2.0, moved(goal, up=-0.03), **body),
    )
    return Score(keys, Look(0.9 * azimuth, -0.8 * v["elevation"], 0.0, 1.7))


_HANDED: Final = "azimuth"


_deictic: Final = partial(entry, "deictic")

DEICTIC: Final = (
    _deictic("point_product", _product, "an open hand leads the eye to the product",
        "摊开手掌，引向产品",
        (("this one", "this product", "right here"), ("这款", "这个产品", "这一款")),
        parameters=direction(-36.0, -16.0), side=_HANDED),
    _deictic("point_left", _index, "points to the host's left", "指向主播左侧",
        (("on my left", "to the left"), ("左边", "左手边")),
        parameters=direction(40.0, -5.0), side=_HANDED),
    _deictic("point_right", _index, "points to the host's right", "指向主播右侧",
        (("on my right", "to the right"), ("右边", "右手边")),
        parameters=direction(-40.0, -5.0), side=_HANDED),
    _deictic("point_link", _index, "points to the corner below where the link is",
        "指向下方角落的链接",
        (("link below", "the cart", "bottom corner"), ("小黄车", "下方链接", "右下角")),
        parameters=direction(38.0, -42.0), side=_HANDED),
    _deictic("point_up", _index, "points up, at a caption or a headline", "指向上方的字幕",
        (("up here", "at the top", "up there"), ("上面", "上方", "屏幕上方")),
        parameters=direction(-25.0, 42.0), side=_HANDED),
    _deictic("look_screen", _screen, "turns to a screen and shows it with the hand",
        "转向屏幕，用手示意",
        (("on the screen", "as you can see", "look at this"), ("屏幕上", "大家看这里", "看图")),
        parameters=direction(-40.0, 14.0), side=_HANDED),
    _deictic("point_below", _below, "both index fingers point down, below the picture",
        "双手食指向下指",
        (("down below", "below", "underneath"), ("下面", "下方", "底下")),
        Phases(stroke=0.75, hold=0.6), hands="both"),
    _deictic("point_viewer", _viewer, "points at the viewer", "指向屏幕前的观众",
        (("all of you", "you guys", "those of you"), ("你们", "屏幕前的你", "各位"))),
    _deictic("point_self", _self, "the fingertips touch the own chest", "指尖轻触自己胸口",
        (("i myself", "my own favourite", "personally"), ("我自己", "我个人", "本人"))),
    _deictic("look_here", _look_here, "an index finger goes from the eye to the front",
        "食指从眼旁指向前方",
        (("look here", "watch this", "look closely"), ("看这里", "看好了", "仔细看")),
        Phases(stroke=0.75, hold=0.5)),
)  # fmt: skip
