"""Iconic actions: hands that draw what is spoken of: its size, its shape, what is done with it."""

from functools import partial
from typing import Final

from motion.actions.hands import (
    CUPPED,
    FLAT,
    GRIP,
    OPEN,
    PINCH,
    POINTING,
    RELAXED,
    WIDEST_PINCH,
    pinched,
)
from motion.actions.phases import Phases
from motion.actions.schema import Values, entry, size
from motion.actions.score import (
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

_DOWNWARD: Final = Look(0.0, 22.0, 0.0, 0.9)


def _show_size(v: Values) -> Score:
    """Flat hands face each other, as far apart as the thing is wide."""
    apart = reach(
        0.5 * v["size"], 0.42, 0.32, FLAT, (0.0, 1.0, 0.12), IN, point="middle", frame="world"
    )
    near = moved(apart, -0.14 * v["size"], -0.03, -0.02)
    keys = (both(0.0, near), both(1.0, apart, head_pitch=4.0), both(2.0, apart, head_pitch=1.0))
    return Score(keys, _DOWNWARD, {"browInnerUp": 0.1, "browOuterUp": 0.1})


def _show_thickness(v: Values) -> Score:
    made = reach(
        0.07,
        0.35,
        0.45,
        pinched(v["size"]),
        (-0.55, 0.5, 0.6),
        (-0.6, 0.2, -0.7),
        point="pinch",
        adduct=34,
    )
    near = moved(made, 0.0, -0.05, -0.05, shape=pinched(0.4 * v["size"]))
    keys = (one(0.0, near), one(1.0, made, head_tilt=3.0), one(2.0, made, head_tilt=2.0))
    return Score(keys, Look(6.0, 8.0, 0.0, 1.0), {"eyeSquint": 0.25, "browDown": 0.08})


def _show_height(v: Values) -> Score:
    """One palm above the other, as far as the thing is high."""
    base = 0.31 - 0.4 * v["size"]
    floor = reach(0.02, 0.33, base, FLAT, (-0.8, 0.6, 0.0), UP, frame="world", adduct=32)
    roof = reach(
        0.02, 0.33, base + v["size"], FLAT, (-0.8, 0.6, 0.0), DOWN, frame="world", adduct=8,
        forward=30, inward=20,
    )  # fmt: skip
    low = moved(roof, up=-0.3 * v["size"])
    keys = (two(0.0, low, floor), two(1.0, roof, floor, head_pitch=2.0), two(2.0, roof, floor))
    return Score(keys, Look(0.0, 14.0, 0.0, 0.8), {"browInnerUp": 0.1})


def _show_length(v: Values) -> Score:
    """Both index fingers draw a line apart, to as long as the thing is."""
    far = reach(
        0.5 * v["size"], 0.38, 0.41, POINTING, (-0.1, 0.35, 0.9), (-0.9, 0.35, 0.0), point="index",
        axis="index", frame="world",
    )  # fmt: skip
    met = moved(far, 0.05 - 0.5 * v["size"])
    keys = (both(0.0, met), both(1.0, far, head_pitch=2.0), both(2.0, far))
    return Score(keys, _DOWNWARD, {"browOuterUp": 0.12})


def _show_round(v: Values) -> Score:
    """Cupped hands hold a ball."""
    held = reach(0.5 * v["size"], 0.35, 0.33, CUPPED, (-0.25, 1.0, 0.35), (-1.0, 0.0, 0.15))
    over = moved(held, -0.12 * v["size"], 0.02, 0.3 * v["size"], palm=(-0.6, -0.1, -0.8))
    under = moved(held, -0.1 * v["size"], 0.02, -0.35 * v["size"], palm=(-0.6, 0.0, 0.8))
    keys = (both(0.0, over), through(both(0.4, held)), both(0.75, under), both(1.0, held))
    return Score((*keys, both(2.0, held)), _DOWNWARD)


def _stack(_: Values) -> Score:
    """Flat hands pile up layers, one over the other."""
    first = reach(-0.01, 0.34, 0.2, FLAT, (-0.8, 0.6, 0.0), DOWN, adduct=14, forward=22, inward=18)
    levels = [moved(first, up=0.072 * i) for i in range(4)]
    lifted = moved(first, 0.09, 0.0, 0.04)
    keys = (
        two(0.0, levels[0], moved(levels[0], 0.1, 0.0, 0.05)),
        two(0.3, levels[0], levels[1], head_pitch=4.0),
        through(two(0.45, moved(lifted, up=0.1), levels[1], head_pitch=3.0)),
        two(0.62, levels[2], levels[1], head_pitch=2.0),
        through(two(0.8, levels[2], moved(lifted, up=0.22), head_pitch=1.0)),
        two(1.0, levels[2], levels[3]),
        two(2.0, levels[2], levels[3]),
    )
    return Score(keys, Look(0.0, 20.0, 0.0, 0.8))


def _unbox(_: Values) -> Score:
    """Both hands lift the flaps of a box and fold them out."""
    shut = reach(0.068, 0.4, 0.3, FLAT, (-0.5, 0.85, 0.1), DOWN, point="middle", adduct=20)
    up = reach(0.12, 0.36, 0.37, OPEN, (0.0, 0.6, 0.9), (-0.9, 0.1, 0.3))
    wide = reach(0.175, 0.38, 0.29, OPEN, (0.3, 0.9, 0.3), (-0.2, 0.0, 1.0))
    keys = (
        both(0.0, shut, head_pitch=4.0),
        through(both(0.5, up, head_pitch=3.0)),
        both(1.0, wide, head_pitch=1.0),
        both(2.0, wide),
    )
    return Score(keys, _DOWNWARD, {"browOuterUp": 0.3, "browInnerUp": 0.2, "mouthSmile": 0.1})


def _pour(_: Values) -> Score:
    """The main hand tips a bottle over the other, which holds a cup."""
    cup = reach(0.05, 0.33, 0.24, GRIP, (-0.6, 0.8, 0.05), (-0.8, -0.6, 0.0))
    level = reach(0.06, 0.4, 0.43, GRIP, (-0.35, 0.9, 0.15), (-0.95, -0.3, 0.0), adduct=16)
    tipped = moved(level, -0.03, 0.0, 0.02, palm=(-0.35, 0.0, -0.9), fingers=(-0.5, 0.85, 0.0))
    keys = (
        two(0.0, level, cup),
        two(0.55, tipped, cup, head_pitch=5.0, head_tilt=-3.0),
        two(1.0, moved(tipped, up=0.03), cup, head_pitch=5.0, head_tilt=-3.0),
        two(2.0, moved(tipped, up=0.03), cup, head_pitch=3.0),
    )
    return Score(keys, Look(0.0, 20.0, 0.0, 1.2))


def _spray(_: Values) -> Score:
    """The index presses a nozzle again and again while the can moves along."""
    loose = {**GRIP, "index": 22}
    pressed = {**GRIP, "index": 52}
    can = reach(0.2, 0.36, 0.38, loose, (-0.3, 0.8, 0.6), (-0.95, -0.1, 0.0))
    keys = [one(0.0, can)]
    for i in range(3):
        along = moved(can, -0.05 * (i + 0.5), 0.0, 0.02)
        keys.append(one((i + 0.5) / 3, moved(along, shape=pressed)))
        keys.append(one((i + 1.0) / 3, moved(along, -0.025)))
    return Score((*keys, one(2.0, moved(along, -0.03))), Look(-10.0, 10.0, 0.1, 0.9))


def _present(_: Values) -> Score:
    """Picks something up and holds it before the viewer, the other palm behind it."""
    low = reach(0.12, 0.36, 0.15, RELAXED, (-0.3, 0.85, -0.4), (-0.8, 0.1, -0.6))
    picked = moved(low, 0.0, 0.0, 0.0, shape=PINCH)
    shown = reach(0.05, 0.39, 0.46, PINCH, (-0.4, 0.25, 0.9), (-0.8, -0.4, 0.2), point="pinch")
    wait = reach(0.2, 0.3, 0.2, RELAXED, (-0.2, 1.0, 0.0), (-0.6, 0.0, 0.7))
    behind = reach(0.04, 0.3, 0.36, FLAT, (-0.5, 0.3, 0.8), (-0.3, 0.9, 0.3))
    under = moved(behind, 0.02, 0.06, -0.04, fingers=(-0.75, 0.6, 0.2), palm=(0.0, 0.1, 1.0))
    keys = (
        two(0.0, low, wait, head_pitch=6.0),
        two(0.25, picked, wait, head_pitch=6.0),
        two(0.75, shown, under, head_pitch=0.0),
        two(1.0, shown, under),
        two(2.0, moved(shown, ahead=0.02), under),
    )
    return Score(keys, Look(4.0, 26.0, 0.0, 0.6), {"mouthSmile": 0.1, "browOuterUp": 0.12})


def _texture(_: Values) -> Score:
    """The fingertips of one hand stroke the palm of the other."""
    palm = reach(0.05, 0.34, 0.28, OPEN, (-0.5, 0.85, 0.1), (-0.1, 0.0, 1.0))
    heel = reach(-0.03, 0.33, 0.325, FLAT, (-0.6, 0.75, -0.3), (-0.1, -0.2, -1.0), point="middle",
                 adduct=18)  # fmt: skip
    tips = moved(heel, 0.05, 0.075, 0.0)
    keys = (
        two(0.0, moved(heel, up=0.03), palm),
        two(0.15, heel, palm, head_pitch=4.0),
        two(0.45, tips, palm, head_pitch=4.0),
        two(0.7, heel, palm, head_pitch=4.0),
        two(1.0, tips, palm, head_pitch=3.0),
        two(2.0, tips, palm),
    )
    return Score(keys, Look(0.0, 24.0, 0.0, 1.1), {"mouthSmile": 0.08})


def _dab(_: Values) -> Score:
    """Fingertips pat the cheek, as with a cream."""
    soft = {"index": 10, "middle": 12, "ring": 16, "pinky": 22, "thumb": 4, "oppose": 12}
    cheek = reach(0.05, 0.168, 0.608, soft, (-0.45, -0.35, 0.85), (-0.7, -0.65, 0.0),
                  point="middle", adduct=26, forward=42)  # fmt: skip
    off = moved(cheek, 0.025, 0.02, -0.01)
    higher = moved(cheek, 0.008, -0.015, 0.03)
    keys = [one(0.0, loosened(cheek, out=0.06, ahead=0.05, up=-0.05))]
    for share, place in ((0.3, cheek), (0.5, off), (0.7, higher), (0.85, off), (1.0, cheek)):
        keys.append(one(share, place, head_tilt=-4.0, head_turn=-5.0))
    last = one(2.0, higher, head_tilt=-3.0, head_turn=-4.0)
    return Score((*keys, last), face={"mouthSmile": 0.12, "eyeSquint": 0.12})


def _sweep(_: Values) -> Score:
    """A flat hand sweeps across, fast."""
    start = reach(-0.05, 0.38, 0.4, FLAT, (-0.7, 0.7, 0.1), DOWN, adduct=22, inward=25)
    middle = reach(0.12, 0.42, 0.37, FLAT, (-0.05, 1.0, 0.1), DOWN, adduct=18)
    end = reach(0.215, 0.37, 0.36, FLAT, (0.45, 0.85, 0.15), (0.1, 0.2, -1.0), adduct=22)
    keys = (
        one(0.0, start, head_turn=-5.0),
        through(one(0.5, middle)),
        one(1.0, end, head_turn=6.0),
        one(2.0, end, head_turn=2.0),
    )
    return Score(keys, Look(12.0, 10.0, 0.3, 0.9))


def _circle(_: Values) -> Score:
    """An index finger draws a circle that faces the viewer."""
    top = reach(0.1, 0.38, 0.52, POINTING, (-0.1, 0.9, 0.45), (-0.5, -0.1, -0.8), point="index",
                axis="index", adduct=24)  # fmt: skip
    out, low, inner = (
        moved(top, 0.09, 0, -0.09),
        moved(top, 0, 0, -0.18),
        moved(top, -0.09, 0, -0.09),
    )
    keys = (
        one(0.0, top),
        through(one(0.2, out)),
        through(one(0.4, low)),
        through(one(0.6, inner)),
        through(one(0.8, top)),
        one(1.0, out, head_pitch=1.0),
        one(2.0, out),
    )
    return Score(keys, Look(3.0, 10.0, 0.0, 0.9))


def _write(_: Values) -> Score:
    """A pen grip writes on the other palm."""
    paper = reach(0.04, 0.35, 0.28, FLAT, (-0.45, 0.85, 0.25), (-0.2, -0.25, 0.95))
    pen = reach(0.01, 0.36, 0.33, PINCH, (-0.4, 0.8, -0.3), (-0.85, -0.3, -0.4), point="pinch",
                adduct=36)  # fmt: skip
    keys = [two(0.0, moved(pen, -0.03, 0.0, 0.02), paper, head_pitch=4.0)]
    for i, (out, up) in enumerate(
        ((-0.03, 0), (-0.02, 0.012), (-0.005, 0), (0.01, 0.012), (0.02, 0), (0.045, 0.004)), 1
    ):
        keys.append(two(i / 6, moved(pen, out, 0.0, up), paper, head_pitch=5.0))
    return Score((*keys, two(2.0, moved(pen, 0.05, 0.0, 0.03), paper)), Look(0.0, 24.0, 0.0, 1.0))


def _tap_phone(_: Values) -> Score:
    """One hand holds a telephone, the index of the other taps it."""
    hold = {"index": 34, "middle": 38, "ring": 42, "pinky": 46, "thumb": -2, "oppose": 42}
    phone = reach(0.04, 0.34, 0.36, hold, (-0.4, 0.5, 0.75), (-0.35, -0.75, 0.5))
    tap = reach(0.0, 0.345, 0.42, POINTING, (-0.45, 0.8, -0.3), (-0.4, -0.2, -0.9), point="index",
                axis="index", adduct=24)  # fmt: skip
    off = moved(tap, 0.02, -0.045, 0.015)
    keys = [two(0.0, off, phone, head_pitch=5.0)]
    for share, place in ((0.3, tap), (0.5, off), (0.8, tap), (1.0, off)):
        keys.append(two(share, place, phone, head_pitch=5.0))
    return Score((*keys, two(2.0, off, phone, head_pitch=2.0)), Look(0.0, 22.0, 0.0, 1.0))


def _drink(_: Values) -> Score:
    cup = reach(0.03, 0.25, 0.57, GRIP, (-0.7, 0.1, 0.5), (-0.7, -0.65, 0.1), adduct=28, forward=42)
    low = moved(cup, 0.08, 0.08, -0.14)
    tipped = moved(cup, 0.0, -0.005, 0.025, palm=(-0.65, -0.5, -0.45), fingers=(-0.65, 0.2, 0.7))
    keys = (one(0.0, low), one(0.6, cup), one(1.0, tipped, head_pitch=-6.0))
    last = one(2.0, moved(cup, 0.05, 0.06, -0.08), head_pitch=1.0)
    return Score((*keys, one(1.4, tipped, head_pitch=-6.0), last), face={"eyeSquint": 0.1})


def _twist(_: Values) -> Score:
    """Opens a cap: one hand holds, the other turns."""
    jar = reach(0.02, 0.34, 0.26, GRIP, (-0.75, 0.65, 0.0), (-0.65, -0.75, 0.0))
    cap = {**CUPPED, "thumb": 12, "oppose": 44}
    turned = [
        reach(0.03, 0.34, 0.37, cap, fingers, DOWN, adduct=12, forward=26)
        for fingers in ((-0.9, 0.3, -0.15), (-0.25, 0.95, -0.15))
    ]
    keys = (
        two(0.0, turned[0], jar, head_pitch=4.0),
        two(0.4, turned[1], jar, head_pitch=4.0),
        two(0.65, turned[0], jar, head_pitch=4.0),
        two(1.0, turned[1], jar, head_pitch=4.0),
        two(2.0, moved(turned[1], 0.03, 0.01, 0.04), jar),
    )
    return Score(keys, Look(0.0, 22.0, 0.0, 1.0))


_SHOW: Final = Phases(stroke=0.45, hold=0.8)


_drawn: Final = partial(entry, "iconic")

ICONIC: Final = (
    _drawn("show_size", _show_size, "both hands show how wide it is", "双手比出宽度",
           (("this big", "the size", "this wide"), ("这么大", "大小", "尺寸")), _SHOW, hands="both",
           parameters=(size(0.1, 0.7, 0.3),)),
    _drawn("show_thickness", _show_thickness, "thumb and index show how thin it is",
        "拇指食指比厚度",
           (("so thin", "tiny", "a little bit"), ("这么薄", "一点点", "这么小")), _SHOW,
           parameters=(size(0.012, round(WIDEST_PINCH, 2), 0.03),)),
    _drawn("show_height", _show_height, "one palm above the other shows the height",
        "上下手掌比高度",
           (("this tall", "the height", "this high"), ("这么高", "高度", "多高")),
           _SHOW, hands="two",
           parameters=(size(0.1, 0.4, 0.22),)),
    _drawn("show_length", _show_length, "index fingers draw how long it is", "双手食指比长度",
           (("this long", "the length", "full length"), ("这么长", "长度", "多长")),
           _SHOW, hands="both",
           parameters=(size(0.1, 0.7, 0.4),)),
    _drawn("show_round", _show_round, "cupped hands hold a ball", "双手捧出圆形",
           (("round", "like a ball", "ball-shaped"), ("圆形", "像个球", "圆圆的")), hands="both",
           parameters=(size(0.24, 0.4, 0.28),)),
    _drawn("stack", _stack, "flat hands pile up layers", "双手叠放，一层一层",
           (("layers", "stack", "on top of each other"), ("叠起来", "叠加", "一层一层")),
           hands="two"),
    _drawn("unbox", _unbox, "opens a box", "打开盒子",
           (("open the box", "unbox", "what's inside"), ("打开盒子", "开箱", "拆开")),
           hands="both"),
    _drawn("pour", _pour, "pours from a bottle into a cup", "倒水倒饮料",
           (("pour", "fill it", "mix it"), ("倒进", "冲泡", "加水")), hands="two"),
    _drawn("spray", _spray, "sprays from a can", "喷洒",
           (("spray", "mist", "perfume"), ("喷一下", "喷雾", "香水"))),
    _drawn("pick_present", _present, "picks something up and presents it", "拿起并展示",
           (("here it is", "let me show you", "take this"), ("拿起来", "展示", "给大家看")),
           hands="two"),
    _drawn("feel_texture", _texture, "fingertips stroke a smooth palm", "指尖轻抚，感受质地",
           (("smooth", "soft", "texture"), ("顺滑", "柔软", "质地")), hands="two"),
    _drawn("dab_cheek", _dab, "pats the cheek, as with a cream", "轻拍脸颊",
           (("on the skin", "apply it", "face cream"), ("皮肤上", "涂一层", "抹在"))),
    _drawn("sweep", _sweep, "a flat hand sweeps across, fast", "手掌快速横扫",
           (("sold out", "all gone", "wipe it"), ("卖光", "一扫而空", "擦掉")),
           Phases(stroke=0.5, hold=0.5)),
    _drawn("circle", _circle, "draws a circle in the air", "在空中画圈",
           (("all around", "all the way round", "in a circle"), ("一圈", "周围", "全方位"))),
    _drawn("write_order", _write, "writes on the palm: an order", "写字下单",
           (("sign up", "place your order", "write down"), ("下单", "登记", "写下")), hands="two"),
    _drawn("tap_phone", _tap_phone, "taps a telephone: add to cart", "点手机加购物车",
           (("tap the", "click on", "add to cart"), ("点击", "加购", "购物车")), hands="two"),
    _drawn("drink", _drink, "drinks from a cup", "喝一口",
           (("drink it", "take a sip", "taste it"), ("喝一口", "尝一尝", "来一口")),
           Phases(stroke=0.9, hold=0.7)),
    _drawn("twist_open", _twist, "turns a cap open", "拧开瓶盖",
           (("twist", "the cap", "the lid"), ("拧开", "盖子", "瓶盖")), hands="two"),
)  # fmt: skip
