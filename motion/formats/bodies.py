"""Finds a human body among the joints of a foreign skeleton, by their names and places in the tree.

Known are the names of SMPL-X, Mixamo, the CMU and LaFAN files, Biped and of game engines: sides as
"Left", "L" before the name or "_l", ".L" after it. The trunk goes by the tree alone: the pelvis is
where the legs meet, the chest where the arms meet.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from motion.formats.skeletal import Skeleton

_PREFIXES: Final = re.compile(r"^(mixamorig\d*|character\d*|bip0*1|def)")
_NO_LETTERS: Final = re.compile(r"[\W_]+")

# What the joint with an SMPL-X name is called elsewhere. In order: a joint is taken once, so that a
# "shoulder" is the collar of who has an "arm", and a "foot" the toes of who has an "ankle".
_LIMBS: Final[Mapping[str, tuple[str, ...]]] = {
    "hip": ("upleg", "thigh", "upperleg", "hip"),
    "knee": ("leg", "calf", "shin", "lowerleg", "lowleg", "knee"),
    "ankle": ("ankle", "foot"),
    "foot": ("toebase", "toe0", "toe", "toes", "ball", "foot"),
    "shoulder": ("upperarm", "uparm", "arm", "shldr", "shoulder"),
    "collar": ("collar", "clavicle", "shoulder"),
    "elbow": ("forearm", "lowerarm", "lowarm", "elbow"),
    "wrist": ("hand", "wrist"),
    "eye": ("eye", "eyesmplhf"),
}
_FINGERS: Final = ("thumb", "index", "middle", "ring", "pinky")
_SIDES: Final = (("left", "l"), ("right", "r"))


def find_body(skeleton: Skeleton) -> dict[str, int]:
    """Return the index of each joint that is recognised, by the name SMPL-X has for it."""
    named = {_plain(name): index for index, name in reversed(list(enumerate(skeleton.names)))}
    found: dict[str, int] = {}
    for side in _SIDES:
        taken: set[int] = set()
        for joint, stems in (*_LIMBS.items(), *_fingers()):
            index = _first(named, stems, side, taken)
            if index is not None:
                found[f"{side[0]}_{joint}"] = index
                taken.add(index)
    return found | _trunk(skeleton, named, found)


def _plain(name: str) -> str:
    """Return `name` in small letters, without its namespace, prefix and separators."""
    return _PREFIXES.sub("", _NO_LETTERS.sub("", name.rsplit(":", 1)[-1].lower()))


def _fingers() -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, finger in enumerate(_FINGERS):
        for part in (1, 2, 3):
            biped = f"finger{number}" if part == 1 else f"finger{number}{part - 1}"
            plain = (f"{finger}{part}", f"{finger}0{part}")
            yield f"{finger}{part}", (*plain, f"hand{finger}{part}", biped)


def _first(
    named: Mapping[str, int], stems: tuple[str, ...], side: tuple[str, str], taken: set[int]
) -> int | None:
    for stem in stems:
        for word in side:
            for name in (word + stem, stem + word):
                if name in named and named[name] not in taken:
                    return named[name]
    return None


def _trunk(
    skeleton: Skeleton, named: Mapping[str, int], limbs: Mapping[str, int]
) -> dict[str, int]:
    found: dict[str, int] = {}
    if "left_hip" in limbs and "right_hip" in limbs:
        found["pelvis"] = _meeting(skeleton, limbs["left_hip"], limbs["right_hip"])
    if "pelvis" in found and "left_shoulder" in limbs and "right_shoulder" in limbs:
        chest = _meeting(skeleton, limbs["left_shoulder"], limbs["right_shoulder"])
        spine = list(_between(skeleton, found["pelvis"], chest))
        if spine:
            found["spine3"] = spine[-1]
        if len(spine) > 1:
            found["spine1"] = spine[0]
        if len(spine) > 2:
            found["spine2"] = spine[len(spine) // 2]
        if "head" in named:
            neck = list(_between(skeleton, chest, named["head"]))
            found |= {"head": named["head"]} | ({"neck": neck[0]} if len(neck) > 1 else {})
    return found


def _above(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the joint and all above it."""
    way = [joint]
    while skeleton.parents[way[-1]] >= 0:
        way.append(skeleton.parents[way[-1]])
    return way


def _meeting(skeleton: Skeleton, first: int, second: int) -> int:
    above = set(_above(skeleton, first))
    return next(joint for joint in _above(skeleton, second) if joint in above)


def _between(skeleton: Skeleton, top: int, joint: int) -> Iterator[int]:
    """Yield the joints below `top` down to `joint`; none when it is not below."""
    way = _above(skeleton, joint)
    if top in way:
        yield from reversed(way[: way.index(top)])
