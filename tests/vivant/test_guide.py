"""The guides' programs do what the guides say."""

import ast
import asyncio
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import vivant
from tests.web.socket_server import served
from transport.client.sound import read_wav, write_wav

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def _blocks(guide: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield heading and code of every block of a guide."""
    for part in (DOCS / guide).read_text("utf-8").split("\n## ")[1:]:
        heading, _, rest = part.partition("\n")
        for code in re.findall(rf"```{language}\n(.*?)```", rest, re.DOTALL):
            yield heading, code


SDK = list(_blocks("python-sdk.md", "python"))


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder a guide's programs write into."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def _run(code: str, **known: Any) -> dict[str, Any]:
    """Run code as if it stood in a coroutine; return what it has named."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    names: dict[str, Any] = {"vivant": vivant, **known}
    running = FunctionType(compile(code, "guide", "exec", flags=flags), names)()
    if inspect.iscoroutine(running):
        await running
    return names


async def test_every_snippet_of_the_sdks_guide_runs(
    somewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named: dict[str, Any] = {}
    async with (
        served() as server,
        vivant.connect(server.url, motion=True) as conversation,
    ):
        for heading, code in SDK[1:]:
            if heading != "Functions":  # its host would call it from then on
                named |= await _run(code, conversation=conversation)
        assert server.session.options.speed == 1.1
        assert server.session.options.scene_changes == {"caption": "Today only"}
        assert [action for action, _ in server.session.acts] == ["wave"]
        (functions,) = (code for heading, code in SDK if heading == "Functions")
        await _run(functions, conversation=conversation)
        await conversation.update()
    assert len(named["names"]) == 104
    assert (somewhere / "welcome.wav").stat().st_size > 20_000
    assert capsys.readouterr().out == "beepHost: beep\n[]\n"


async def test_the_first_program_runs_as_it_stands() -> None:
    async with served() as server:
        program = SDK[0][1].replace("ws://127.0.0.1:8080", server.url)
        assert await _output(program) == "beep\n"


async def _output(program: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        *arguments,
        env={**os.environ, "PYTHONPATH": str(DOCS.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert (process.returncode, err.decode()) == (0, "")
    return out.decode()


async def test_a_client_of_ones_own_says_hears_and_moves(somewhere: Path) -> None:
    own = dict(_blocks("build-your-own-client.md", "python"))
    assert [heading.partition(":")[0] for heading in own] == [
        "Minute 1",
        "Minute 3",
        "Minute 5",
        "Minute 9",
    ]
    say, hear, speak, move = own.values()
    times = np.arange(14_400) / 24_000
    tone = (10_000 * np.sin(2 * np.pi * 300 * times)).astype(np.int16)
    write_wav(somewhere / "question.wav", tone)
    async with served() as server:

        async def output(program: str, *arguments: str) -> str:
            assert "ws://127.0.0.1:8080" in program
            here = program.replace("ws://127.0.0.1:8080", f"ws://127.0.0.1:{server.port}")
            return await _output(here, *arguments)

        assert await output(say) == "beep"
        await output(hear)
        samples, rate = read_wav(somewhere / "welcome.wav")
        assert len(samples) / rate == pytest.approx(0.6, abs=0.1)
        assert await output(speak, "question.wav") == "You: a loud sound\nHost: beep\n"
        rows = [line.split() for line in (await output(move)).splitlines()]
    assert [float(row[0]) for row in rows] == [40.0 * index for index in range(len(rows))]
    assert len(rows) == 26


def test_every_error_is_in_the_table() -> None:
    text = (DOCS / "python-sdk.md").read_text("utf-8")
    errors = [name for name in vivant.__all__ if name.endswith("Error") and name != "ClientError"]
    assert errors
    for name in errors:
        assert f"| `{name}` |" in text
