"""The comparison of pictures sees what a viewer sees, and no more."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.avatar.difference import difference

Picture = NDArray[np.uint8]


def _portrait(
    *, mouth: int = 0, nail: bool = True, shirt: tuple[int, int, int] = (60, 80, 150)
) -> Picture:
    """Draw a face of discs and bars, four times as large, and shrink it: edges are smooth."""
    rows, columns = np.mgrid[0:1024, 0:768] / 4.0
    picture = np.empty((1024, 768, 3))
    picture[:] = (215, 210, 205)
    picture[(rows - 90) ** 2 / 70**2 + (columns - 96) ** 2 / 52**2 < 1] = (222, 172, 148)
    for centre in (74, 118):
        picture[(rows - 78) ** 2 + (columns - centre) ** 2 < 6**2] = (60, 42, 34)
    lips = (np.abs(rows - 120 - mouth) < 4) & (np.abs(columns - 96) < 16)
    picture[lips] = (176, 84, 84)
    picture[(rows > 170) & (np.abs(columns - 96) < 70)] = shirt
    picture[(rows - 220) ** 2 + (columns - 60) ** 2 < 14**2] = (222, 172, 148)
    if nail:
        picture[(np.abs(rows - 214) < 4) & (np.abs(columns - 60) < 3)] = (170, 60, 80)
    return _shrunk(picture)


def _shrunk(picture: NDArray[np.float64]) -> Picture:
    height, width, _ = picture.shape
    means = picture.reshape(height // 4, 4, width // 4, 4, 3).mean((1, 3))
    return np.asarray(np.round(means), np.uint8)


def test_a_picture_is_like_itself() -> None:
    found = difference(_portrait(), _portrait())
    assert found.colour == 0.0
    assert found.detail == pytest.approx(0.0, abs=1e-9)
    assert found.alike


def test_noise_is_alike() -> None:
    noise = np.random.default_rng(0).normal(0.0, 2.0, (256, 192, 3))
    noisy = np.clip(_portrait() + noise, 0, 255).astype(np.uint8)
    assert difference(_portrait(), noisy).alike


def test_another_smoothing_of_edges_is_alike() -> None:
    picture = _portrait().astype(float)
    soft = picture.copy()
    soft[:, 1:-1] = 0.25 * picture[:, :-2] + 0.5 * picture[:, 1:-1] + 0.25 * picture[:, 2:]
    assert difference(_portrait(), np.round(soft).astype(np.uint8)).alike


@pytest.mark.parametrize("change", [(14, 0, 0), (0, 8, 0), (0, 0, 18)])
def test_another_colour_is_not(change: tuple[int, int, int]) -> None:
    shirt = (60 + change[0], 80 + change[1], 150 + change[2])
    assert not difference(_portrait(), _portrait(shirt=shirt)).alike


def test_a_nail_that_is_missing_is_not() -> None:
    found = difference(_portrait(), _portrait(nail=False))
    assert not found.alike
    assert 8 * found.place[0] - 8 < 214 < 8 * found.place[0] + 24
    assert 8 * found.place[1] - 8 < 60 < 8 * found.place[1] + 24


@pytest.mark.parametrize("mouth", [2, -3])
def test_a_mouth_that_moved_is_not(mouth: int) -> None:
    assert not difference(_portrait(), _portrait(mouth=mouth)).alike


def test_shapes_must_be_equal() -> None:
    with pytest.raises(ValueError, match="accepted: equal"):
        difference(_portrait(), _portrait()[:-2])
