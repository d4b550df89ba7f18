"""Rotations as unit quaternions (w, x, y, z), float32, leading axes free.

A quaternion q and its negative are the same rotation. Products compose right to left, as
matrices do: `multiply(a, b)` turns by b first, then by a. Every function broadcasts over the
leading axes and returns float32.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError

Array = NDArray[np.float32]

IDENTITY: Final[Array] = np.array([1.0, 0.0, 0.0, 0.0], np.float32)
IDENTITY.setflags(write=False)

# Below this sine of the half angle between two quaternions, slerp equals nlerp in float32.
_NEARLY_EQUAL: Final = 1e-3


def multiply(left: ArrayLike, right: ArrayLike) -> Array:
    """Return the Hamilton product of two arrays of quaternions [..., 4]: `right` acts first."""
    a, b = _quaternions(left), _quaternions(right)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.float32)
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def conjugate(rotation: ArrayLike) -> Array:
    """Return the conjugate [..., 4]: for a unit quaternion, the inverse rotation."""
    q = _quaternions(rotation)
    return q * np.array([1.0, -1.0, -1.0, -1.0], np.float32)


def normalise(rotation: ArrayLike) -> Array:
    """Scale quaternions [..., 4] to unit length; a zero quaternion becomes the identity."""
    q = _quaternions(rotation)
    norm = np.sqrt((q * q).sum(-1, keepdims=True))
    safe = np.where(norm > 1e-12, norm, np.float32(1.0))
    return np.where(norm > 1e-12, q / safe, IDENTITY).astype(np.float32)


def rotate(rotation: ArrayLike, vectors: ArrayLike) -> Array:
    """Turn vectors [..., 3] by unit quaternions [..., 4]."""
    q, v = _quaternions(rotation), np.asarray(vectors, np.float32)
    real, imaginary = q[..., :1], q[..., 1:]
    twice = 2.0 * np.cross(imaginary, v)
    return np.asarray(v + real * twice + np.cross(imaginary, twice), np.float32)


def from_axis_angle(axes: ArrayLike, radians: ArrayLike) -> Array:
    """Return the turn by `radians` [...] about `axes` [..., 3] (any length but zero).

    Raises:
        MotionValueError: when an axis is the zero vector.
    """
    half = np.asarray(radians, np.float64)[..., None] / 2.0
    real, imaginary = np.cos(half), np.sin(half) * _directions(axes)
    lead = imaginary.shape[:-1]
    return np.concatenate([np.broadcast_to(real, (*lead, 1)), imaginary], -1).astype(np.float32)


def from_rotation_vector(vectors: ArrayLike) -> Array:
    """Return the turn about each vector [..., 3] by its length in radians; zero is no turn."""
    v = np.asarray(vectors, np.float32)
    half = np.sqrt((v * v).sum(-1, keepdims=True)) / 2.0
    # sinc(x) is sin(pi x) / (pi x), exact at zero.
    return np.concatenate([np.cos(half), v * np.sinc(half / np.pi) / 2.0], -1).astype(np.float32)


def to_rotation_vector(rotation: ArrayLike) -> Array:
    """Return axis times angle in radians [..., 3], the shorter way round (length <= pi)."""
    q = _quaternions(rotation)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.sqrt((q[..., 1:] ** 2).sum(-1, keepdims=True))
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    scale = np.where(sine > 1e-7, angle / np.where(sine > 1e-7, sine, 1.0), 2.0)
    return (q[..., 1:] * scale).astype(np.float32)


def from_degrees(x: ArrayLike = 0.0, y: ArrayLike = 0.0, z: ArrayLike = 0.0) -> Array:
    """Return the turn about the fixed x axis, then y, then z, each in degrees.

    For authoring: in the rig's axes (x to the body's left, y to its back, z up) `x` nods, `y`
    leans to a side and `z` turns left.
    """
    q = multiply(axis_degrees("y", y), axis_degrees("x", x))
    return multiply(axis_degrees("z", z), q)


def axis_degrees(axis: str, degrees: ArrayLike) -> Array:
    """Return the turn by `degrees` [...] about the axis named "x", "y" or "z".

    Raises:
        MotionValueError: when `axis` is another name.
    """
    if axis not in ("x", "y", "z"):
        raise MotionValueError(f"unknown axis {axis!r}; accepted: 'x', 'y', 'z'")
    vector = np.zeros(3)
    vector["xyz".index(axis)] = 1.0
    return from_axis_angle(vector, np.radians(np.asarray(degrees, np.float64)))


def to_matrix(rotation: ArrayLike) -> Array:
    """Return rotation matrices [..., 3, 3] of unit quaternions [..., 4]."""
    q = _quaternions(rotation)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out = np.empty((*q.shape[:-1], 3, 3), np.float32)
    out[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[..., 0, 1] = 2.0 * (x * y - w * z)
    out[..., 0, 2] = 2.0 * (x * z + w * y)
    out[..., 1, 0] = 2.0 * (x * y + w * z)
    out[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[..., 1, 2] = 2.0 * (y * z - w * x)
    out[..., 2, 0] = 2.0 * (x * z - w * y)
    out[..., 2, 1] = 2.0 * (y * z + w * x)
    out[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return out


def from_matrix(matrices: ArrayLike) -> Array:
    """Return unit quaternions [..., 4], w >= 0, of rotation matrices [..., 3, 3].

    The outer product q q^T is read off the matrix and its longest column normalised (the choice
    by largest diagonal of Shepperd, 1978), so no angle is badly conditioned.
    """
    m = np.asarray(matrices, np.float64)
    if m.shape[-2:] != (3, 3):
        raise MotionValueError(f"matrices are {list(m.shape)}; accepted: [..., 3, 3]")
    outer = np.empty((*m.shape[:-2], 4, 4))
    x, y, z = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    for i, diagonal in enumerate((1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z)):
        outer[..., i, i] = diagonal
    for i, (row, column) in enumerate(((2, 1), (0, 2), (1, 0)), start=1):
        outer[..., 0, i] = outer[..., i, 0] = m[..., row, column] - m[..., column, row]
    for i, j in ((1, 2), (1, 3), (2, 3)):
        outer[..., i, j] = outer[..., j, i] = m[..., i - 1, j - 1] + m[..., j - 1, i - 1]
    best = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), -1)
    q = np.take_along_axis(outer, best[..., None, None], -2)[..., 0, :]
    q = np.where(q[..., :1] < 0.0, -q, q)
    return normalise(q)


def to_6d(rotation: ArrayLike) -> Array:
    """Return the first two columns of the matrices of quaternions [..., 4], one after the other.

    float32 [..., 6]: continuous, which no three or four numbers are, and so what networks learn
    best (Zhou et al., "On the Continuity of Rotation Representations in Neural Networks", 2019).
    """
    m = to_matrix(rotation)
    return np.concatenate([m[..., :, 0], m[..., :, 1]], -1)


def from_6d(columns: ArrayLike) -> Array:
    """Return unit quaternions [..., 4], w >= 0, of any two columns [..., 6].

    They are made orthonormal by Gram and Schmidt, the first keeping its direction, so what a
    network puts out need not be exact.

    Raises:
        MotionValueError: another shape, or columns that are zero, parallel or not finite.
    """
    values = np.asarray(columns, np.float64)
    if values.ndim < 1 or values.shape[-1] != 6:
        raise MotionValueError(f"6D rotations are {list(values.shape)}; accepted: [..., 6]")
    first = values[..., :3]
    length = np.sqrt((first * first).sum(-1, keepdims=True))
    x = first / np.where(length > 0.0, length, 1.0)
    second = values[..., 3:]
    rest = second - (second * x).sum(-1, keepdims=True) * x
    height = np.sqrt((rest * rest).sum(-1, keepdims=True))
    sound = np.isfinite(values).all(-1, keepdims=True) & (length > 1e-9)
    sound &= height > 1e-6 * np.maximum(np.sqrt((second * second).sum(-1, keepdims=True)), 1e-9)
    if not sound.all():
        worst = values[~sound[..., 0]].reshape(-1, 6)[0]
        raise MotionValueError(
            f"6D rotation {worst.tolist()} spans no plane; accepted: two columns, finite, not "
            "zero and not parallel"
        )
    y = rest / height
    return from_matrix(np.stack([x, y, np.cross(x, y)], -1))


def between(start: ArrayLike, end: ArrayLike) -> Array:
    """Return the shortest turns [..., 4] that bring directions `start` to `end`, both [..., 3].

    Of any length but zero. Opposite directions are turned by half a turn about an axis across.

    Raises:
        MotionValueError: when a direction is the zero vector.
    """
    a, b = _directions(start), _directions(end)
    real = 1.0 + (a * b).sum(-1, keepdims=True)
    axis = np.cross(a, b)
    # Where they are opposite, the cross product names no axis: take one across `start`.
    smallest = np.eye(3)[np.argmin(np.abs(a), -1)]
    opposite = real < 1e-9
    axis = np.where(opposite, np.cross(a, smallest), axis)
    real = np.where(opposite, 0.0, real)
    q = np.concatenate([real, axis], -1)
    return np.asarray(q / np.sqrt((q * q).sum(-1, keepdims=True)), np.float32)


def twist(rotation: ArrayLike, axes: ArrayLike) -> Array:
    """Return the part [..., 4] of `rotation` that turns about `axes` [..., 3], not zero.

    rotation = swing * twist, where the swing's axis is across `axes`.
    """
    q, axis = _quaternions(rotation), _directions(axes).astype(np.float32)
    along = (q[..., 1:] * axis).sum(-1, keepdims=True)
    return normalise(np.concatenate([q[..., :1], along * axis], -1))


def nlerp(start: ArrayLike, end: ArrayLike, share: ArrayLike) -> Array:
    """Blend `start` to `end` [..., 4] by `share` [...] in [0, 1], the shorter way round.

    Linear, then normalised: the same path as slerp, at a slightly uneven speed.
    """
    a = _quaternions(start)
    b = nearest(end, a)
    s = np.asarray(share, np.float32)[..., None]
    return normalise(a + s * (b - a))


def slerp(start: ArrayLike, end: ArrayLike, share: ArrayLike) -> Array:
    """Turn from `start` to `end` [..., 4] by `share` [...] of the way at an even speed.

    The shorter way round (Shoemake, 1985).
    """
    a = _quaternions(start)
    b = nearest(end, a)
    s = np.asarray(share, np.float32)[..., None]
    half = np.arccos(np.clip((a * b).sum(-1, keepdims=True), -1.0, 1.0))
    sine = np.sin(half)
    near = sine < _NEARLY_EQUAL
    safe = np.where(near, np.float32(1.0), sine)
    first = np.where(near, 1.0 - s, np.sin((1.0 - s) * half) / safe)
    second = np.where(near, s, np.sin(s * half) / safe)
    return normalise(first * a + second * b)


def nearest(rotation: ArrayLike, reference: ArrayLike) -> Array:
    """Return `rotation` or its negative, whichever lies nearer to `reference` (all [..., 4])."""
    q, r = _quaternions(rotation), _quaternions(reference)
    return np.where((q * r).sum(-1, keepdims=True) < 0.0, -q, q).astype(np.float32)


def continuous(sequence: ArrayLike) -> Array:
    """Choose signs along time, the first axis of [T, ..., 4], so that neighbours lie nearest."""
    q = _quaternions(sequence).copy()
    if len(q) < 2:
        return q
    flips = np.where((q[1:] * q[:-1]).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)
    q[1:] *= np.cumprod(flips, axis=0)
    return q


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the angle [...] in radians, 0 to pi, of the turn that leads from `a` to `b`."""
    difference = multiply(conjugate(a), b)
    sine = np.sqrt((difference[..., 1:] ** 2).sum(-1))
    return np.asarray(2.0 * np.arctan2(sine, np.abs(difference[..., 0])), np.float32)


def _directions(values: ArrayLike) -> NDArray[np.float64]:
    v = np.asarray(values, np.float64)
    length = np.sqrt((v * v).sum(-1, keepdims=True))
    if not (length > 0.0).all():
        raise MotionValueError("an axis or direction is zero; accepted: any other vector")
    return np.asarray(v / length, np.float64)


def _quaternions(values: ArrayLike) -> Array:
    q = np.asarray(values, np.float32)
    if q.ndim < 1 or q.shape[-1] != 4:
        raise MotionValueError(f"quaternions are {list(q.shape)}; accepted: [..., 4]")
    return q
