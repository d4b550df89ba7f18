"""The body package's grey mask pictures, taken to vertices."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from avatar.body.source import Body


def vertex_mask(body: Body, name: str) -> NDArray[np.float32]:
    """Return the mask picture `name` at each body vertex, float32 [v], 0 to 1."""
    with Image.open(body.masks / name) as file:
        image = np.asarray(file.convert("L"), np.float32) / 255.0
    group = body.groups["body"]
    x = group.uv[..., 0] * image.shape[1] - 0.5
    y = (1.0 - group.uv[..., 1]) * image.shape[0] - 0.5
    values = ndimage.map_coordinates(image, [y, x], order=1, mode="nearest")
    mask = np.zeros(len(body.vertices), np.float32)
    np.maximum.at(mask, group.triangles.ravel(), values.ravel())
    return mask
