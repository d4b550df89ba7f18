"""How soon a room is heard again after its server was killed: one JSON line.

usage: python -m tests.benchmarks.back_on_air [TIMES] [CONFIG]

A real `vivant serve` as it is configured (the default configuration, pictures and all, with what it
keeps in a folder of its own) is killed within a sentence and started again, TIMES times (3).
Keys, seconds from the start of the process: `sound_s` to the first line, `sentence_s` to the
sentence it was in, `ready_s` to the line that says that it is ready; each the median, and all in
`every`. `load`: of the machine before, over a minute. `same`: whether it was that sentence each
time.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.e2e.real_server import RealServer, serving

TIMES = 3
_KEPT = """
[rooms]
database = "sqlite:///{folder}/rooms.db"
folder = "{folder}"
[knowledge]
file = "{folder}/knowledge.db"
[egress]
folder = "{folder}/egress"
"""


def main() -> None:
    """Measure and print."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    more = Path(sys.argv[2]).read_text("utf-8") if len(sys.argv) > 2 else ""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = more + _KEPT.format(folder=folder)
        with serving(folder, settings) as server:
            server.begin()
            place, at = _inside(server)
        every = []
        for _ in range(times):
            with serving(folder, settings) as server:
                ready = time.time()
                every.append(_back(server, at) | {"ready_s": ready - server.began})
                every[-1]["same"] = every[-1].pop("place") == place
                place, at = _inside(server)
    told: dict[str, object] = {
        key: round(statistics.median(each[key] for each in every), 2)
        for key in ("sound_s", "sentence_s", "ready_s")
    }
    told["every"] = {key: [round(e[key], 2) for e in every] for key in told}
    told |= {"same": all(each["same"] for each in every), "load": round(load, 2)}
    print(json.dumps(told))  # noqa: T201 - a benchmark's result


def _inside(server: RealServer) -> tuple[object, float]:
    """Wait until a sentence of the script is half a second old; return which, and the time."""

    def inside(state: dict[str, Any]) -> bool:
        line = state["line"]
        return bool(line) and line["kind"] == "script" and state["at"] - line["began_at"] > 0.5

    state = server.until(inside, "a sentence of the script")
    return _place(state["line"]), state["at"]


def _back(server: RealServer, since: float) -> dict[str, Any]:
    """Return when the room was first heard, and at which sentence."""

    def lines(state: dict[str, Any]) -> list[dict[str, Any]]:
        running = [state["line"]] if state["line"] else []
        return [each for each in (*state["lines"], *running) if each["began_at"] > since + 1.0]

    def script(state: dict[str, Any]) -> list[dict[str, Any]]:
        return [each for each in lines(state) if each["kind"] == "script"]

    state = server.until(lambda state: bool(script(state)), "a sentence of the script")
    sentence = script(state)[0]
    return {
        "sound_s": lines(state)[0]["began_at"] - server.began,
        "sentence_s": sentence["began_at"] - server.began,
        "place": _place(sentence),
    }


def _place(line: dict[str, Any]) -> object:
    return line["item"], line["sentence"]


if __name__ == "__main__":
    main()
