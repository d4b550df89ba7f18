"""The examples run as they stand, against a server."""

import ast
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.transport.client.server import (
    FakeServer,
    Message,
    fake_server,
    metadata,
)
from tests.web.socket_server import served
from transport.client.sound import read_wav, write_wav

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
MOST_LINES = 14

DEVICES = '''
"""Stands in for sounddevice: somebody speaks for 0.6 s; what is played is told on stdout."""
import struct, time

class _Stream:
    def __init__(self, samplerate, channels, dtype, blocksize):
        assert (samplerate, channels, dtype) == (24_000, 1, "int16")
        self.read_so_far = 0
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass

class RawInputStream(_Stream):
    def read(self, frames):
        time.sleep(frames / 24_000)
        self.read_so_far += frames
        loud = 8_000 if self.read_so_far < 14_400 else 0
        wave = ([loud] * 20 + [-loud] * 20) * (frames // 40)
        return memoryview(struct.pack(f"<{frames}h", *wave)), False

class RawOutputStream(_Stream):
    def write(self, data):
        print("played", len(data), flush=True)
'''


@asynccontextmanager
async def _running(
    url: str, name: str, *arguments: str, path: Path = ROOT
) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {**os.environ, "VIVANT_URL": url, "PYTHONPATH": f"{path}:{ROOT}"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLES / name),
        *arguments,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _output(url: str, name: str, *arguments: str) -> str:
    async with _running(url, name, *arguments) as process, asyncio.timeout(30):
        out, err = await process.communicate()
    assert (process.returncode, err.decode()) == (0, "")
    return out.decode()


async def test_ask_a_file(tmp_path: Path) -> None:
    question, answer = tmp_path / "question.wav", tmp_path / "answer.wav"
    times = np.arange(14_400) / 24_000
    write_wav(question, (10_000 * np.sin(2 * np.pi * 300 * times)).astype(np.int16))
    async with served() as server:
        assert await _output(server.http, "ask_a_file.py", str(question), str(answer)) == "beep\n"
    samples, rate = read_wav(answer)
    assert len(samples) / rate == pytest.approx(0.6, abs=0.1)


async def test_custom_renderer() -> None:
    async with served() as server:
        rows = (await _output(server.http, "custom_renderer.py", "?")).splitlines()
    header, *table = [row.split(",") for row in rows]
    assert (header[0], len(header)) == ("ms", 105)
    assert len(table) == pytest.approx(16, abs=4)
    places = [int(row[0]) for row in table]
    assert {after - before for before, after in pairwise(places)} == {40}
    assert {float(value) for row in table for value in row[1:]} == {0.0}


async def test_function_calling() -> None:
    outputs: list[str] = []

    def respond(server: FakeServer, event: Message) -> None:
        if outputs:
            server.answer("resp_2", f"{outputs[0]} then.", metadata=metadata(event))
            return
        call = {"name": "waiting_time", "arguments": '{"people": 4}', "call_id": "call_1"}
        place = {"response_id": "resp_1", "item_id": "item_1", "output_index": 0}
        server.begin("resp_1", metadata(event))
        server.send("response.function_call_arguments.done", **place, **call)
        server.done("resp_1")

    def keep(_: FakeServer, event: Message) -> None:
        if event["item"]["type"] == "function_call_output":
            outputs.append(event["item"]["output"])

    async with fake_server() as server:
        server.on |= {"response.create": respond, "conversation.item.create": keep}
        assert await _output(server.url, "function_calling.py", "?") == (
            "A party of 4 waits 20 minutes. then.\n"
        )
        (tool,) = server.session["tools"]
    assert tool["name"] == "waiting_time"
    assert tool["parameters"]["properties"] == {"people": {"type": "integer"}}


async def test_live_microphone(tmp_path: Path) -> None:
    (tmp_path / "sounddevice.py").write_text(DEVICES, "utf-8")
    async with served() as server:
        running = _running(server.http, "live_microphone.py", path=tmp_path)
        async with running as process, asyncio.timeout(30):
            assert process.stdout is not None
            assert await process.stdout.readline() == b"played 960\n"
            process.send_signal(signal.SIGINT)
            await process.wait()
            assert process.returncode != 0
        assert server.session.texts == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_are_short(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    lines = {
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.stmt)
    }
    assert len(lines) <= MOST_LINES
