"""Emblems of courtesy: greeting, thanking, applauding."""

from motion.actions.hands import (
    FIST,
    FLAT,
    OPEN,
)
from motion.actions.schema import Values
from motion.actions.score import (
    AHEAD,
    BACK,
    IN,
    Look,
    Score,
    both,
    loosened,
    moved,
    one,
    reach,
    two,
)


def welcome(_: Values) -> Score:
    wide = reach(0.205, 0.34, 0.31, OPEN, (0.3, 0.75, 0.5), (-0.1, 0.35, 1.0))
    near = moved(wide, -0.1, -0.03, -0.05, fingers=(0.0, 1.0, 0.2), palm=(-0.7, 0.1, 0.8))
    keys = (
        both(0.0, near),
        both(1.0, wide, head_pitch=5.0, torso_pitch=2.5),
        both(2.0, wide, head_pitch=1.0, torso_pitch=2.0),
    )
    return Score(keys, face={"mouthSmile": 0.08, "browInnerUp": 0.18, "browOuterUp": 0.12})


def wave(_: Values) -> Score:
    middle = reach(0.21, 0.3, 0.56, OPEN, (0.0, 0.1, 1.0), AHEAD, adduct=28)
    left = moved(middle, -0.03, fingers=(-0.4, 0.1, 1.0))
    right = moved(middle, 0.02, fingers=(0.4, 0.1, 1.0))
    shares = (0.25, 0.5, 0.75, 1.0, 1.5)
    keys = [one(0.0, left)]
    for share, place in zip(shares, (right, left, right, left, middle), strict=True):
        keys.append(one(share, place, head_tilt=3.0))
    return Score(
        (*keys, one(2.0, middle)), face={"mouthSmile": 0.14, "browOuterUp": 0.14, "eyeSquint": 0.1}
    )


def applause(_: Values) -> Score:
    met = reach(0.014, 0.33, 0.38, FLAT, (-0.03, 0.75, 0.65), IN)
    apart = moved(met, 0.08)
    keys = [both(0.0, apart)]
    for i in range(4):
        keys += [both((i + 0.5) / 4, met), both((i + 1.0) / 4, apart)]
    keys[-1] = both(1.0, moved(met, 0.03))
    return Score((*keys, both(2.0, met)), face={"mouthSmile": 0.2, "cheekSquint": 0.15})


def bow(v: Values) -> Score:
    depth = 16.0 + 22.0 * v["level"]
    over = reach(-0.005, 0.285, 0.1, FLAT, (-0.8, 0.3, -0.5), (-0.1, -1.0, -0.1), inward=25)
    under = reach(-0.005, 0.235, 0.095, FLAT, (-0.75, 0.35, -0.55), (-0.1, -1.0, 0.0), inward=25)
    keys = (
        two(0.0, moved(over, 0.05, 0.02, 0.02), moved(under, 0.05, 0.02, 0.02)),
        two(1.0, over, under, torso_pitch=depth, head_pitch=12.0),
        two(1.45, over, under, torso_pitch=depth, head_pitch=12.0),
        two(2.0, over, under, torso_pitch=2.0, head_pitch=2.0),
    )
    return Score(keys, Look(0.0, 24.0, 0.3, 1.4), {"mouthSmile": 0.08})


def nod_yes(_: Values) -> Score:
    hand = reach(0.165, 0.37, 0.29, OPEN, (0.05, 1.0, 0.1), (-0.3, 0.0, 1.0))
    keys = [one(0.0, loosened(hand))]
    for share, pitch, up in ((0.35, 9, -0.02), (0.6, 0, 0.01), (0.85, 8, -0.015), (1.0, 2, 0)):
        keys.append(one(share, moved(hand, up=up), head_pitch=float(pitch)))
    return Score((*keys, one(2.0, hand)), face={"mouthSmile": 0.1, "browInnerUp": 0.1})


def prayer(_: Values) -> Score:
    met = reach(0.014, 0.27, 0.39, FLAT, (-0.02, 0.6, 0.8), IN)
    keys = (
        both(0.0, moved(met, 0.06, 0.0, -0.05)),
        both(0.6, met),
        both(1.0, met, torso_pitch=7.0, head_pitch=9.0),
        both(1.5, met, torso_pitch=7.0, head_pitch=9.0),
        both(2.0, met, torso_pitch=1.0),
    )
    return Score(keys, face={"mouthSmile": 0.12, "browInnerUp": 0.15})


def fist_palm(_: Values) -> Score:
    """The Chinese salute: the right fist in the left hand, whichever hand is usual."""
    fist = reach(0.0, 0.345, 0.4, FIST, (-0.85, 0.5, 0.2), (-0.1, -0.6, -0.8), point="knuckles")
    cover = reach(0.035, 0.35, 0.41, FLAT, (-0.25, 0.3, 0.9), (-1.0, -0.15, -0.2))
    apart = two(0.0, moved(fist, 0.06, -0.02, -0.06), moved(cover, 0.08, -0.02, -0.06))
    keys = (
        apart,
        two(0.7, fist, cover),
        two(1.0, moved(fist, ahead=0.03), moved(cover, ahead=0.03), torso_pitch=4, head_pitch=7),
        two(2.0, fist, cover, head_pitch=2.0),
    )
    return Score(keys, face={"mouthSmile": 0.1})


def hand_on_heart(_: Values) -> Score:
    heart = reach(
        -0.045, 0.213, 0.335, FLAT, (-0.85, 0.0, 0.42), BACK, adduct=34, forward=20, inward=45
    )
    keys = (
        one(0.0, moved(heart, 0.09, 0.12, 0.03)),
        one(1.0, heart, head_tilt=4.0, head_pitch=4.0),
        one(2.0, heart, head_tilt=3.0, head_pitch=2.0),
    )
    return Score(keys, face={"mouthSmile": 0.06, "browInnerUp": 0.3})


def cheer(_: Values) -> Score:
    up = reach(0.21, 0.24, 0.6, FIST, (-0.05, 0.0, 1.0), (-0.5, -0.1, 0.0), point="knuckles")
    low = reach(0.2, 0.28, 0.42, FIST, (-0.1, 0.4, 1.0), (-0.5, -0.1, 0.0), point="knuckles")
    keys = (
        one(0.0, low),
        one(0.4, up, head_pitch=-3.0),
        one(0.65, moved(low, up=0.05)),
        one(1.0, up, head_pitch=-3.0),
        one(2.0, up),
    )
    return Score(keys, face={"mouthSmile": 0.3, "cheekSquint": 0.2, "browOuterUp": 0.25})


def blow_kiss(_: Values) -> Score:
    lips = reach(0.02, 0.215, 0.575, FLAT, (-0.5, -0.25, 0.8), (-0.3, -1.0, 0.0), point="middle",
                 adduct=40, forward=40)  # fmt: skip
    away = reach(0.13, 0.42, 0.5, OPEN, (0.0, 0.85, 0.5), (-0.2, -0.2, 1.0))
    keys = (
        one(0.0, loosened(lips, ahead=0.06, up=-0.07)),
        one(0.5, lips, head_pitch=4.0),
        one(0.62, lips, head_pitch=4.0),
        one(1.0, away, head_pitch=-1.0, torso_pitch=2.0),
        one(2.0, away),
    )
    return Score(keys, face={"mouthSmile": 0.15, "mouthPucker": 0.15, "cheekSquint": 0.2})
