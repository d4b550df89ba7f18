"""One face in a picture: 468 landmarks, refined eyes and irises.

Networks: Kartynnik et al., "Real-time facial surface geometry from monocular video on mobile
GPUs", 2019; Ablavatski et al., "Real-time pupil tracking from monocular video", 2020.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.creation.photo.crops import Region, crop
from avatar.creation.photo.detector import Detection, FaceDetector
from avatar.creation.photo.network import Network
from avatar.errors import AvatarValueError

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

LANDMARKS: Final = 468
# How sure the network must be that it sees a face.
_LEAST_SCORE: Final = 0.7
# A face that is narrower, in pixels, shows too little of its shape and colours.
LEAST_FACE: Final = 64
# Others that are at least this large beside the largest one count as a second person.
_SECOND_FACE: Final = 0.4

_FACE_SIDE, _EYE_SIDE = 192, 64
# Right and down in shares of the side, factor of the side, further turn in radians.
_LOOKS: Final = (
    (0.0, 0.0, 1.0, 0.0), (0.02, 0.01, 0.95, 0.08), (-0.02, 0.01, 0.95, -0.08),
    (0.01, -0.02, 0.90, -0.05), (-0.01, -0.02, 0.90, 0.05), (0.0, 0.02, 1.04, 0.0),
)  # fmt: skip
# The outline of an eye as the eye network gives it first, in numbers of the 468: the eye on
# the left of the picture, then the other.
_OUTLINES: Final = (
    (33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173),
    (263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398),
)
_CORNERS: Final = ((33, 133), (362, 263))


@dataclass(frozen=True, slots=True)
class FaceLandmarks:
    """A face.

    Attributes:
        points: float32 [468, 3], pixels from the top left, and depth in the same unit, smaller
            is nearer.
        irises: float32 [2, 5, 2], pixels: centre, then four places on the rim, of the eye on the
            left of the picture and of the other.
        score: how sure the network is that this is a face, 0 to 1.
    """

    points: Floats
    irises: Floats
    score: float

    @property
    def between_eyes(self) -> float:
        """Return the distance of the outer corners of the eyes, pixels."""
        return float(np.linalg.norm(self.points[33, :2] - self.points[263, :2]))


class FaceFinder:
    """Finds the one face of a picture.

    Args:
        folder: of the registry's asset "face-landmarks".

    Raises:
        AvatarError: a network cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._detector = FaceDetector(folder / "face_detection.tflite")
        self._face = Network(folder / "face_landmark.tflite")
        self._eye = Network(folder / "iris_landmark.tflite")

    def find_face(self, picture: Pixels) -> FaceLandmarks:
        """Return the landmarks of the one face in a picture [h, w, 3], sRGB.

        Raises:
            AvatarValueError: no face, more than one, or one of less than `LEAST_FACE` pixels.
        """
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise AvatarValueError(
                f"picture: {picture.dtype} {picture.shape}; accepted: uint8 [h, w, 3]"
            )
        seen = [self._check(picture, detection) for detection in self._detector(picture)]
        points = _only([one for one in seen if one is not None])
        region = _around(points)
        # The next look is centred by the first one's landmarks, and the mean of several, each
        # from a little elsewhere, is steadier than one.
        looks = [self._look(picture, region.moved(*step)) for step in _LOOKS]
        points = np.asarray(np.mean([look[0] for look in looks], axis=0), np.float32)
        score = float(np.mean([look[1] for look in looks]))
        irises = np.stack([self._refine(picture, points, side) for side in (0, 1)])
        return FaceLandmarks(points, irises, score)

    def _check(self, picture: Pixels, detection: Detection) -> Floats | None:
        """Return the landmarks of what may be a face, None where the network sees none there."""
        eyes = detection.eyes[1] - detection.eyes[0]
        left, top, right, bottom = detection.box
        region = Region(
            (left + right) / 2.0,
            (top + bottom) / 2.0,
            1.5 * detection.side,
            float(np.arctan2(eyes[1], eyes[0])),
        )
        points, _ = self._look(picture, region)
        points, score = self._look(picture, _around(points))
        return points if score >= _LEAST_SCORE else None

    def _look(self, picture: Pixels, region: Region) -> tuple[Floats, float]:
        seen = crop(picture, region, _FACE_SIDE)[None].astype(np.float32) / 255.0
        values = sorted(self._face(seen).values(), key=np.size)
        share = values[1].reshape(LANDMARKS, 3) / _FACE_SIDE
        flat = region.outward(share[:, :2])
        points = np.concatenate([flat, share[:, 2:] * region.side], 1).astype(np.float32)
        return points, float(1.0 / (1.0 + np.exp(-values[0].item())))

    def _refine(self, picture: Pixels, points: Floats, side: int) -> Floats:
        """Place the outline of one eye more exactly, in `points`; return its iris [5, 2]."""
        corners = points[list(_CORNERS[side]), :2]
        across = corners[1] - corners[0]
        centre = corners.mean(0)
        width = 2.3 * float(np.linalg.norm(across))
        turn = float(np.arctan2(across[1], across[0]))
        region = Region(float(centre[0]), float(centre[1]), width, turn, mirrored=side == 1)
        seen = crop(picture, region, _EYE_SIDE)[None].astype(np.float32) / 255.0
        values = sorted(self._eye(seen).values(), key=np.size)
        outline = values[1].reshape(-1, 3)[: len(_OUTLINES[side]), :2] / _EYE_SIDE
        points[list(_OUTLINES[side]), :2] = region.outward(outline)
        return region.outward(values[0].reshape(-1, 3)[:, :2] / _EYE_SIDE)


def _only(found: list[Floats]) -> Floats:
    """Return the landmarks of the one face there is; the same one may have been found twice."""
    if not found:
        raise AvatarValueError("photo: no face was found; accepted: a photo of one face, in front")
    largest = max(found, key=_width)
    centre = largest[:, :2].mean(0)
    others = [
        one
        for one in found
        if _width(one) >= _SECOND_FACE * _width(largest)
        and np.linalg.norm(one[:, :2].mean(0) - centre) > 0.5 * _width(largest)
    ]
    if others:
        raise AvatarValueError("photo: more than one face; accepted: a photo of one person")
    if _width(largest) < LEAST_FACE:
        raise AvatarValueError(
            f"photo: the face is {_width(largest):.0f} pixels wide; accepted: at least {LEAST_FACE}"
        )
    return largest


def _width(points: Floats) -> float:
    return float(np.ptp(points[:, 0]))


def _around(points: Floats) -> Region:
    """Return the square that the network expects about a face with these landmarks."""
    eyes = points[263, :2] - points[33, :2]
    turn = float(np.arctan2(eyes[1], eyes[0]))
    cosine, sine = np.cos(-turn), np.sin(-turn)
    turned = points[:, :2] @ np.array([[cosine, -sine], [sine, cosine]]).T
    low, high = turned.min(0), turned.max(0)
    centre = (low + high) / 2.0 @ np.array([[cosine, -sine], [sine, cosine]])
    side = 1.5 * float((high - low).max())
    return Region(float(centre[0]), float(centre[1]), side, turn)
