"""Beats: hands that mark what is said without drawing it."""

from functools import partial
from typing import Final

from motion.actions.hands import FLAT, OPEN, PINCH, POINTING, RING
from motion.actions.phases import Phases
from motion.actions.schema import Values, entry, times
from motion.actions.score import IN, Reach, Score, both, loosened, moved, one, reach


def _struck(high: Reach, low: Reach, number: int) -> Score:
    """Write `number` strikes of one hand from high to low; each rebound is smaller."""
    keys = [one(0.0, high)]
    for i in range(number):
        share = (i + 0.55) / (number - 0.2)
        keys.append(one(min(share, 1.0), low, head_pitch=2.0))
        if i < number - 1:
            back = moved(high, up=-0.35 * (high.place[2] - low.place[2]))
            keys.append(one((i + 1.0) / (number - 0.2), back))
    return Score((*keys[:-1], one(1.0, low, head_pitch=2.0), one(2.0, low)))


def _chop(v: Values) -> Score:
    low = reach(0.1, 0.33, 0.23, FLAT, (-0.15, 1.0, -0.1), IN)
    high = moved(low, up=0.13, ahead=-0.02, fingers=(-0.15, 1.0, 0.5))
    return _struck(high, low, int(v["number"]))


def _palms(v: Values) -> Score:
    low = reach(0.165, 0.35, 0.24, OPEN, (0.1, 1.0, 0.05), (-0.25, 0.1, 1.0))
    high = moved(low, up=0.08, ahead=-0.03)
    number = int(v["number"])
    keys = [both(0.0, loosened(low, up=0.02))]
    for i in range(number):
        keys.append(both((i + 0.5) / number, high))
        keys.append(both((i + 1.0) / number, low, head_pitch=2.0))
    return Score((*keys, both(2.0, low)), face={"browInnerUp": 0.1, "browOuterUp": 0.08})


def _emphasise(v: Values) -> Score:
    low = reach(0.09, 0.34, 0.31, RING, (-0.2, 0.6, 0.8), (-0.6, 0.8, 0.0), point="pinch")
    high = moved(low, up=0.1, ahead=-0.03)
    return _struck(high, low, int(v["number"]))


def _mark(v: Values) -> Score:
    low = reach(0.12, 0.33, 0.33, POINTING, (-0.1, 0.5, 1.0), (-0.8, 0.4, 0.0), point="knuckles")
    high = moved(low, up=0.08, fingers=(-0.05, 0.1, 1.0))
    return _struck(high, low, int(v["number"]))


def _precise(v: Values) -> Score:
    low = reach(0.1, 0.34, 0.27, PINCH, (-0.25, 1.0, 0.25), IN, point="pinch")
    out = moved(low, out=0.08, up=0.03)
    score = _struck(moved(low, up=0.09), low, int(v["number"]))
    return Score((*score.keys[:-1], one(1.4, out), one(2.0, out)))


def _reassure(_: Values) -> Score:
    low = reach(0.165, 0.36, 0.23, OPEN, (-0.1, 1.0, 0.0), (0.0, 0.2, -1.0))
    high = moved(low, up=0.09, ahead=-0.03)
    keys = (both(0.0, high), both(0.5, low), both(0.75, moved(low, up=0.05)), both(1.0, low))
    return Score((*keys, both(2.0, low)), face={"browInnerUp": 0.2})


_beat: Final = partial(entry, "beat")

BEATS: Final = (
    _beat("beat_chop", _chop, "chops the air with the edge of the hand", "手掌侧立，有力地切下",
        (("exactly", "clearly", "full stop"), ("没错", "必须的", "就是这样")),
        parameters=(times(2.0, high=3.0),)),
    _beat("beat_palms", _palms, "beats time with both open palms", "双手摊开，随话音轻轻点动",
        (("you see", "basically", "so to speak"), ("你看", "其实", "也就是说")),
        Phases(stroke=0.7, hold=0.35), hands="both", parameters=(times(2.0, high=3.0),)),
    _beat("emphasise", _emphasise, "stresses a point, thumb and index in a ring",
        "拇指食指捏成圈，强调要点",
        (("really", "especially", "the key"), ("特别", "尤其", "关键")),
        parameters=(times(2.0, high=3.0),)),
    _beat("mark_words", _mark, "beats time with a raised index finger", "竖起食指，一字一顿",
        (("mark my words", "important", "remember"), ("记住", "重要", "听好")),
        parameters=(times(2.0, high=3.0),)),
    _beat("precise", _precise, "places a small detail with pinched fingers", "指尖捏拢，指出细节",
        (("precisely", "in detail", "to be precise"), ("细节", "精确", "准确")),
        parameters=(times(1.0, high=3.0),)),
    _beat("reassure", _reassure, "both palms press down softly: no worries",
        "双手掌心向下轻按，请放心",
        (("don't worry", "relax", "no rush"), ("放心", "别担心", "不着急")),
        Phases(stroke=0.75, hold=0.5), hands="both"),
)  # fmt: skip
