"""`vivant motion`: files in other formats, and what is no motion."""

import json
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motion.actions import ACTION_IDS
from motion.formats import Clip, read_motion, write_motion
from motion.pose import Pose
from web.command import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.safetensors"
    moved = np.linspace(0.0, 0.1, 20)[:, None] * np.ones(3)
    write_motion(Clip.of(Pose.rest(20).rotations, moved), path)
    return path


@pytest.mark.parametrize("ending", [".bvh", ".npz", ".npy", ".safetensors"])
def test_motion_is_converted(ending: str, source: Path, tmp_path: Path, capsys: Capture) -> None:
    output, report = tmp_path / f"out{ending}", tmp_path / "report.json"
    assert main(["motion", "convert", str(source), str(output), "--report", str(report)]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told == {"output": str(output), "seconds": 0.8, "poses": 20}
    assert json.loads(report.read_text()) == told
    assert len(read_motion(output).rotations) >= 17


def test_units_of_a_bvh_are_as_told(source: Path, tmp_path: Path, capsys: Capture) -> None:
    bvh, back = tmp_path / "a.bvh", tmp_path / "back.safetensors"
    assert main(["motion", "convert", str(source), str(bvh)]) == 0
    assert main(["motion", "convert", str(bvh), str(back), "--scale", "0.02", "--half"]) == 0
    np.testing.assert_allclose(read_motion(back).translation[-1], 0.2, atol=1e-5)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["motion"], 2, "ACTION"),
        (["motion", "convert", "none.bvh", "out.bvh"], 2, "there is no file 'none.bvh'"),
        (["motion", "convert", "{}", "out.fbx"], 1, "'.fbx'; accepted: .safetensors"),
        (["motion", "convert", "{}", "out.bvh", "--scale", "0"], 2, "no positive number of metres"),
        (["motion", "convert", "{}", "out.bvh", "--up", "x"], 2, "invalid choice"),
        (["motion", "convert", "{}", "{}"], 2, "is what is read; accepted: another file"),
        (["motion", "preview", "{}"], 2, "--output"),
        (["motion", "preview", "{}", "-o", "out.avi"], 2, "a name that ends in .mp4"),
        (["motion", "eval", "{}"], 1, "version None; accepted: 1"),
        (["say", "hi", "-o", "out.avi"], 2, "a name that ends in .mp4"),
        (["motion", "preview", __file__, "-o", "out.mp4"], 1, "'.py'; accepted: .safetensors"),
        (["motion", "preview", "{}", "-o", "out.mp4", "--avatar", "nobody"], 1, "nobody"),
        (["motion", "generate", "{}"], 2, "--output"),
        (["motion", "generate", "{}", "-o", "out.fbx"], 1, "'.fbx'; accepted: .safetensors"),
        (["motion", "generate", "{}", "-o", "out.bvh"], 1, "cannot be read as sound"),
        (["motion", "generate", "{}", "-o", "o.bvh", "--action", "wave"], 2, "ID@SECONDS"),
        (["motion", "generate", "{}", "-o", "o.bvh", "--action", "wave@1:size"], 2, "NAME=VALUE"),
        (
            ["motion", "generate", "{}", "-o", "o.bvh", "--emotion", "mad"],
            1,
            "accepted are neutral",
        ),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], code: int, message: str, source: Path, tmp_path: Path, capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main([argument.format(source) for argument in arguments]) == code
    output = capsys.readouterr()
    assert message in output.err
    assert output.out == ""
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_motion_is_made_for_a_recording(tmp_path: Path, capsys: Capture) -> None:
    audio, output = tmp_path / "a.wav", tmp_path / "a.bvh"
    with wave.open(str(audio), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes((np.sin(np.arange(32_000) * 0.06) * 9_000).astype("<i2").tobytes())
    asked = ["--action", "count@1.0:number=3,hand=left", "--emotion", "happy:0.5", "--seed", "7"]
    arguments = ["motion", "generate", str(audio), "-o", str(output), "--style", "lively"]
    assert main([*arguments, *asked]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["output"] == str(output)
    assert (told["poses"], told["actions"]) == (50, ["count@1.00"])
    assert len(read_motion(output).rotations) == 50


def test_actions_are_listed_with_their_parameters_and_words(capsys: Capture) -> None:
    assert main(["motion", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ACTION_IDS:
        assert sum(line.split(" ")[0] == name for line in lines) == 1
    assert any("number: 1 to 5 count" in line for line in lines)
    assert any("欢迎" in line for line in lines)


def test_actions_are_shown_as_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    asked: dict[str, Any] = {}

    def show_actions(_: object, **wanted: object) -> dict[str, object]:
        asked.update(wanted)
        return {"actions": wanted["names"]}

    monkeypatch.setattr("pipeline.action_strips.show_actions", show_actions)
    output = tmp_path / "strip.png"
    arguments = ["motion", "show", "count", "-o", str(output), "--avatar", "leo"]
    assert main([*arguments, "--set", "number=3", "--set", "hand=left", "--size", "90x160"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"actions": ["count"]}
    assert asked["given"] == {"number": "3", "hand": "left"}
    assert (asked["avatar"], asked["size"], asked["output"]) == ("leo", (90, 160), output)
    assert main([*arguments, "--set", "number"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err
