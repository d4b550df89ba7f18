"""Soft masks of the parts of a face: rendered from contours so that gradients reach them.

A contour is filled by the sigmoid of each pixel's signed distance from it, as soft rasterisers do
(Liu et al., "Soft Rasterizer", 2019): moving a corner moves the edge of the mask smoothly.
"""

from typing import Final

import torch
from torch import Tensor

OVAL: Final = (
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152,
    148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
)  # fmt: skip
EYES: Final = (
    (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246),
    (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466),
)
LIPS: Final = (
    61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185,
)  # fmt: skip
MOUTH: Final = (
    78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191,
)  # fmt: skip
BROWS: Final = (
    (70, 63, 105, 66, 107, 55, 65, 52, 53, 46),
    (300, 293, 334, 296, 336, 285, 295, 282, 283, 276),
)
NOSE: Final = (
    168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 97, 326, 327, 129, 358, 64, 294, 48, 278, 115, 344,
    220, 440, 45, 275,
)  # fmt: skip


def grid(low: Tensor, high: Tensor, rows: int, columns: int) -> Tensor:
    """Return the centres [rows * columns, 2] of the cells of a box from `low` to `high`, (x, y)."""
    x = low[0] + (torch.arange(columns) + 0.5) / columns * (high[0] - low[0])
    y = low[1] + (torch.arange(rows) + 0.5) / rows * (high[1] - low[1])
    across, down = torch.meshgrid(x, y, indexing="xy")
    return torch.stack([across.reshape(-1), down.reshape(-1)], -1)


def soft_mask(contour: Tensor, pixels: Tensor, softness: float) -> Tensor:
    """Return how much each pixel lies within a closed contour, 0 to 1.

    Args:
        contour: [n, 2] corners in order. pixels: [p, 2]. softness: width of the edge, in the
            same unit.
    """
    start, end = contour, contour.roll(-1, 0)
    along = end - start
    offset = pixels[:, None] - start
    share = (offset * along).sum(-1) / (along * along).sum(-1).clamp_min(1e-9)
    gap = offset - share.clamp(0.0, 1.0)[..., None] * along
    distance = (gap * gap).sum(-1).min(1).values.clamp_min(1e-9).sqrt()
    crosses = (start[:, 1] > pixels[:, 1:]) != (end[:, 1] > pixels[:, 1:])
    slope = (pixels[:, 1:] - start[:, 1]) / torch.where(
        along[:, 1].abs() < 1e-9, torch.full_like(along[:, 1], 1e-9), along[:, 1]
    )
    right = pixels[:, :1] < start[:, 0] + slope * along[:, 0]
    inside = (crosses & right).sum(1) % 2 == 1
    return torch.sigmoid(torch.where(inside, distance, -distance) / softness)


def disagreement(mine: Tensor, theirs: Tensor) -> Tensor:
    """Return 1 minus the soft intersection over union of two masks."""
    both = (mine * theirs).sum()
    return 1.0 - both / (mine.sum() + theirs.sum() - both).clamp_min(1e-6)
