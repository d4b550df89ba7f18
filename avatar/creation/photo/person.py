"""Which part of a photo is the person, and where the hair is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from avatar.creation.photo.contours import OVAL
from avatar.creation.photo.crops import Region, crop
from avatar.creation.photo.face import FaceLandmarks
from avatar.creation.photo.network import Network
from avatar.spec.colour import to_linear

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# The part of the photo about the head that is looked at: side in face heights, and pixels.
_SPAN: Final = 4.0
SIDE: Final = 512
_NETWORK_SIDE: Final = 256
# Added before tones are compared: what is nearly black has none.
_DARK: Final = 0.012


@dataclass(frozen=True, slots=True)
class Portrait:
    """The head and shoulders, upright by the eyes, always `SIDE` pixels square.

    Attributes:
        region: of the photo. light: float32 [SIDE, SIDE, 3], linear RGB.
        person, face: bool [SIDE, SIDE]; the face is within its outline.
        points: float32 [468, 2], irises float32 [2, 5, 2], in pixels of this square.
        height: of the face from the outline's top to the chin, in these pixels.
    """

    region: Region
    light: Floats
    person: Mask
    face: Mask
    points: Floats
    irises: Floats
    height: float


def cut_portrait(picture: Pixels, face: FaceLandmarks, segmentation: Path) -> Portrait:
    """Cut the portrait out of a photo; `segmentation` is `selfie_segmentation.tflite`."""
    eyes = face.points[263, :2] - face.points[33, :2]
    oval = face.points[list(OVAL), :2]
    height = float(np.linalg.norm(face.points[152, :2] - face.points[10, :2]))
    down = (face.points[152, :2] - face.points[10, :2]) / height
    centre = oval.mean(0) + 0.35 * height * down
    region = Region(
        float(centre[0]), float(centre[1]), _SPAN * height, float(np.arctan2(eyes[1], eyes[0]))
    )
    pixels = crop(picture, region, SIDE)
    seen = crop(picture, region, _NETWORK_SIDE)[None].astype(np.float32) / 255.0
    share = next(iter(Network(segmentation)(seen).values()))[0, ..., 0]
    inside = crop(np.full_like(picture, 255), region, SIDE)[..., 0] > 250
    person = (ndimage.zoom(share, SIDE / _NETWORK_SIDE, order=1) > 0.5) & inside
    points = region.inward(face.points[:, :2]) * SIDE
    return Portrait(
        region,
        to_linear(pixels / np.float32(255.0)),
        person,
        polygon(points[list(OVAL)]),
        points,
        region.inward(face.irises) * SIDE,
        SIDE / _SPAN,
    )


def polygon(corners: Floats, side: int = SIDE) -> Mask:
    """Return which pixels [side, side] lie within a closed outline [n, 2]."""
    image = Image.new("1", (side, side))
    ImageDraw.Draw(image).polygon([(float(x), float(y)) for x, y in corners], fill=1)
    return np.asarray(image, bool)


def likeness(light: Floats, colour: Floats) -> Floats:
    """Return how far pixels [..., 3] are from a colour [3]: tone and shade, 0 is equal.

    Shade counts less than tone, for the same hair is lit on one side.
    """
    a, b = np.log(light + _DARK), np.log(colour + _DARK)
    shade = a.mean(-1) - b.mean(-1)
    tone = (a - a.mean(-1, keepdims=True)) - (b - b.mean(-1, keepdims=True))
    return np.asarray(np.sqrt((tone**2).sum(-1) + (0.3 * shade) ** 2), np.float32)


def hair_mask(portrait: Portrait, skin: Floats, hair: Floats) -> Mask:
    """Return where the hair is: of the person, about the face, liker the hair than the skin."""
    near_hair, near_skin = likeness(portrait.light, hair), likeness(portrait.light, skin)
    found = portrait.person & (near_hair < near_skin) & (near_hair < 0.75)
    found &= ~ndimage.binary_erosion(portrait.face, iterations=4)
    found = ndimage.binary_closing(ndimage.binary_opening(found), iterations=3) & portrait.person
    labels, count = ndimage.label(found)
    if count == 0:
        return np.asarray(found)
    # Hair hangs together with what is above the face; a dark coat does not.
    top = portrait.points[list(OVAL), 1].min()
    sizes = ndimage.sum(found[: int(max(top, 1))], labels[: int(max(top, 1))], range(1, count + 1))
    return np.asarray(labels == 1 + int(np.argmax(sizes)))
