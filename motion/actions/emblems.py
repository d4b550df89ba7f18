"""Emblems: hand signs that stand for words."""

from functools import partial
from typing import Final

from motion.actions import courtesy
from motion.actions.hands import (
    CUPPED,
    FINGER_HEART,
    FLAT,
    OPEN,
    PHONE,
    POINTING,
    RING,
    THUMB_OUT,
    VICTORY,
    counted,
)
from motion.actions.phases import Phases
from motion.actions.schema import NUMBER, Values, entry, level
from motion.actions.score import (
    AHEAD,
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


def _thumbs_up(_: Values) -> Score:
    up = reach(0.13, 0.34, 0.38, THUMB_OUT, (-0.1, 0.05, 1.0), IN, point="knuckles", axis="thumb")
    keys = (
        one(0.0, loosened(up, up=-0.09)),
        one(0.8, moved(up, ahead=0.03, up=0.01), head_pitch=3.5),
        one(1.0, up, head_pitch=3.5),
        one(2.0, up),
    )
    return Score(keys, face={"mouthSmile": 0.12, "cheekSquint": 0.15})


def _heart_hands(_: Values) -> Score:
    shape = {"curl": 30, "index": 28, "ring": 33, "thumb": -28, "oppose": 60, "spread": -6}
    made = reach(0.008, 0.31, 0.47, shape, (-0.4, 0.1, 0.9), (-0.9, 0.0, -0.4), point="index")
    keys = (
        both(0.0, moved(loosened(made), out=0.06)),
        both(1.0, made, head_tilt=4.0),
        both(1.5, moved(made, ahead=0.04, up=0.01), head_tilt=4.0, torso_pitch=2.0),
        both(2.0, moved(made, ahead=0.04), head_tilt=3.0),
    )
    return Score(keys, face={"mouthSmile": 0.2, "cheekSquint": 0.25, "browInnerUp": 0.15})


def _heart_fingers(_: Values) -> Score:
    made = reach(
        0.17, 0.33, 0.5, FINGER_HEART, (-0.35, 0.75, 0.4), (-0.3, -0.3, 0.9), point="pinch"
    )
    keys = (
        one(0.0, loosened(made, up=-0.08)),
        one(0.8, moved(made, ahead=0.03), head_tilt=6.0),
        one(1.0, made, head_tilt=6.0),
        one(2.0, made, head_tilt=4.0),
    )
    return Score(keys, face={"mouthSmile": 0.2, "cheekSquint": 0.22})


def _ok(_: Values) -> Score:
    made = reach(0.18, 0.33, 0.48, RING, (-0.05, 0.1, 1.0), (-0.7, 0.7, 0.0))
    keys = (
        one(0.0, loosened(made, up=-0.08)),
        one(0.8, moved(made, ahead=0.03), head_pitch=3.0),
        one(1.0, made, head_pitch=3.0),
        one(2.0, made),
    )
    return Score(keys, face={"mouthSmile": 0.1, "browOuterUp": 0.1})


def _victory(_: Values) -> Score:
    made = reach(0.17, 0.25, 0.6, VICTORY, (0.12, 0.1, 1.0), AHEAD, point="knuckles", adduct=30)
    keys = (
        one(0.0, loosened(made, up=-0.1)),
        one(1.0, made, head_tilt=7.0),
        one(2.0, made, head_tilt=6.0),
    )
    return Score(keys, face={"mouthSmile": 0.25, "cheekSquint": 0.2})


def _think(_: Values) -> Score:
    shape = {"index": 18, "middle": 58, "ring": 66, "pinky": 70, "thumb": 8, "oppose": 30}
    chin = reach(
        0.035, 0.19, 0.558, shape, (-0.35, -0.25, 0.9), (-0.5, -0.8, 0.0), point="index",
        axis="index", frame="chest", adduct=40, forward=36,
    )  # fmt: skip
    body = {"head_tilt": 5.0, "head_turn": 4.0, "head_pitch": -1.0}
    keys = (one(0.0, loosened(chin, ahead=0.06, up=-0.1)), one(1.0, chin, **body))
    face = {"browInnerUp": 0.2, "browDownLeft": 0.1, "eyeSquint": 0.12}
    return Score((*keys, one(2.0, chin, **body)), Look(14.0, -12.0, 0.1, 1.7), face)


def _refuse(_: Values) -> Score:
    palm = reach(0.1, 0.36, 0.42, FLAT, (-0.1, 0.15, 1.0), AHEAD)
    keys = [one(0.0, moved(palm, 0.06))]
    for i, (out, turn) in enumerate(((-0.03, 6.0), (0.1, -6.0), (-0.02, 5.0), (0.06, 0.0))):
        keys.append(one(0.25 * (i + 1), moved(palm, out), head_turn=turn))
    last = moved(palm, 0.06)
    return Score((*keys, one(2.0, last)), face={"browInnerUp": 0.15, "browDown": 0.1})


def _no_no(_: Values) -> Score:
    up = reach(0.16, 0.33, 0.5, POINTING, (0.0, 0.1, 1.0), (-0.1, 1.0, 0.0), point="knuckles",
               axis="index")  # fmt: skip
    inner = moved(up, -0.02, fingers=(-0.5, 0.1, 0.9))
    outer = moved(up, 0.02, fingers=(0.45, 0.1, 0.9))
    keys = [one(0.0, inner)]
    for share, place, turn in (
        (0.25, outer, 4),
        (0.5, inner, -4),
        (0.75, outer, 4),
        (1.0, inner, -4),
    ):
        keys.append(one(share, place, head_turn=float(turn)))
    return Score((*keys, one(2.0, up)), face={"browOuterUp": 0.2, "mouthPress": 0.15})


def _come_closer(_: Values) -> Score:
    open_hand = reach(0.16, 0.4, 0.37, OPEN, (0.0, 0.75, 0.65), (-0.15, -0.55, 0.8))
    curled = moved(
        open_hand, -0.02, -0.07, 0.03, shape={"curl": 52, "thumb": 6}, fingers=(-0.2, 0.2, 1.0)
    )
    keys = (
        one(0.0, open_hand),
        one(0.3, curled, torso_pitch=3.0),
        one(0.55, open_hand, torso_pitch=3.0),
        one(1.0, curled, torso_pitch=4.0, head_pitch=3.0),
        one(2.0, curled, torso_pitch=3.0),
    )
    return Score(keys, face={"mouthSmile": 0.1, "browOuterUp": 0.16})


def _stop(_: Values) -> Score:
    palm = reach(0.12, 0.43, 0.44, FLAT, (0.0, 0.1, 1.0), AHEAD)
    keys = (
        one(0.0, loosened(palm, ahead=-0.14)),
        one(0.8, moved(palm, ahead=0.02), torso_pitch=-1.0),
        one(1.0, palm, torso_pitch=-1.0),
        one(2.0, palm),
    )
    return Score(keys, face={"browOuterUp": 0.15})


def _count(v: Values) -> Score:
    up = reach(0.2, 0.31, 0.53, counted(int(v["number"])), (0.0, 0.05, 1.0), AHEAD)
    low = moved(up, 0.0, -0.03, -0.07, shape={"curl": 70, "thumb": 30, "oppose": 30})
    keys = (one(0.0, low), one(0.85, up, head_pitch=2.0), one(1.0, up), one(2.0, up))
    return Score(keys, face={"browInnerUp": 0.12, "browOuterUp": 0.12})


def _shrug(v: Values) -> Score:
    raised = 8.0 + 12.0 * v["level"]
    up = reach(0.21, 0.29, 0.3, OPEN, (0.45, 0.75, 0.35), (-0.1, 0.2, 1.0), adduct=38, shrug=raised)
    low = reach(0.18, 0.3, 0.23, OPEN, (0.3, 0.9, 0.1), (-0.3, 0.1, 1.0), adduct=38)
    keys = (
        both(0.0, low),
        both(1.0, up, head_tilt=7.0, head_pitch=-1.0),
        both(2.0, up, head_tilt=6.0),
    )
    return Score(keys, face={"browInnerUp": 0.35, "browOuterUp": 0.25, "mouthFrown": 0.2})


def _call_me(_: Values) -> Score:
    ear = reach(
        0.105, 0.08, 0.64, PHONE, (-0.1, -0.35, 0.9), (-1.0, 0.1, 0.0), point="thumb",
        adduct=36, forward=40, flex=95,
    )  # fmt: skip
    body = {"head_tilt": -5.0}
    keys = (one(0.0, loosened(ear, out=0.06, ahead=0.06, up=-0.08)), one(1.0, ear, **body))
    return Score((*keys, one(2.0, ear, **body)), face={"mouthSmile": 0.15, "browOuterUp": 0.15})


def _listen(_: Values) -> Score:
    ear = reach(
        0.135, 0.095, 0.66, CUPPED, (-0.1, -0.35, 0.9), (-0.35, 0.9, 0.2), point="palm",
        adduct=22, forward=45,
    )  # fmt: skip
    body = {"head_turn": -9.0, "head_tilt": 5.0, "torso_pitch": 3.0}
    keys = (one(0.0, loosened(ear, out=0.05, ahead=0.08, up=-0.08)), one(1.0, ear, **body))
    return Score((*keys, one(2.0, ear, **body)), face={"browInnerUp": 0.25, "browOuterUp": 0.2})


def _shush(_: Values) -> Score:
    lips = reach(
        0.0, 0.21, 0.63, POINTING, (-0.08, 0.05, 1.0), (-0.9, -0.2, 0.0), point="index",
        axis="index", adduct=42, forward=45, inward=20,
    )  # fmt: skip
    body = {"head_pitch": 4.0, "torso_pitch": 3.0}
    keys = (one(0.0, loosened(lips, out=0.05, ahead=0.07, up=-0.09)), one(1.0, lips, **body))
    face = {"browOuterUp": 0.25, "mouthPucker": 0.2, "eyeSquint": 0.15}
    return Score((*keys, one(2.0, lips, **body)), face=face)


def _cross(_: Values) -> Score:
    arms = reach(
        -0.03,
        0.29,
        0.45,
        FLAT,
        (-0.5, 0.2, 0.85),
        point="wrist",
        adduct=55,
        forward=45,
        inward=20,
        flex=85,
    )
    front = moved(arms, 0.0, 0.085, -0.01)
    apart = two(0.0, moved(front, 0.14, 0.0, -0.05), moved(arms, 0.14, 0.0, -0.05))
    keys = (
        apart,
        two(1.0, front, arms, head_turn=3.0),
        two(2.0, front, arms),
    )
    return Score(keys, face={"browDown": 0.2, "mouthPress": 0.1})


_SWUNG: Final = Phases(stroke=0.95, hold=0.25)
_LONG: Final = Phases(prepare=0.5, stroke=0.55, hold=0.8, retract=0.75)


_emblem: Final = partial(entry, "emblem")

EMBLEMS: Final = (
    _emblem("welcome", courtesy.welcome, "both arms open to welcome everybody", "双手张开欢迎大家",
            (("welcome", "hello everyone"), ("欢迎", "大家好")), hands="both"),
    _emblem("wave", courtesy.wave, "waves hello or goodbye", "挥手打招呼或再见",
            (("hi there", "hello there", "bye bye", "goodbye"), ("嗨", "你好", "再见", "拜拜")),
            _SWUNG),
    _emblem("thumbs_up", _thumbs_up, "thumb up: great", "竖起大拇指，点赞",
            (("that's great", "excellent choice", "well done"), ("真棒", "点赞", "很赞"))),
    _emblem("heart_hands", _heart_hands, "both hands make a heart", "双手比心",
            (("love you", "love you all"), ("爱你们", "比心", "爱大家")), _LONG, hands="both"),
    _emblem("heart_fingers", _heart_fingers, "thumb and index make a small heart", "手指比心",
            (("love it", "little heart"), ("喜欢", "笔芯", "小心心"))),
    _emblem("ok", _ok, "the OK sign", "比OK手势",
            (("no problem", "that's all right", "all set"), ("没问题", "好的呀", "就这么定了"))),
    _emblem("victory", _victory, "a V of two fingers beside the face", "脸旁比剪刀手",
            (("yay", "we did it", "hooray"), ("耶", "剪刀手", "拍照"))),
    _emblem("think", _think, "a finger at the chin, thinking", "手指托下巴思考",
            (("let me think", "hmm", "i wonder"), ("想一想", "让我想想", "我想想"))),
    _emblem("refuse", _refuse, "an open palm waves it off", "摆手拒绝",
            (("not at all", "no need", "not possible"), ("不用了", "不需要", "绝不")), _SWUNG),
    _emblem("no_no", _no_no, "a raised index finger says no", "食指左右摇，不行",
            (("no no", "nope", "don't do that"), ("不行", "不可以", "不不不")), _SWUNG),
    _emblem("come_closer", _come_closer, "beckons the viewer to come closer", "招手请靠近",
            (("come closer", "come here", "join us"), ("过来", "靠近一点", "来来来")),
            Phases(stroke=0.85, hold=0.35)),
    _emblem("stop", _stop, "a palm to the front: stop, wait", "手掌向前，停一下",
            (("stop there", "wait a moment", "hold on"), ("等一下", "停一停", "且慢"))),
    _emblem("count", _count, "shows one to five fingers", "用手指比出数字一到五",
            (("count them", "let me count", "one by one"),
             ("数一数", "数数看", "一个一个来")), parameters=(NUMBER,)),
    _emblem("applause", courtesy.applause, "claps", "鼓掌",
            (("applause", "bravo", "congratulations"), ("鼓掌", "掌声", "恭喜")),
            Phases(stroke=1.1, hold=0.15), hands="both"),
    _emblem("bow", courtesy.bow, "bows, the hands before the body", "鞠躬致意",
            (("thank you very much", "honoured", "my apologies"), ("鞠躬", "非常感谢", "抱歉")),
            Phases(0.5, 0.75, 0.9, 0.6), hands="two", parameters=(level(),)),
    _emblem("nod_yes", courtesy.nod_yes, "nods, the hand open: yes", "点头并摊手，表示肯定",
            (("yes, of course", "of course", "yes, it is"), ("是的", "当然", "对的")),
            Phases(stroke=0.85, hold=0.35)),
    _emblem("thanks", courtesy.prayer, "palms together: thank you", "双手合十致谢",
            (("thank you", "thanks", "grateful"), ("谢谢", "感谢", "感恩")), _LONG, hands="both"),
    _emblem("fist_palm", courtesy.fist_palm, "fist in hand, the Chinese salute", "抱拳行礼",
            (("respect", "much obliged"), ("抱拳", "多谢捧场", "承蒙")), _LONG, hands="two"),
    _emblem("hand_on_heart", courtesy.hand_on_heart, "a hand on the heart: honestly",
        "手放胸口，真心",
            (("honestly", "from my heart", "i promise"), ("真心", "发自内心", "保证")), _LONG),
    _emblem("shrug", _shrug, "shrugs, both palms up", "耸肩摊手",
            (("who knows", "no idea", "whatever"), ("谁知道", "没办法", "不知道")),
            hands="both", parameters=(level(),)),
    _emblem("cheer", courtesy.cheer, "pumps a fist: come on", "握拳加油",
            (("come on", "let's go", "yes!"), ("加油", "冲", "太好了")),
            Phases(stroke=0.8, hold=0.4)),
    _emblem("call_me", _call_me, "thumb and little finger as a telephone", "比打电话手势",
            (("call us", "give us a call", "contact us"), ("打电话", "联系我们", "客服"))),
    _emblem("listen", _listen, "a hand behind the ear: tell me", "手放耳边倾听",
            (("tell me", "i'm listening", "louder"), ("告诉我", "听听", "大声点"))),
    _emblem("shush", _shush, "a finger on the lips: a secret", "食指放唇边，嘘",
            (("secret", "between us", "don't tell anyone"), ("秘密", "悄悄告诉你", "嘘"))),
    _emblem("blow_kiss", courtesy.blow_kiss, "blows a kiss", "飞吻",
            (("kisses", "mwah"), ("么么哒", "飞吻", "亲亲")), Phases(stroke=0.8, hold=0.4)),
    _emblem("cross_arms", _cross, "forearms crossed: none of that", "双臂交叉表示禁止",
            (("forbidden", "none of that", "absolutely not"), ("禁止", "绝对不", "绝对没有")),
            hands="two"),
)  # fmt: skip
