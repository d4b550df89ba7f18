"""Finds faces in a picture: BlazeFace (Bazarevsky et al., 2019), its short range network."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.creation.photo.crops import Region, crop
from avatar.creation.photo.network import Network

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_SIDE: Final = 128
_LEAST_SCORE: Final = 0.5
_OVERLAP: Final = 0.3
# (cells along a side, anchors in each cell): strides of 8 and, three times, 16 pixels.
_GRIDS: Final = ((16, 2), (8, 6))


@dataclass(frozen=True, slots=True)
class Detection:
    """A face: box (left, top, right, bottom) in pixels, its eyes [2, 2], and a score 0 to 1.

    The first eye is the one on the left of the picture.
    """

    box: tuple[float, float, float, float]
    eyes: Floats
    score: float

    @property
    def side(self) -> float:
        """Return the longer side of the box."""
        left, top, right, bottom = self.box
        return max(right - left, bottom - top)


class FaceDetector:
    """Args: path: `face_detection.tflite`."""

    def __init__(self, path: Path) -> None:
        self._network = Network(path)
        self._anchors = _anchors()

    def __call__(self, picture: Pixels) -> list[Detection]:
        """Return the faces in a picture [h, w, 3], surest first, each once.

        The network sees the whole picture, and quarters of it that overlap, because it misses
        faces that are less than about a tenth of what it sees.
        """
        found: list[Detection] = []
        for region in _regions(picture.shape[0], picture.shape[1]):
            found += self._look(picture, region)
        return _distinct(found)

    def _look(self, picture: Pixels, region: Region) -> list[Detection]:
        seen = crop(picture, region, _SIDE)[None].astype(np.float32) / 127.5 - 1.0
        out = self._network(seen)
        raw = np.clip(out["classificators"][0, :, 0], -80.0, 80.0)
        scores = 1.0 / (1.0 + np.exp(-raw))
        detections = []
        for i in np.flatnonzero(scores >= _LEAST_SCORE):
            values = out["regressors"][0, i].reshape(8, 2) / _SIDE
            values[0] += self._anchors[i]
            values[2:] += self._anchors[i]
            places = region.outward(values[2:4])
            centre, size = region.outward(values[:1])[0], values[1] * region.side
            (left, top), (right, bottom) = centre - size / 2.0, centre + size / 2.0
            box = (float(left), float(top), float(right), float(bottom))
            detections.append(Detection(box, places, float(scores[i])))
        return detections


def _anchors() -> Floats:
    centres = []
    for cells, each in _GRIDS:
        steps = (np.arange(cells) + 0.5) / cells
        grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 1, 2)
        centres.append(grid.repeat(each, 1).reshape(-1, 2))
    return np.concatenate(centres).astype(np.float32)


def _regions(height: int, width: int) -> list[Region]:
    whole = Region(width / 2.0, height / 2.0, float(max(width, height)), 0.0)
    side = 0.55 * whole.side
    columns = np.linspace(side / 2.0, width - side / 2.0, 3) if width > side else [width / 2.0]
    rows = np.linspace(side / 2.0, height - side / 2.0, 3) if height > side else [height / 2.0]
    parts = [Region(float(x), float(y), side, 0.0) for y in rows for x in columns]
    return [whole, *parts]


def _distinct(found: list[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for one in sorted(found, key=lambda d: -d.score):
        if all(_overlap(one, other) < _OVERLAP for other in kept):
            kept.append(one)
    return kept


def _overlap(a: Detection, b: Detection) -> float:
    """Return the shared area as a share of the smaller box."""
    width = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
    height = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
    areas = [(d.box[2] - d.box[0]) * (d.box[3] - d.box[1]) for d in (a, b)]
    return max(width, 0.0) * max(height, 0.0) / max(min(areas), 1e-6)
