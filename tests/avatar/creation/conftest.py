"""A portrait in the public domain, and what finds and fits faces."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from avatar.creation.photo.face import FaceFinder, FaceLandmarks
from avatar.creation.photo.fit import one_thread
from avatar.creation.photo.shape import HeadShape, load_shape


@pytest.fixture(scope="session")
def portrait() -> NDArray[np.uint8]:
    """Return NASA's portrait of Eileen Collins, uint8 [512, 512, 3], as scikit-image ships it."""
    return np.asarray(data.astronaut(), np.uint8)


@pytest.fixture(scope="session")
def face_models(models: Path) -> Path:
    """Return the folder of the face networks."""
    return models / "face-landmarks"


@pytest.fixture(scope="session")
def finder(face_models: Path) -> FaceFinder:
    """Return what finds faces."""
    return FaceFinder(face_models)


@pytest.fixture(scope="session")
def face(finder: FaceFinder, portrait: NDArray[np.uint8]) -> FaceLandmarks:
    """Return the landmarks of the portrait."""
    with one_thread():
        return finder.find_face(portrait)


@pytest.fixture(scope="session")
def shape(anny_cache: Path) -> HeadShape:
    """Return the landmarks of the body."""
    return load_shape(anny_cache)
