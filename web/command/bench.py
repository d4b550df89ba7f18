"""`vivant bench`: measurements, each of which ends with one line of JSON."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from web.command.arguments import (
    add_config,
    add_report,
    count,
    existing_file,
    minutes,
    new_file,
    rate,
    size,
)
from web.command.outcome import write_report

Benchmark = Callable[[argparse.Namespace], Mapping[str, object]]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `bench` to the commands."""
    parser = commands.add_parser("bench", help="measure; the last line of stdout is JSON")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="BENCHMARK")

    realtime = _kind(kinds, "realtime", "turns over WebRTC: latency, interruption, sync", _realtime)
    realtime.add_argument("--voice", choices=("light", "kokoro"), default="light")
    realtime.add_argument("--turns", type=count, default=40)
    realtime.add_argument("--minutes", type=minutes, help="talk so long instead of --turns")
    realtime.add_argument("--size", type=size, metavar="WxH")

    voice = _kind(kinds, "voice", "first sound and share of real time of every voice", _voice)
    voice.add_argument("--voice", action="append", default=[], help="only this voice")

    soak = _kind(kinds, "soak", "hours of calls: memory, sessions and handles left", _soak)
    soak.add_argument("--minutes", type=minutes, default=30.0)
    soak.add_argument("--cycles", type=count, default=200, help="connects and disconnects")
    soak.add_argument("--voice", choices=("light", "kokoro"), default="light")

    render = _kind(kinds, "render", "pictures a second at a size", _render)
    render.add_argument("--size", type=size, metavar="WxH")
    render.add_argument("--pictures", type=count, default=100)

    capacity = _kind(kinds, "capacity", "sessions and viewers the machine holds", _capacity)
    capacity.add_argument("--voice", choices=("light", "kokoro"), default="light")
    capacity.add_argument("--most", type=count, default=8, help="sessions to try at a level")
    capacity.add_argument("--quick", action="store_true", help="one level, short steps")
    add_report(capacity)

    storm = _kind(kinds, "storm", "many callers at once: what is left of them", _storm)
    storm.add_argument("--clients", type=count, default=200)
    storm.add_argument("--sessions", type=count, default=32, help="at a time")
    add_report(storm)

    motion = _kind(kinds, "motion", "cost of gestures and lips, and that it stays so", _motion)
    motion.add_argument("--chunks", type=count, default=1000, help="of 0.4 s, one after another")
    motion.add_argument(
        "--simulated", type=count, default=100_000, help="chunks watched for growth, of a small net"
    )
    motion.add_argument("--weights", type=existing_file, help="a gesture checkpoint")

    edit = _kind(
        kinds, "edit", "share of edits that do what was said, with and without critic", _edit
    )
    edit.add_argument(
        "--set", choices=("known", "open", "held", "fresh"), default="known", dest="chosen"
    )
    edit.add_argument("--quick", action="store_true", help="every eighth instruction")
    edit.add_argument("--log", type=new_file, metavar="FILE", help="a line each; goes on after it")

    photo = _kind(kinds, "photo", "what is recovered of hosts from pictures of them", _photo)
    photo.add_argument("--quick", action="store_true", help="two hosts, a coarse fit")

    room = _kind(kinds, "room", "a live room with replayed chat: waits, answers, figures", _room)
    room.add_argument("--minutes", type=minutes, default=10.0, help="of replayed chat (10)")
    room.add_argument("--rate", type=rate, default=2.0, help="questions a second (2)")
    room.add_argument("--quick", action="store_true", help="without a picture")
    room.add_argument(
        "--answers", action="store_true", help="the held-out questions alone, and no room on air"
    )
    room.add_argument("--no-bandit", action="store_false", dest="bandit", help="no simulated rooms")
    room.add_argument(
        "--simulate-hours", type=minutes, metavar="H", help="a show of H hours by a virtual clock"
    )
    room.add_argument("--keep", type=Path, metavar="FOLDER", help="the recording and the history")
    add_report(room)


def _kind(
    kinds: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    text: str,
    benchmark: Benchmark,
) -> argparse.ArgumentParser:
    parser = kinds.add_parser(name, help=text, description=text)
    add_config(parser)

    def run(chosen: argparse.Namespace) -> int:
        write_report(benchmark(chosen), getattr(chosen, "report", None))
        return 0

    parser.set_defaults(run=run)
    return parser


def _realtime(chosen: argparse.Namespace) -> Mapping[str, object]:
    from web.bench.realtime import run

    return run(
        voice=chosen.voice,
        turns=chosen.turns,
        minutes=chosen.minutes,
        size=chosen.size,
        config=chosen.config,
    )


def _voice(chosen: argparse.Namespace) -> Mapping[str, object]:
    from pipeline.bench_voice import run

    return run(voices=chosen.voice, config=chosen.config)


def _motion(chosen: argparse.Namespace) -> Mapping[str, object]:
    from pipeline.bench_motion import run

    return run(chosen.chunks, chosen.simulated, chosen.weights)


def _edit(chosen: argparse.Namespace) -> Mapping[str, object]:
    from pipeline.bench_edit import run

    return run(chosen.chosen, quick=chosen.quick, log=chosen.log, config=chosen.config)


def _photo(chosen: argparse.Namespace) -> Mapping[str, object]:
    from pipeline.bench_photo import run

    return run(quick=chosen.quick, config=chosen.config)


def _soak(chosen: argparse.Namespace) -> Mapping[str, object]:
    from web.bench.soak import run

    return run(
        minutes=chosen.minutes, cycles=chosen.cycles, voice=chosen.voice, config=chosen.config
    )


def _capacity(chosen: argparse.Namespace) -> Mapping[str, object]:
    from web.bench.capacity import run

    return run(voice=chosen.voice, most=chosen.most, quick=chosen.quick, config=chosen.config)


def _storm(chosen: argparse.Namespace) -> Mapping[str, object]:
    from web.bench.storm import run

    return run(clients=chosen.clients, sessions=chosen.sessions, config=chosen.config)


def _room(chosen: argparse.Namespace) -> Mapping[str, object]:
    from web.bench.room import Plan, run

    if chosen.simulate_hours is not None:
        from web.bench.long_show import run as show

        return show(hours=chosen.simulate_hours)
    plan = Plan(
        minutes=0.0 if chosen.answers else chosen.minutes,
        rate=chosen.rate,
        quick=chosen.quick or chosen.answers,
        keep=chosen.keep,
        bandit=chosen.bandit and not chosen.answers,
    )
    return run(plan, chosen.config)


def _render(chosen: argparse.Namespace) -> Mapping[str, object]:
    from pipeline.bench_render import run

    return run(size=chosen.size, pictures=chosen.pictures, config=chosen.config)
