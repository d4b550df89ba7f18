"""What a person at the terminal sees while something takes its time."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import identities, prepared, say
from pipeline.library import avatars
from pipeline.prepared import Step
from web.command import main, talk

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def settings(tmp_path: Path) -> list[str]:
    """A library of its own, of which nobody has been built."""
    file = tmp_path / "vivant.toml"
    file.write_text(f'cache = "{tmp_path / "cache"}"\n', "utf-8")
    return ["--config", str(file)]


def _shown(capture: Capture) -> tuple[list[str], dict[str, Any]]:
    """Return what was seen of the bars, in order, and the report on the last line."""
    output = capture.readouterr()
    seen = [line.strip() for line in re.split(r"[\r\n]+", output.err) if line.strip()]
    return seen, json.loads(output.out.splitlines()[-1])


def _working(report: dict[str, object], *steps: tuple[str, float]) -> Callable[..., object]:
    """Stand in for work that tells of `steps`."""

    def work(*_: object, progress: Step, **__: object) -> dict[str, object]:
        for what, share in steps:
            progress(what, share)
        return report

    return work


def _bars(seen: list[str]) -> list[tuple[str, int]]:
    found = (re.match(r"(.+?): +(\d+)%", line) for line in seen)
    return [(match[1], int(match[2])) for match in found if match]


def test_an_edit_shows_how_far_it_is(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    report: dict[str, object] = {"avatar": "mia", "refused": False}
    work = _working(report, ("reading", 0.0), ("candidate 2 of 4", 0.5), ("judging", 0.9))
    monkeypatch.setattr(identities, "edit", work)
    assert main(["avatar", "edit", "mia", "a red apron", *settings]) == 0
    seen, told = _shown(capsys)
    assert ("candidate 2 of 4", 50) in _bars(seen)
    assert _bars(seen)[-1] == ("judging", 90)
    assert told == report


def test_an_edit_that_is_refused_says_why_below_its_bar(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    report: dict[str, object] = {"refused": True, "why": "nothing changed"}
    monkeypatch.setattr(identities, "edit", _working(report, ("judging", 0.9)))
    assert main(["avatar", "edit", "mia", "as she is", *settings]) == 1
    seen, _ = _shown(capsys)
    assert ("judging", 90) in _bars(seen)
    assert seen[-1] == "refused: nothing changed"


def test_what_is_shown_as_something_like_it_is_told_to_the_person(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    report: dict[str, object] = {"refused": False, "nearest": ["beard is shown as stubble"]}
    monkeypatch.setattr(identities, "edit", _working(report))
    assert main(["avatar", "edit", "leo", "add a beard", *settings]) == 0
    assert _shown(capsys)[0] == ["as near as can be shown: beard is shown as stubble"]
    assert main(["avatar", "create", "a bald man with a zyzzx", "--name", "own", *settings]) == 0
    seen, told = _shown(capsys)
    assert "not understood, or nothing that can be shown: zyzzx" in seen
    assert "as near as can be shown: bald is shown as hair cropped close" in seen
    assert told["nearest"] == ["bald is shown as hair cropped close"]


@pytest.mark.parametrize(("work", "flags"), [("show", []), ("show_lookbook", ["--lookbook"])])
def test_a_sheet_shows_how_far_it_is(
    work: str,
    flags: list[str],
    settings: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.setattr(identities, work, _working({"avatar": "lin"}, ("skin", 0.25), ("hair", 1)))
    sheet = str(tmp_path / "sheet.png")
    assert main(["avatar", "show", "lin", "-o", sheet, *flags, *settings]) == 0
    seen, told = _shown(capsys)
    assert _bars(seen) == [("skin", 25), ("hair", 100)]
    assert told == {"avatar": "lin"}


def test_where_nothing_is_told_there_is_no_bar(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(identities, "edit", _working({"refused": False}))
    assert main(["avatar", "edit", "mia", "a red apron", *settings]) == 0
    assert _shown(capsys)[0] == []


def test_a_film_of_a_new_host_builds_them_in_sight(
    settings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def build(_: object, cache: Path, __: Path, step: Step) -> None:
        assert cache == tmp_path / "cache" / "avatars"
        step("body", 0.0)
        step("hair", 0.6)

    def film(*given: object) -> tuple[float, int]:
        progress = given[-1]
        assert callable(progress)
        progress(1.5)
        return 1.5, 37

    monkeypatch.setattr(prepared, "prepare", build)
    monkeypatch.setattr(say, "make_renderer", lambda _: None)

    def speak(*given: object) -> list[object]:
        told = given[-1]
        assert callable(told)
        told("speaking", 0.5)
        return []

    monkeypatch.setattr(say, "_speak", speak)
    monkeypatch.setattr(say, "_film", film)
    out = str(tmp_path / "out.mp4")
    assert main(["say", "Hello.", "-o", out, "--avatar", "kofi", *settings]) == 0
    seen, told = _shown(capsys)
    assert _bars(seen) == [("body", 0), ("hair", 60), ("speaking", 50)]
    assert any(re.fullmatch(r"[\d.]+ s of film in .*", line) for line in seen)
    assert told["pictures"] == 37


def test_a_conversation_with_a_new_host_builds_them_before_a_server_starts(
    settings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    class Started(Exception):  # noqa: N818
        pass

    def start(_: object) -> None:
        raise Started

    def build(spec: object, _: Path, __: Path, step: Step) -> None:
        assert spec == avatars(tmp_path / "cache").get("own")
        step("garments", 0.5)

    avatars(tmp_path / "cache").copy("lin", "own")
    monkeypatch.setattr(prepared, "prepare", build)
    monkeypatch.setattr(talk, "own_server", start)
    question = tmp_path / "question.wav"
    question.write_bytes(b"RIFF")
    with pytest.raises(Started):
        main(["talk", str(question), "--avatar", "own", *settings])
    errors = capsys.readouterr().err
    assert errors.index("garments:  50%") < errors.index("starting a server")
    assert main(["talk", str(question), "--avatar", "nobody", *settings]) == 1
    errors = capsys.readouterr().err
    assert "avatar is 'nobody'; accepted: mia" in errors
    assert "starting a server" not in errors
