"""Editing pictures: tiny pipelines and a painter that does what is asked, under the critic."""

import importlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.editing.atoms import PART_INDEX
from avatar.editing.painters import KontextPainter, QwenPainter
from avatar.editing.photographs import edit_picture
from avatar.errors import AvatarValueError
from avatar.neural.loading import Weights
from avatar.renderer.base import Size
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from tests.avatar.editing.doll import Doll

RGB = NDArray[np.uint8]
MIA = ready("mia")
SMALL = Size(64, 96)


def host(size: Size = SMALL) -> tuple[RGB, NDArray[np.uint8]]:
    """Return a picture of a host and its parts."""
    return Doll().draw(MIA, SceneSpec(), Pose.rest(), size)


class Brush:
    """A painter whose first seeds do the wrong thing, the third the right one."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def paint(self, rgb: RGB, mask: NDArray[np.bool_], prompt: str, seed: int) -> RGB:
        """Seed 0: nothing. 1: red, but the whole picture. 2: the region red. 3: it green."""
        del prompt
        self.seeds.append(seed)
        out = rgb.copy()
        if seed == 1:
            out[:] = (200, 30, 40)
        elif seed >= 2:
            out[mask] = (200, 30, 40) if seed == 2 else (40, 160, 60)
        return out


def test_the_candidate_that_changes_the_region_alone_wins() -> None:
    rgb, parts = host(Size(180, 320))
    brush = Brush()
    result = edit_picture(rgb, parts, "make the blazer red", brush, candidates=4, who=MIA)
    assert brush.seeds == [0, 1, 2, 3]
    rewards = [score.reward for score in result.scores]
    assert not result.refused
    assert int(np.argmax(rewards)) == 2
    assert result.scores[0].changes == (0.0,)
    assert result.scores[1].kept.value < result.scores[2].kept.value
    np.testing.assert_array_equal(result.rgb[~result.mask], rgb[~result.mask])
    blazer = parts == PART_INDEX["outer"]
    assert result.mask[blazer].all()
    assert (result.rgb[blazer][:, 0] > 150).mean() > 0.8


def test_nothing_good_enough_leaves_the_picture() -> None:
    rgb, parts = host(Size(180, 320))
    result = edit_picture(rgb, parts, "make the blazer red", Brush(), candidates=1, who=MIA)
    assert result.refused
    np.testing.assert_array_equal(result.rgb, rgb)


def test_what_is_kept_is_cut_out_of_the_region() -> None:
    rgb, parts = host(Size(180, 320))
    said = "make the blazer green but keep the hair"
    result = edit_picture(rgb, parts, said, Brush(), seed=3, candidates=1, who=MIA)
    assert not (result.mask & (parts == PART_INDEX["hair"])).any()


def test_refusals_of_pictures() -> None:
    rgb, parts = host()
    brush = Brush()
    assert edit_picture(rgb, parts, "undress her", brush).refused
    assert edit_picture(rgb, np.zeros_like(parts), "longer hair", brush).refused
    assert brush.seeds == []
    with pytest.raises(AvatarValueError, match="accepted"):
        edit_picture(rgb, parts[:-1], "longer hair", brush)


def test_kontext_runs_from_end_to_end(flux: Path) -> None:
    weights = Weights(str(flux), dtype="float32", device="cpu")
    painter = KontextPainter.load(weights, steps=2, settings={"_auto_resize": False})
    _run_through(painter)


def test_qwen_runs_from_end_to_end(qwen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("diffusers.pipelines.qwenimage.pipeline_qwenimage_edit_plus")
    # The sizes the full model sees its pictures at would take a tiny one minutes.
    monkeypatch.setattr(module, "VAE_IMAGE_SIZE", 64 * 64)
    monkeypatch.setattr(module, "CONDITION_IMAGE_SIZE", 56 * 56)
    weights = Weights(str(qwen), dtype="float32", device="cpu")
    _run_through(QwenPainter.load(weights, steps=2))


def _run_through(painter: KontextPainter | QwenPainter) -> None:
    rgb, parts = host()
    said = "make the blazer darker"
    result = edit_picture(rgb, parts, said, painter, candidates=2, seed=5, who=MIA)
    again = edit_picture(rgb, parts, said, painter, candidates=2, seed=5, who=MIA)
    assert len(result.scores) == 2
    assert result.scores[0] != result.scores[1]
    assert result.scores == again.scores
    assert result.reward == max(score.reward for score in result.scores)
    np.testing.assert_array_equal(result.rgb[~result.mask], rgb[~result.mask])
    painted = painter.paint(rgb, result.mask, said, 5)
    assert painted.shape == rgb.shape
    assert (painted[result.mask] != rgb[result.mask]).any()
