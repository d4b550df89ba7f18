"""Pictures are checked before work is done for them, and marked."""

from pathlib import Path

import pytest
from PIL import Image

from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE
from pipeline.picture_file import check_picture, write_picture


@pytest.mark.parametrize("name", ["sheet.png", "sheet.JPG"])
def test_a_picture_says_that_it_is_artificial(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    check_picture(path)
    assert not path.exists()
    write_picture(Image.new("RGB", (8, 8), "#804020"), path)
    with Image.open(path) as picture:
        noted = picture.info.get("Comment", picture.info.get("comment"))
    assert (noted.decode() if isinstance(noted, bytes) else noted) == AI_NOTICE


def test_a_picture_that_is_there_stays_as_it_is_when_checked(tmp_path: Path) -> None:
    path = tmp_path / "sheet.png"
    write_picture(Image.new("RGB", (8, 8)), path)
    before = path.read_bytes()
    check_picture(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "message"),
    [("sheet.txt", "accepted: a name that ends in"), ("missing/sheet.png", "cannot be written")],
)
def test_what_cannot_be_a_picture_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        check_picture(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
