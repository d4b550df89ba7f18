"""The benchmark of photos, with a portrait in the place of a drawn host."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from avatar.editing.atoms import PART_INDEX
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose
from pipeline import bench_photo
from pipeline.configuration import Configuration

Picture = NDArray[np.uint8]


class Portrait:
    """Shows NASA's portrait of Eileen Collins, whoever is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def draw(
        self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size
    ) -> tuple[Picture, Picture]:
        """Return the portrait, cut to the shape asked for."""
        del pose
        self.asked.append((spec.name, scene.framing))
        wide = round(512 * size.width / size.height)
        rgb = np.ascontiguousarray(np.asarray(data.astronaut(), np.uint8)[:, 30 : 30 + wide])
        return rgb, np.full(rgb.shape[:2], PART_INDEX["head"], np.uint8)


def test_a_quick_run_tells_how_near_the_first_hosts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    portrait = Portrait()

    @contextmanager
    def studio(_: Configuration) -> Iterator[Portrait]:
        yield portrait

    monkeypatch.setattr(bench_photo, "edit_studio", studio)
    monkeypatch.setattr(bench_photo, "_QUICK", (1, 12))
    report = bench_photo.run(quick=True)
    assert portrait.asked == [("mia", "head")]
    assert report["count"] == 1
    (row,) = report["rows"]
    assert row["name"] == "mia"
    # The fit nears the landmarks of the picture, however unlike the host they are.
    assert 0.0 < row["after"] < row["before"]
    assert report["beats_average"] == float(row["shape_mm"] < row["average_mm"])
    # An orange suit is no dark blazer.
    assert row["cloth"] is None or row["cloth"] > 15.0
    assert row["seconds"] > 0.0
