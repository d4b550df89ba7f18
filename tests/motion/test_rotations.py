"""Rotations against closed forms and matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from motion import rotations as r
from motion.errors import MotionValueError

Array = NDArray[np.float32]

_numbers = st.floats(-1.0, 1.0, width=32)
quaternions = (
    arrays(np.float32, (3, 4), elements=_numbers)
    .filter(lambda q: bool((np.linalg.norm(q, axis=-1) > 0.1).all()))
    .map(r.normalise)
)
vectors = arrays(np.float32, (3, 3), elements=_numbers)


def test_quarter_turns_about_the_axes_move_the_axes_round() -> None:
    x, y, z = np.eye(3, dtype=np.float32)
    np.testing.assert_allclose(r.rotate(r.axis_degrees("z", 90), x), y, atol=1e-6)
    np.testing.assert_allclose(r.rotate(r.axis_degrees("x", 90), y), z, atol=1e-6)
    np.testing.assert_allclose(r.rotate(r.axis_degrees("y", 90), z), x, atol=1e-6)


def test_from_degrees_turns_about_x_first_and_z_last() -> None:
    turned = r.rotate(r.from_degrees(x=90, z=90), np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(turned, [0.0, 0.0, 1.0], atol=1e-6)
    turned = r.rotate(r.from_degrees(y=90, z=90), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(turned, [0.0, 1.0, 0.0], atol=1e-6)


@settings(deadline=None)
@given(quaternions, quaternions, vectors)
def test_a_product_turns_by_the_right_factor_first(a: Array, b: Array, v: Array) -> None:
    together = r.rotate(r.multiply(a, b), v)
    np.testing.assert_allclose(together, r.rotate(a, r.rotate(b, v)), atol=1e-5)


@settings(deadline=None)
@given(quaternions, quaternions)
def test_products_stay_unit_and_agree_with_matrices(a: Array, b: Array) -> None:
    product = r.multiply(a, b)
    np.testing.assert_allclose(np.linalg.norm(product, axis=-1), 1.0, atol=1e-5)
    np.testing.assert_allclose(r.to_matrix(product), r.to_matrix(a) @ r.to_matrix(b), atol=1e-5)


@settings(deadline=None)
@given(quaternions)
def test_the_conjugate_is_the_inverse(q: Array) -> None:
    np.testing.assert_allclose(
        r.multiply(q, r.conjugate(q)), np.broadcast_to(r.IDENTITY, (3, 4)), atol=1e-5
    )


@settings(deadline=None)
@given(quaternions)
def test_matrices_are_orthonormal_and_lead_back(q: Array) -> None:
    matrix = r.to_matrix(q)
    np.testing.assert_allclose(
        matrix @ matrix.swapaxes(-1, -2), np.broadcast_to(np.eye(3), (3, 3, 3)), atol=1e-5
    )
    np.testing.assert_allclose(np.linalg.det(matrix), 1.0, atol=1e-5)
    assert float(r.angle_between(r.from_matrix(matrix), q).max()) < 2e-3


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_half_turns_survive_matrices(axis: str) -> None:
    half = r.axis_degrees(axis, 180)
    assert float(r.angle_between(r.from_matrix(r.to_matrix(half)), half)) < 1e-3


@settings(deadline=None)
@given(vectors)
def test_rotation_vectors_lead_back(v: Array) -> None:
    np.testing.assert_allclose(r.to_rotation_vector(r.from_rotation_vector(v)), v, atol=1e-5)


@settings(deadline=None)
@given(quaternions, quaternions, st.floats(0.0, 1.0))
def test_slerp_turns_evenly_the_shorter_way(a: Array, b: Array, share: float) -> None:
    whole = r.angle_between(a, b)
    part = r.angle_between(a, r.slerp(a, b, share))
    np.testing.assert_allclose(part, share * whole, atol=5e-3)


@settings(deadline=None)
@given(quaternions, quaternions, st.floats(0.0, 1.0))
def test_nlerp_takes_the_path_of_slerp(a: Array, b: Array, share: float) -> None:
    blended = r.nlerp(a, b, share)
    np.testing.assert_allclose(np.linalg.norm(blended, axis=-1), 1.0, atol=1e-5)
    there, back = r.angle_between(a, blended), r.angle_between(blended, b)
    opposite = r.angle_between(a, b) > 3.1  # a half turn has two shorter ways
    np.testing.assert_allclose(
        (there + back)[~opposite], r.angle_between(a, b)[~opposite], atol=5e-3
    )


def test_six_numbers_are_the_first_two_columns_of_the_matrix() -> None:
    quarter = r.axis_degrees("z", 90)
    np.testing.assert_allclose(r.to_6d(quarter), [0, 1, 0, -1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(r.to_6d(r.IDENTITY), [1, 0, 0, 0, 1, 0], atol=1e-6)


@settings(deadline=None)
@given(quaternions, st.floats(0.1, 10.0), st.floats(0.1, 10.0), st.floats(-3.0, 3.0))
def test_columns_of_any_length_and_lean_lead_back(
    q: Array, first: float, second: float, lean: float
) -> None:
    columns = r.to_6d(q)
    columns[..., 3:] = second * columns[..., 3:] + lean * columns[..., :3]
    columns[..., :3] *= first
    np.testing.assert_allclose(r.to_matrix(r.from_6d(columns)), r.to_matrix(q), atol=2e-5)


@pytest.mark.parametrize(
    "columns",
    [[0, 0, 0, 0, 1, 0], [1, 0, 0, 2, 0, 0], [1, 0, 0, 0, 0, 0], [1, 0, np.nan, 0, 1, 0], [1, 0]],
)
def test_columns_that_span_no_plane_are_named(columns: list[float]) -> None:
    with pytest.raises(MotionValueError, match="6D rotation"):
        r.from_6d(np.array(columns, np.float64))


@settings(deadline=None)
@given(vectors, vectors)
def test_the_shortest_turn_between_directions(a: Array, b: Array) -> None:
    long = (np.linalg.norm(a, axis=-1) > 0.1) & (np.linalg.norm(b, axis=-1) > 0.1)
    a, b = np.where(long[:, None], a, 1.0), np.where(long[:, None], b, -1.0)
    a, b = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (a, b))
    turn = r.between(a, b)
    np.testing.assert_allclose(r.rotate(turn, a), b, atol=5e-5)
    angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1))
    np.testing.assert_allclose(r.angle_between(r.IDENTITY, turn), angle, atol=1e-4)


def test_opposite_directions_are_half_a_turn_apart() -> None:
    for direction in np.eye(3, dtype=np.float32):
        turned = r.rotate(r.between(direction, -direction), direction)
        np.testing.assert_allclose(turned, -direction, atol=1e-6)


@settings(deadline=None)
@given(quaternions, st.floats(-3.0, 3.0))
def test_twist_is_what_is_left_when_the_swing_is_taken_away(q: Array, angle: float) -> None:
    axis = np.array([0.6, 0.0, 0.8], np.float32)
    np.testing.assert_allclose(
        r.to_matrix(r.twist(r.from_axis_angle(axis, angle), axis)),
        r.to_matrix(r.from_axis_angle(axis, angle)),
        atol=1e-5,
    )
    turned = r.twist(q, axis)
    np.testing.assert_allclose(r.rotate(turned, axis), np.tile(axis, (3, 1)), atol=1e-5)
    swing = r.multiply(q, r.conjugate(turned))
    half = np.hypot(q[..., 0], q[..., 1:] @ axis) > 1e-2  # a half swing has any twist
    np.testing.assert_allclose((swing[..., 1:] @ axis)[half], 0.0, atol=1e-4)


def test_continuous_undoes_changes_of_sign_and_nothing_else() -> None:
    smooth = np.stack([r.axis_degrees("z", degrees) for degrees in range(0, 720, 10)])
    flipped = smooth * np.where(np.arange(72) % 3 == 0, -1.0, 1.0)[:, None].astype(np.float32)
    mended = r.continuous(flipped)
    assert float(np.abs(np.diff(mended, axis=0)).max()) < 0.1
    np.testing.assert_allclose(r.to_matrix(mended), r.to_matrix(smooth), atol=1e-6)


def test_normalise_makes_a_zero_quaternion_the_identity() -> None:
    np.testing.assert_array_equal(r.normalise(np.zeros((2, 4))), np.tile(r.IDENTITY, (2, 1)))


def test_everything_is_float32() -> None:
    q = r.axis_degrees("x", [1.0, 2.0])
    made = (
        r.multiply(q, q),
        r.conjugate(q),
        r.normalise(q),
        r.slerp(q, q, 0.5),
        r.nlerp(q, q, 0.5),
        r.to_matrix(q),
        r.from_matrix(r.to_matrix(q)),
        r.continuous(q),
        r.rotate(q, np.ones(3)),
        r.to_rotation_vector(q),
        r.to_6d(q),
        r.from_6d(r.to_6d(q)),
        r.between([1.0, 0.0, 0.0], np.ones((2, 3))),
        r.twist(q, [1.0, 0.0, 0.0]),
        r.angle_between(q, q),
    )
    assert {array.dtype for array in made} == {np.dtype(np.float32)}


def test_bad_input_is_named() -> None:
    with pytest.raises(MotionValueError, match=r"\[3\]"):
        r.multiply(np.zeros(3), np.zeros(4))
    with pytest.raises(MotionValueError, match="'w'"):
        r.axis_degrees("w", 1.0)
    with pytest.raises(MotionValueError, match="axis"):
        r.from_axis_angle(np.zeros(3), 1.0)
    with pytest.raises(MotionValueError, match="direction"):
        r.between([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    with pytest.raises(MotionValueError, match="matrices"):
        r.from_matrix(np.zeros((3, 2)))
