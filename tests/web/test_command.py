"""The command line: parsing, exit codes, the JSON line at the end."""

import json
import socket
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from avatar.spec import HOSTS, SCENES
from avatar.wardrobe.poke import ACCEPTED, Finding, Report
from motion.style import STYLES
from pipeline.assets import Registry
from pipeline.configuration import Configuration
from pipeline.library import scenes, styles
from web.command import main
from web.command.main import build_parser
from web.command.serve import configured, listen

Capture = pytest.CaptureFixture[str]


def _last_json(capture: Capture) -> dict[str, Any]:
    lines = capture.readouterr().out.splitlines()
    assert lines
    parsed: dict[str, Any] = json.loads(lines[-1])
    return parsed


def _provide(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> None:
    """Put a module of one's own in the place of one the command imports."""
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sing"],
        ["serve", "--port", "70000"],
        ["serve", "--port", "http"],
        ["serve", "--sessions", "0"],
        ["serve", "--size", "541x960"],
        ["serve", "--size", "big"],
        ["serve", "--config", "there-is-no-such-file.toml"],
        ["talk"],
        ["talk", "there-is-no-such-file.wav"],
        ["talk", __file__, "--framing", "feet"],
        ["say", "hello"],
        ["say", "hello", "-o", "no-such-folder/out.mp4"],
        ["say", "-o", "out.mp4"],
        ["say", "  ", "-o", "out.mp4"],
        ["models"],
        ["bench", "realtime", "--voice", "loud"],
        ["bench", "realtime", "--turns", "0"],
        ["bench", "soak", "--minutes", "-1"],
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], capsys: Capture) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.strip()


@pytest.mark.parametrize("command", ["serve", "talk", "say", "models", "bench"])
def test_help_of_every_command(command: str, capsys: Capture) -> None:
    assert main([command, "--help"]) == 0
    assert command in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from web.command import main; main(['--help']); "
        "heavy = {'torch', 'numpy', 'aiortc', 'av', 'starlette', 'uvicorn', 'pipeline', 'tqdm'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_the_library_holds_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("VIVANT_CACHE", str(tmp_path))
    styles(tmp_path).copy("calm", "mine")
    assert main(["avatar", "list"]) == 0
    named = [tuple(line.split()[:2]) for line in capsys.readouterr().out.splitlines()]
    assert named == [
        *(("avatar", name) for name in HOSTS),
        *(("scene", name) for name in SCENES),
        *(("style", name) for name in (*STYLES, "mine")),
    ]


def test_own_scenes_and_styles_are_made_of_ready_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("VIVANT_CACHE", str(tmp_path))
    create = ["avatar", "create", "--name", "mine", "--kind"]
    assert main([*create, "style", "--base", "lively", "--set", "tempo=1.3"]) == 0
    assert _last_json(capsys) == {"style": "mine"}
    assert styles(tmp_path).get("mine").tempo == 1.3
    assert main([*create, "scene", "--set", "card.name=Tea", "--set", 'card.price="3"']) == 0
    assert _last_json(capsys) == {"scene": "mine"}
    card = scenes(tmp_path).get("mine").card
    assert card is not None
    assert (card.name, card.price) == ("Tea", "3")
    assert main([*create, "style"]) == 1
    assert "'mine' is taken" in capsys.readouterr().err
    assert main([*create, "style", "--replace", "--set", "tempo=9"]) == 1
    assert "StyleSpec.tempo: 9; accepted: 0.7 to 1.3" in capsys.readouterr().err
    assert main([*create, "scene", "a sunny shop"]) == 2


def test_models_are_listed(capsys: Capture) -> None:
    assert main(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [asset.name for asset in Registry().entries()]
    assert all("Apache" in line or "MIT" in line or "CC0" in line for line in lines)


def test_models_that_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("VIVANT_CACHE", str(tmp_path))
    assert main(["models", "list", "silero-vad"]) == 0
    assert "missing" in capsys.readouterr().out
    assert main(["models", "verify", "silero-vad"]) == 1
    assert "silero-vad/silero_vad.onnx: missing" in capsys.readouterr().err


def test_an_unknown_model_is_one_line(capsys: Capture) -> None:
    assert main(["models", "list", "../silero"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "silero-vad" in error


def test_a_taken_port_is_told_before_anything_loads(capsys: Capture) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        assert main(["serve", "--port", str(number)]) == 1
    error = capsys.readouterr().err
    assert error == f"vivant: cannot listen at 127.0.0.1:{number}: Address already in use\n"


def test_half_a_certificate(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "chain.pem"
    file.write_text("-")
    assert main(["serve", "--certificate", str(file)]) == 2
    assert "--key" in capsys.readouterr().err


def test_a_configuration_that_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "vivant.toml"
    file.write_text("[server]\nsesions = 3\n")
    assert main(["serve", "--config", str(file)]) == 1
    assert "server.sesions" in capsys.readouterr().err


def test_a_system_chosen_port_is_free() -> None:
    with listen("127.0.0.1", 0) as first, listen("127.0.0.1", 0) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_the_command_line_wins_over_the_configuration() -> None:
    address = ["--host", "0.0.0.0", "--port", "9"]
    line = ["serve", *address, "--sessions", "5", "--voice", "light", "--size", "360x640"]
    found = configured(Configuration(), build_parser().parse_args(line))
    assert (found.server.host, found.server.port, found.server.sessions) == ("0.0.0.0", 9, 5)
    assert found.speak.voices == ("light", "kokoro")
    assert (found.draw.width, found.draw.height) == (360, 640)
    unchanged = configured(Configuration(), build_parser().parse_args(["serve"]))
    assert unchanged == Configuration()


@pytest.mark.parametrize(
    ("line", "module", "expected"),
    [
        (
            "realtime --voice kokoro --turns 3",
            "web.bench.realtime",
            {"voice": "kokoro", "turns": 3, "minutes": None, "size": None, "config": None},
        ),
        (
            "realtime --minutes 5 --size 360x640",
            "web.bench.realtime",
            {"voice": "light", "turns": 40, "minutes": 5.0, "size": (360, 640), "config": None},
        ),
        (
            "voice --voice light --voice kokoro",
            "pipeline.bench_voice",
            {"voices": ["light", "kokoro"], "config": None},
        ),
        (
            "soak --minutes 2 --cycles 20",
            "web.bench.soak",
            {"minutes": 2.0, "cycles": 20, "voice": "light", "config": None},
        ),
        (
            "render --size 720x1280 --pictures 10",
            "pipeline.bench_render",
            {"size": (720, 1280), "pictures": 10, "config": None},
        ),
    ],
)
def test_benchmarks_end_with_their_json(
    line: str,
    module: str,
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    def run(**given: object) -> dict[str, object]:
        sys.stdout.write("turn 1 of 3\n")
        return {"given": given == expected, "turns": 3}

    _provide(monkeypatch, module, run=run)
    assert main(["bench", *line.split()]) == 0
    assert _last_json(capsys) == {"given": True, "turns": 3}


def _failing(error: BaseException) -> Callable[..., None]:
    def run(**_: object) -> None:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (RuntimeError("the renderer\nwent away"), 1, "vivant: the renderer went away\n"),
        (ValueError("size is 3"), 1, "vivant: size is 3\n"),
        (ConnectionRefusedError(111, "Connection refused"), 1, "Connection refused"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)
def test_a_failure_is_one_line(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    _provide(monkeypatch, "pipeline.bench_render", run=_failing(error))
    assert main(["bench", "render"]) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert line in output.err
    assert output.err.count("\n") == 1


def test_a_bug_shows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    _provide(monkeypatch, "pipeline.bench_render", run=_failing(TypeError("a bug")))
    with pytest.raises(TypeError, match="a bug"):
        main(["bench", "render"])


class _Report:
    def __init__(self, problem: str) -> None:
        self.turns = [types.SimpleNamespace(problem=problem)]

    def to_json(self) -> dict[str, object]:
        return {"turns": [{"reply": "开门"}], "frames": 3}


@pytest.mark.parametrize(("problem", "code"), [("", 0), ("no answer came", 1)])
def test_talk_reports_on_the_last_line_and_in_the_file(
    problem: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    asked: dict[str, object] = {}

    async def talk(url: str, questions: list[Path], **wishes: object) -> _Report:
        asked.update(url=url, questions=questions, **wishes)
        return _Report(problem)

    _provide(monkeypatch, "transport.talk", talk=talk)
    question, report = tmp_path / "question.wav", tmp_path / "report.json"
    question.write_bytes(b"RIFF")
    line = ["talk", str(question), "--url", "http://here", "--interrupt-after", "-0.5"]
    line += ["--avatar", "lin", "--scene", "shop", "--style", "lively", "--framing", "full"]
    assert main([*line, "--report", str(report), "--voice", "light"]) == code
    look = [asked[name] for name in ("avatar", "scene", "style", "framing")]
    assert look == ["lin", "shop", "lively", "full"]
    assert asked["questions"] == [question]
    assert (asked["interrupt_after"], asked["voice"]) == (-0.5, "light")
    output = capsys.readouterr()
    expected = {"turns": [{"reply": "开门"}], "frames": 3}
    assert json.loads(output.out.splitlines()[-1]) == expected
    assert json.loads(report.read_text("utf-8")) == expected
    assert problem in output.err


def test_a_report_that_cannot_be_written_is_still_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    async def talk(*_: object, **__: object) -> _Report:
        report.mkdir()  # what was a free name when the command began
        return _Report("")

    _provide(monkeypatch, "transport.talk", talk=talk)
    question, report = tmp_path / "question.wav", tmp_path / "report.json"
    question.write_bytes(b"RIFF")
    command = ["talk", str(question), "--url", "http://127.0.0.1:9", "--report", str(report)]
    assert main(command) == 1
    output = capsys.readouterr()
    assert json.loads(output.out.splitlines()[-1])["frames"] == 3
    assert "cannot write the report" in output.err


def test_a_server_that_cannot_start_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    question, file = tmp_path / "question.wav", tmp_path / "vivant.toml"
    question.write_bytes(b"RIFF")
    file.write_text(f"cache = '{tmp_path}'\n[draw]\nrenderer = 'none'\n", "utf-8")
    assert main(["talk", str(question), "--config", str(file)]) == 1
    error = capfd.readouterr().err
    assert "vivant models fetch" in error
    assert "the server ended with exit code 1 before it was ready" in error


@pytest.mark.parametrize("more", [0, 1])
def test_a_check_that_finds_more_than_is_accepted_fails(
    more: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    count = ACCEPTED + more
    few = Finding("bow", "cloth", "jacket", "jacket-collar", 2, 80, 0.012)
    many = Finding("deep bow", "skin", "head", "piping-collar", count, 40, 0.008)
    report = Report(("bow", "deep bow"), 120, (few, many))
    monkeypatch.setattr("pipeline.identities.check", lambda *_args, **_named: report)
    monkeypatch.setenv("VIVANT_CACHE", str(tmp_path))
    assert main(["avatar", "show", "mia", "--check"]) == more
    refused = _last_json(capsys)["refused"]
    assert refused == ([str(many)] if more else [])
    assert "deep bow" in str(many)
    assert f"head / piping-collar: {count} of 40" in str(many)


def test_the_help_names_what_a_check_accepts(capsys: Capture) -> None:
    assert main(["avatar", "show", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"more than {ACCEPTED} points" in told


def test_a_configuration_that_is_wrong_is_told_before_a_server_starts(
    tmp_path: Path, capsys: Capture
) -> None:
    question, file = tmp_path / "question.wav", tmp_path / "vivant.toml"
    question.write_bytes(b"RIFF")
    file.write_text("colour = 'red'\n")
    assert main(["talk", str(question), "--config", str(file)]) == 1
    error = capsys.readouterr().err
    assert "'colour'" in error
    assert "starting a server" not in error
