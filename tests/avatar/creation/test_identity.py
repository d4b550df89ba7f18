"""A photo becomes an identity, with consent."""

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from avatar.body.photo_skin import SHAPE, load_face, save_face
from avatar.creation.photo.identity import PhotoIdentity, PhotoReader
from avatar.errors import AvatarError, AvatarValueError
from avatar.spec import AvatarSpec
from avatar.spec.colour import display
from avatar.spec.identity import BodySpec

Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def photo(portrait: Pixels) -> bytes:
    out = io.BytesIO()
    Image.fromarray(portrait).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faces")


@pytest.fixture(scope="module")
def made(photo: bytes, faces: Path, face_models: Path, anny_cache: Path) -> PhotoIdentity:
    reader = PhotoReader(face_models, anny_cache)
    base = AvatarSpec(body=BodySpec(age=0.7))
    return reader.from_photo(photo, faces, consent=True, made="2026-01-31", base=base, steps=60)


def test_without_consent_there_is_no_avatar(
    photo: bytes, faces: Path, face_models: Path, anny_cache: Path
) -> None:
    with pytest.raises(AvatarValueError, match="consent: False; accepted: True"):
        PhotoReader(face_models, anny_cache).from_photo(
            photo, faces, consent=False, made="2026-01-31"
        )
    assert not list(faces.glob("*"))


def test_provenance_is_kept(made: PhotoIdentity) -> None:
    origin = made.spec.provenance
    assert (origin.source, origin.consent, origin.made) == ("photo", True, "2026-01-31")
    assert len(origin.digest) == 64
    assert AvatarSpec.from_json(made.spec.to_json()) == made.spec


def test_colours_are_those_of_the_picture(made: PhotoIdentity) -> None:
    skin, hair, lips = (
        np.array(display(c)) * 255
        for c in (made.spec.skin.colour, made.spec.hair.colour, made.spec.lips.colour)
    )
    assert np.abs(skin - (222, 186, 163)).max() < 30
    assert hair[0] > hair[2] + 25
    assert hair.mean() < skin.mean() - 40
    assert lips[0] - lips[1] > skin[0] - skin[1]
    upper = made.spec.piece("upper")
    assert upper is not None
    cloth = np.array(display(upper.colour))
    # The suit is orange.
    assert cloth[0] > 1.5 * cloth[1] > 1.5 * cloth[2]


def test_short_full_hair_is_seen_as_such(made: PhotoIdentity) -> None:
    assert made.spec.hair.style in ("pixie", "bob")
    assert made.hair.above > 0.25


def test_the_face_of_the_photo_lies_in_the_texture(made: PhotoIdentity, faces: Path) -> None:
    picture = load_face(faces, made.spec.skin.texture)
    share = picture[..., 3].astype(float) / 255.0
    across = np.flatnonzero(share.max(0) > 0.5)
    assert across.min() > 500
    assert across.max() < 1550
    assert 0.02 < share.mean() < 0.25
    colour = picture[share > 0.9][:, :3].mean(0)
    assert np.abs(colour - np.array(display(made.spec.skin.colour)) * 255).max() < 25
    # Eyes and the open mouth are left to the avatar's own.
    inside = share[int(np.argmax(share.mean(1))) - 200 :, 700:1350]
    assert (inside < 0.1).any()


def test_face_pictures_are_kept_by_their_content(tmp_path: Path) -> None:
    picture = np.random.default_rng(1).integers(0, 255, SHAPE, np.uint8)
    digest = save_face(picture, tmp_path)
    assert (load_face(tmp_path, digest) == picture).all()
    (tmp_path / f"{digest}.png").write_bytes(b"something else")
    with pytest.raises(AvatarError, match="is not what its name says"):
        load_face(tmp_path, digest)
    with pytest.raises(AvatarError, match="cannot be read"):
        load_face(tmp_path, "0" * 64)
    with pytest.raises(AvatarError, match="accepted: uint8"):
        save_face(picture[..., :3], tmp_path)
