"""Photos are opened safely; what is none is refused in words."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from avatar.creation.photo.picture import MOST_BYTES, WORKING_SIDE, load_photo
from avatar.errors import AvatarValueError


def _picture(width: int = 200, height: int = 160) -> Image.Image:
    rng = np.random.default_rng(3)
    small = rng.integers(0, 255, (8, 10, 3), np.uint8)
    return Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)


def _bytes(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_usual_kinds_are_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo"
    path.write_bytes(_bytes(_picture(), kind))
    photo = load_photo(path)
    assert photo.pixels.shape == (160, 200, 3)
    assert photo.digest == load_photo(path.read_bytes()).digest
    gap = np.abs(photo.pixels.astype(int) - np.asarray(_picture()).astype(int))
    assert gap.mean() < 6.0


def test_a_photo_is_turned_as_its_camera_was() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = load_photo(_bytes(_picture(), "JPEG", exif=exif, quality=95))
    upright = np.asarray(_picture().transpose(Image.Transpose.ROTATE_270)).astype(int)
    assert photo.pixels.shape == (200, 160, 3)
    assert np.abs(photo.pixels.astype(int) - upright).mean() < 6.0


def test_what_is_transparent_lies_on_grey() -> None:
    image = _picture().convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 50, 160))
    photo = load_photo(_bytes(image))
    assert (photo.pixels[:, :50] == 128).all()
    assert (photo.pixels[:, 50:] == np.asarray(_picture())[:, 50:]).all()


def test_a_large_photo_is_reduced() -> None:
    photo = load_photo(_bytes(_picture(3000, 1500), "JPEG"))
    assert photo.pixels.shape == (WORKING_SIDE // 2, WORKING_SIDE, 3)


def _animated() -> bytes:
    frames = [_picture(), _picture().rotate(90)]
    return _bytes(frames[0], "WEBP", save_all=True, append_images=frames[1:])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"%PDF-1.7 and so on", "a PDF"),
        (_bytes(_picture(), "GIF"), "a GIF"),
        (_bytes(_picture(), "BMP"), "a BMP"),
        (b"not a picture at all", "not a picture"),
        (_bytes(_picture())[:600], "broken"),
        (_bytes(_picture(100, 300)), "100 x 300 pixels; accepted: sides of at least 128"),
        (_bytes(Image.new("RGB", (9000, 8000), "red")), "9000 x 8000 pixels; accepted: up to 50"),
        (_bytes(Image.new("1", (20000, 20000))), "accepted"),
        (_bytes(_picture().convert("L")), "it is grey; accepted: a picture in colour"),
        (_animated(), "it is animated; accepted: a still picture"),
        (b"x" * (MOST_BYTES + 1), f"accepted: up to {MOST_BYTES}"),
    ],
    ids=[
        "empty", "pdf", "gif", "bmp", "text", "cut off", "small", "huge", "bomb", "grey",
        "animated", "heavy",
    ],
)  # fmt: skip
def test_what_is_no_photo_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(AvatarValueError, match=said):
        load_photo(content)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AvatarValueError, match=r"nobody.jpg.*No such file"):
        load_photo(tmp_path / "nobody.jpg")
