"""A head is fitted to landmarks, and recovered from landmarks of a known one."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from avatar.creation.photo.face import FaceLandmarks
from avatar.creation.photo.fit import fit_head
from avatar.creation.photo.shape import ACTIONS, CHANGES, TO_PICTURE, HeadShape, rotation
from avatar.spec.identity import BodySpec


def _seen(
    shape: HeadShape, body: BodySpec, face: FaceLandmarks, smile: float, yaw: float
) -> FaceLandmarks:
    """Return landmarks of a known head as a photo without any error would show them."""
    changes, actions = dict(body.changes), torch.zeros(len(ACTIONS))
    for side in ("Left", "Right"):
        actions[ACTIONS.index(f"mouthSmile{side}")] = smile
    points = shape.landmarks(
        shape.values(body.phenotypes),
        torch.tensor([changes.get(name, 0.0) for name in CHANGES]),
        actions,
    )
    turned = (points - points.mean(0)) @ TO_PICTURE.T @ rotation(torch.tensor([0.0, yaw, 0.0])).T
    pixels = np.asarray(turned.numpy() * 2000.0 + np.array([400.0, 400.0, 0.0]), np.float32)
    eyes = pixels[[[33, 133], [362, 263]], :2].mean(1)
    return replace(face, points=pixels, irises=np.repeat(eyes[:, None], 5, 1))


def test_the_fit_of_a_photo_halves_its_error(face: FaceLandmarks, shape: HeadShape) -> None:
    shares: list[float] = []
    fit = fit_head(face, shape, steps=120, progress=shares.append)
    assert fit.error_after < 0.5 * fit.error_before
    assert fit.error_after < 2.8
    assert shares == sorted(shares)
    assert fit.actions["mouthSmileLeft"] > 0.15
    assert dict(fit.body.face)["mouthSmileLeft"] > 0.05
    assert all(abs(value) <= 1.0 for _, value in fit.body.changes)


def test_the_same_photo_gives_the_same_head(face: FaceLandmarks, shape: HeadShape) -> None:
    assert fit_head(face, shape, steps=20).body == fit_head(face, shape, steps=20).body


def test_a_known_head_is_recovered(face: FaceLandmarks, shape: HeadShape) -> None:
    changes = {
        "chin-width-incr": -0.7, "nose-scale-horiz-incr": 0.7, "eye-scale-incr": 0.7,
        "head-scale-horiz-incr": -0.7, "mouth-trans-up": -0.7, "eye-trans-out": 0.6,
    }  # fmt: skip
    body = BodySpec(changes=tuple(changes.items()))
    seen = _seen(shape, body, face, smile=0.4, yaw=0.15)
    fit = fit_head(seen, shape, BodySpec(), steps=250)
    assert fit.error_after < 1.0
    assert fit.camera.turn[1] == pytest.approx(0.15, abs=0.05)
    assert fit.actions["mouthSmileLeft"] == pytest.approx(0.4, abs=0.2)
    found = dict(fit.body.changes)
    for name, value in changes.items():
        assert found[name] * value > 0.1 * value**2, name
    # The recovered shape is nearer to the true one than the usual head is.
    usual = _neutral(shape, BodySpec()) - _neutral(shape, body)
    left = _neutral(shape, fit.body) - _neutral(shape, body)
    assert _spread(left) < 0.75 * _spread(usual)


def _neutral(shape: HeadShape, body: BodySpec) -> torch.Tensor:
    changes = dict(body.changes)
    values = torch.tensor([changes.get(name, 0.0) for name in CHANGES])
    return shape.landmarks(shape.values(body.phenotypes), values, torch.zeros(len(ACTIONS)))


def _spread(off: torch.Tensor) -> float:
    """Return the mean size of differences seen from the front; a shift is none."""
    return float((off - off.mean(0))[:, [0, 2]].norm(dim=1).mean())
