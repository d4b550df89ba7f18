"""Films are decoded ahead of time, in a bounded way, and loop on media time."""

import threading
from pathlib import Path

import pytest

from avatar.errors import AvatarValueError
from avatar.scene.film import AHEAD, FilmLoop, check_film
from tests.avatar.scene.pictures import RATE, film

SIZE = (54, 96)


def test_every_moment_has_its_picture(tmp_path: Path) -> None:
    loop = FilmLoop(film(tmp_path / "a.mp4", 30), SIZE, patient=True)
    assert len(loop) == 30
    assert loop.duration == pytest.approx(30 / RATE)
    brightness = []
    for number in range(70):
        found, texels = loop.picture(number / RATE + 0.001)
        assert found == number
        assert texels is not None
        assert texels.shape == (96, 54, 4)
        brightness.append(int(texels[48, 27, 0]))
    assert brightness[:30] == sorted(brightness[:30])
    assert brightness[30:60] == brightness[:30]
    assert brightness[29] > brightness[0] + 100
    loop.close()


def test_media_time_may_jump_both_ways(tmp_path: Path) -> None:
    loop = FilmLoop(film(tmp_path / "a.mp4", 60), SIZE, patient=True)
    first = loop.picture(0.2)
    for at in (2.0, 100.0, 0.2, 50.0, 1.0):
        found, texels = loop.picture(at)
        assert found == loop.number_at(at)
        assert texels is not None
    again = loop.picture(0.2)
    assert again[0] == first[0]
    loop.close()


def test_asking_does_not_wait_and_little_is_kept(tmp_path: Path) -> None:
    loop = FilmLoop(film(tmp_path / "a.mp4", 60), SIZE)
    loop.picture(0.0, wait=True)
    late, _ = loop.picture(1000.0)
    assert late < loop.number_at(1000.0)
    loop.picture(0.0, wait=True)
    assert len(loop._kept) <= AHEAD + 1
    loop.close()


def test_closing_ends_the_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    loop = FilmLoop(film(tmp_path / "a.mp4"), SIZE)
    assert threading.active_count() == before + 1
    loop.close()
    assert threading.active_count() == before


def test_a_small_film_is_not_enlarged(tmp_path: Path) -> None:
    loop = FilmLoop(film(tmp_path / "a.mp4"), (720, 1280))
    assert loop.size == (54, 96)
    loop.close()


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.mp4"
    text.write_text("no film")
    with pytest.raises(AvatarValueError, match="accepted: a video file"):
        check_film(str(text))
    with pytest.raises(AvatarValueError, match="accepted: a file that exists"):
        check_film(str(tmp_path / "none.mp4"))
    check_film(film(tmp_path / "b.mp4"))
