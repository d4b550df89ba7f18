"""The one face of a photo is found, others are refused."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from avatar.creation.photo.face import LANDMARKS, FaceFinder, FaceLandmarks
from avatar.errors import AvatarError, AvatarValueError

Pixels = NDArray[np.uint8]


def test_landmarks_lie_on_the_portrait(face: FaceLandmarks) -> None:
    assert face.points.shape == (LANDMARKS, 3)
    assert face.score > 0.9
    # Where a person sees pupils, the tip of the nose and the chin in this picture.
    for place, seen in (
        (face.irises[0, 0], (202, 99)),
        (face.irises[1, 0], (249, 103)),
        (face.points[4, :2], (223, 124)),
        (face.points[152, :2], (222, 182)),
    ):
        assert np.linalg.norm(place - seen) < 7.0


def test_landmarks_move_with_the_picture(
    finder: FaceFinder, portrait: Pixels, face: FaceLandmarks
) -> None:
    moved = np.roll(portrait, (40, 30), (0, 1))
    off = finder.find_face(moved).points[:, :2] - face.points[:, :2] - np.array([30.0, 40.0])
    assert np.linalg.norm(off, axis=1).mean() < 0.02 * face.between_eyes


def test_a_mirrored_picture_has_mirrored_landmarks(
    finder: FaceFinder, portrait: Pixels, face: FaceLandmarks
) -> None:
    mirrored = finder.find_face(np.ascontiguousarray(portrait[:, ::-1]))
    width = portrait.shape[1]
    for left, right in ((33, 263), (61, 291), (234, 454), (133, 362)):
        flipped = np.array([width - mirrored.points[right, 0], mirrored.points[right, 1]])
        assert np.linalg.norm(flipped - face.points[left, :2]) < 0.08 * face.between_eyes


def test_two_faces_are_refused(finder: FaceFinder, portrait: Pixels) -> None:
    both = np.concatenate([portrait[:300, 100:350], portrait[:300, 100:350, :]], 1)
    with pytest.raises(
        AvatarValueError, match="more than one face; accepted: a photo of one person"
    ):
        finder.find_face(both)


def test_no_face_is_refused(finder: FaceFinder, portrait: Pixels) -> None:
    with pytest.raises(AvatarValueError, match="no face was found"):
        finder.find_face(np.ascontiguousarray(portrait[260:, :260]))


def test_a_tiny_face_is_refused(finder: FaceFinder, portrait: Pixels) -> None:
    small = np.asarray(Image.fromarray(portrait).resize((280, 280)), np.uint8)
    with pytest.raises(AvatarValueError, match="pixels wide; accepted: at least 64"):
        finder.find_face(small)


def test_what_is_no_picture_is_refused(finder: FaceFinder, portrait: Pixels) -> None:
    with pytest.raises(AvatarValueError, match=r"accepted: uint8 \[h, w, 3\]"):
        finder.find_face(portrait[..., 0])


def test_a_broken_network_is_named(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("broken")
    with pytest.raises(AvatarError, match=r"face_detection\.tflite cannot be read"):
        FaceFinder(folder)
    (folder / "face_detection.tflite").write_bytes(b"nothing of the kind")
    with pytest.raises(AvatarError, match="not a TensorFlow Lite model"):
        FaceFinder(folder)
    (folder / "face_detection.tflite").write_bytes(b"\x10\x00\x00\x00TFL3" + b"\xff" * 40)
    with pytest.raises(AvatarError, match="is broken"):
        FaceFinder(folder)
