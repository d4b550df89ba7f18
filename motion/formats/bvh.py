"""Biovision hierarchies (BVH): text files of any skeleton, read and written.

Read is what Meredith and Maddock ("Motion Capture File Formats Explained", 2001) describe and
programs write: one ROOT, channels in any order, one frame a line. Angles are degrees; a joint's
turns compose in the order of its channels, the last acts first. Position channels say where the
root is; those of other joints are read over, since bones keep their length.

A BVH carries no face, language or labels.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.errors import MotionError, MotionValueError
from motion.formats.files import whole
from motion.formats.skeletal import (
    MOST_JOINTS,
    SkeletalMotion,
    Skeleton,
    Up,
    from_our_axes,
    to_our_axes,
)
from motion.rotations import axis_degrees, multiply, normalise

Array = NDArray[np.float32]
Values = NDArray[np.float64]

CENTIMETRE: Final = 0.01
_CHANNELS: Final = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "xyz")
_END: Final = 2.0  # centimetres an End Site lies beyond a joint without children


def read_bvh(path: Path, *, scale: float = CENTIMETRE, up: Up = "y") -> SkeletalMotion:
    """Read a file; arguments and errors as for `parse_bvh`.

    Raises:
        MotionError: the file is missing or cannot be read.
    """
    try:
        # Names may be in any encoding, and nothing but ASCII matters to us.
        text = path.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        raise MotionError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return parse_bvh(text, scale=scale, up=up)
    except MotionValueError as error:
        raise MotionValueError(f"{path}, {error}") from error


def parse_bvh(text: str, *, scale: float = CENTIMETRE, up: Up = "y") -> SkeletalMotion:
    """Return the motion a BVH text describes, in metres and our axes.

    Args:
        scale: metres a unit of the file is.
        up: which axis of the file is up; "y" with z to the front, or "z" with y to the back.

    Raises:
        MotionValueError: the text is no BVH; the message begins with the line and says what is
            accepted there.
    """
    check_scale(scale)
    tokens = _Tokens(text)
    tokens.expect("HIERARCHY")
    joints = _hierarchy(tokens)
    values, fps = _frames(tokens, sum(len(joint.channels) for joint in joints))
    skeleton = Skeleton(
        tuple(joint.name for joint in joints),
        tuple(joint.parent for joint in joints),
        to_our_axes(np.array([joint.offset for joint in joints]) * scale, up),
    )
    rotations = np.stack(list(_rotations(joints, values)), 1)
    root = _root(joints[0], values) * scale
    return SkeletalMotion(skeleton, to_our_axes(rotations, up), to_our_axes(root, up), fps)


def write_bvh(
    motion: SkeletalMotion, path: Path, *, scale: float = CENTIMETRE, up: Up = "y"
) -> None:
    """Write `motion`, every joint's channels as Zrotation Xrotation Yrotation.

    Joints are written in the order of a walk through their tree, as the format wants them.

    Raises:
        MotionError: the file cannot be written.
        MotionValueError: a scale that is not positive, or another axis.
    """
    text = bvh_text(motion, scale=scale, up=up)
    with whole(path) as unfinished:
        unfinished.write_text(text, "utf-8")


def bvh_text(motion: SkeletalMotion, *, scale: float = CENTIMETRE, up: Up = "y") -> str:
    """Return the text `write_bvh` writes."""
    check_scale(scale)
    motion = _walked(motion)
    offsets = from_our_axes(motion.skeleton.offsets, up) / scale
    lines = ["HIERARCHY", *_written(motion.skeleton, offsets.astype(np.float64))]
    lines += ["MOTION", f"Frames: {len(motion.root)}", f"Frame Time: {1.0 / motion.fps:.9f}"]
    angles = _degrees(from_our_axes(motion.rotations, up))
    root = from_our_axes(motion.root, up).astype(np.float64) / scale
    rows = np.concatenate([root, angles.reshape(len(root), -1)], 1)
    lines += [" ".join(f"{value:.5f}" for value in row) for row in rows]
    return "\n".join(lines) + "\n"


def check_scale(scale: float) -> None:
    """Raise MotionValueError unless `scale` is a positive number of metres up to 1000."""
    if not 0.0 < scale <= 1000.0:
        raise MotionValueError(f"{scale!r} metres a unit; accepted: more than 0, to 1000")


@dataclass(slots=True, eq=False)
class _Joint:
    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: list[str] = field(default_factory=list)


class _Tokens:
    """Words of the text, each with the number of its line."""

    def __init__(self, text: str) -> None:
        self.lines = [line.split() for line in text.splitlines()]
        self.row = 0
        self._column = 0

    def error(self, problem: str) -> MotionValueError:
        """Return the error for the line the next word stands in."""
        return MotionValueError(f"line {min(self.row + 1, max(1, len(self.lines)))}: {problem}")

    def next(self, accepted: str) -> str:
        """Return the next word, of this line or a later one."""
        while self.row < len(self.lines) and self._column >= len(self.lines[self.row]):
            self.row, self._column = self.row + 1, 0
        if self.row >= len(self.lines):
            raise self.error(f"the text ends; accepted: {accepted}")
        self._column += 1
        return self.lines[self.row][self._column - 1]

    def expect(self, word: str) -> None:
        """Take the next word, which must be `word`."""
        found = self.next(word)
        if found.lower() != word.lower():
            raise self.error(f"{found[:40]!r}; accepted: {word}")

    def name(self) -> str:
        """Return the rest of this line up to a brace, as one name."""
        parts: list[str] = []
        row = self.row
        while self._column < len(self.lines[row]) and self.lines[row][self._column] != "{":
            parts.append(self.next("a name"))
        if not parts:
            raise self.error("no name; accepted: one after ROOT or JOINT, in its line")
        return " ".join(parts)

    def number(self, accepted: str) -> float:
        """Return the next word as a finite number."""
        word = self.next(accepted)
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.error(f"{word[:40]!r} is no number; accepted: {accepted}")
        return value

    def rest(self) -> Iterator[tuple[int, list[str]]]:
        """Yield (row, words) of every line after this one that is not empty."""
        for row in range(self.row + 1, len(self.lines)):
            self.row = row
            if self.lines[row]:
                yield row, self.lines[row]


def _hierarchy(tokens: _Tokens) -> list[_Joint]:
    """Read ROOT and all below it, and return the joints in the order of their channels."""
    tokens.expect("ROOT")
    joints = [_Joint(tokens.name(), -1)]
    names = {joints[0].name}
    open_joints = [_open(tokens, joints[0])]
    while open_joints:
        word = tokens.next("JOINT, End Site or }").lower()
        if word == "}":
            open_joints.pop()
        elif word == "joint":
            name = tokens.name()
            if name in names:
                raise tokens.error(f"a second joint {name[:40]!r}; accepted: each name once")
            if len(joints) == MOST_JOINTS:
                raise tokens.error(f"one more joint; accepted: {MOST_JOINTS}")
            names.add(name)
            parent = joints.index(open_joints[-1])
            joints.append(_Joint(name, parent))
            open_joints.append(_open(tokens, joints[-1]))
        elif word == "end":
            _end_site(tokens)
        else:
            raise tokens.error(f"{word[:40]!r}; accepted: JOINT, End Site or }}")
    return joints


def _open(tokens: _Tokens, joint: _Joint) -> _Joint:
    """Read the brace, the offset and the channels of `joint`."""
    tokens.expect("{")
    tokens.expect("OFFSET")
    joint.offset = _three(tokens)
    tokens.expect("CHANNELS")
    count = tokens.number("0 to 6 channels")
    if count not in range(7):
        raise tokens.error(f"{count:g} channels; accepted: 0 to 6")
    for _ in range(int(count)):
        channel = tokens.next("a channel such as Xrotation")
        if channel.lower() not in _CHANNELS or channel.lower() in joint.channels:
            raise tokens.error(
                f"channel {channel[:40]!r}; accepted, each once: "
                + ", ".join(name.capitalize() for name in _CHANNELS)
            )
        joint.channels.append(channel.lower())
    return joint


def _end_site(tokens: _Tokens) -> None:
    tokens.expect("Site")
    tokens.expect("{")
    tokens.expect("OFFSET")
    _three(tokens)
    tokens.expect("}")


def _three(tokens: _Tokens) -> tuple[float, float, float]:
    accepted = "three numbers after OFFSET"
    return (tokens.number(accepted), tokens.number(accepted), tokens.number(accepted))


def _frames(tokens: _Tokens, channels: int) -> tuple[Values, float]:
    """Return the frames float64 [T, channels] and how many pass a second."""
    tokens.expect("MOTION")
    tokens.expect("Frames:")
    count = tokens.number("the number of frames")
    if count < 1 or count != int(count):
        raise tokens.error(f"{count:g} frames; accepted: a whole number from 1")
    tokens.expect("Frame")
    tokens.expect("Time:")
    seconds = tokens.number("the seconds a frame lasts")
    if not 1e-3 <= seconds <= 1.0:
        raise tokens.error(f"a frame lasts {seconds:g} s; accepted: 0.001 to 1")
    rows = [_row(tokens, words, channels) for _, words in tokens.rest()]
    if len(rows) != count:
        raise tokens.error(f"{len(rows)} frames in the file; accepted: {count:g}, as announced")
    # Files round the time: 0.0333333 s are meant to be 30 frames a second.
    fps = 1.0 / seconds
    return np.stack(rows), round(fps) if abs(fps - round(fps)) < 1e-4 * fps else fps


def _row(tokens: _Tokens, words: list[str], channels: int) -> Values:
    if len(words) != channels:
        raise tokens.error(f"{len(words)} numbers; accepted: {channels}, one a channel")
    try:
        row = np.array(words, np.float64)
    except ValueError as error:
        raise tokens.error(f"{error}; accepted: numbers") from error
    if not np.isfinite(row).all():
        raise tokens.error("a number is not finite; accepted: finite numbers")
    return row


def _rotations(joints: list[_Joint], values: Values) -> Iterator[Array]:
    """Yield the local quaternions [T, 4] of each joint, in the axes of the file."""
    column = 0
    for joint in joints:
        turned = np.tile(np.array([1.0, 0.0, 0.0, 0.0], np.float32), (len(values), 1))
        for channel in joint.channels:
            if channel.endswith("rotation"):
                turned = multiply(turned, axis_degrees(channel[0], values[:, column]))
            column += 1
        yield normalise(turned)


def _root(joint: _Joint, values: Values) -> Values:
    """Return where the root is [T, 3]; along an axis without a channel, at its offset."""
    out = np.tile(np.array(joint.offset), (len(values), 1))
    for column, channel in enumerate(joint.channels):
        if channel.endswith("position"):
            out[:, "xyz".index(channel[0])] = values[:, column]
    return out


def _written(skeleton: Skeleton, offsets: Values) -> Iterator[str]:
    """Yield the lines of the hierarchy; `offsets` [J, 3] in the axes and units of the file."""
    depth = [0] * len(skeleton.names)
    open_joints: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        while open_joints and open_joints[-1] != parent:
            yield "\t" * depth[open_joints.pop()] + "}"
        depth[joint] = len(open_joints)
        yield from _head(skeleton.names[joint], offsets[joint], depth[joint])
        if joint not in skeleton.parents:
            yield from _site(offsets[joint], depth[joint] + 1)
        open_joints.append(joint)
    while open_joints:
        yield "\t" * depth[open_joints.pop()] + "}"


def _walked(motion: SkeletalMotion) -> SkeletalMotion:
    """Return the same motion, each joint followed by all that is below it."""
    skeleton = motion.skeleton
    below: list[list[int]] = [[] for _ in skeleton.names]
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        below[parent].append(joint)
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(below[order[-1]]))
    place = {joint: index for index, joint in enumerate(order)}
    walked = Skeleton(
        tuple(skeleton.names[joint] for joint in order),
        tuple(place.get(skeleton.parents[joint], -1) for joint in order),
        skeleton.offsets[order],
    )
    return SkeletalMotion(walked, motion.rotations[:, order], motion.root, motion.fps)


def _head(name: str, offset: Values, depth: int) -> Iterator[str]:
    pad = "\t" * depth
    channels = "Zrotation Xrotation Yrotation"
    yield f"{pad}{'JOINT' if depth else 'ROOT'} {name}"
    yield pad + "{"
    yield f"{pad}\tOFFSET " + " ".join(f"{value:.6f}" for value in offset)
    if depth:
        yield f"{pad}\tCHANNELS 3 {channels}"
    else:
        yield f"{pad}\tCHANNELS 6 Xposition Yposition Zposition {channels}"


def _site(offset: Values, depth: int) -> Iterator[str]:
    pad = "\t" * depth
    length = float(np.linalg.norm(offset))
    beyond = offset * (_END / length) if length > 0.0 else np.array([0.0, _END, 0.0])
    yield f"{pad}End Site"
    yield pad + "{"
    yield f"{pad}\tOFFSET " + " ".join(f"{value:.6f}" for value in beyond)
    yield pad + "}"


def _degrees(rotations: Array) -> Values:
    """Return angles about z, x and y, float64 [T, J, 3] degrees: turned about y first.

    In double precision: near a quarter turn about x the other two are badly conditioned.
    """
    q = rotations.astype(np.float64)
    w, x, y, z = np.moveaxis(q / np.sqrt((q * q).sum(-1, keepdims=True)), -1, 0)
    down, across = 2.0 * (w * y - x * z), 1.0 - 2.0 * (x * x + y * y)
    level = np.hypot(down, across)
    about_x = np.arctan2(2.0 * (y * z + w * x), level)
    about_z = np.arctan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (x * x + z * z))
    about_y = np.arctan2(down, across)
    # Where the axes of z and y meet, all of the turn is given to z.
    locked = level < 1e-6
    alone = np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    about_z, about_y = np.where(locked, alone, about_z), np.where(locked, 0.0, about_y)
    return np.unwrap(np.degrees(np.stack([about_z, about_x, about_y], -1)), axis=0, period=360.0)
