"""`vivant talk`: a WebRTC client that asks recorded questions and measures the answers."""

import argparse
import asyncio
import contextlib

from web.command.arguments import (
    add_config,
    add_look,
    add_report,
    existing_file,
    new_film,
    server_url,
    signed_seconds,
    size,
)
from web.command.child import own_server
from web.command.outcome import CommandError, note, write_report


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `talk` to the commands."""
    text = "ask recorded questions over WebRTC, record and measure the answers"
    parser = commands.add_parser("talk", help=text, description=text)
    parser.add_argument("questions", nargs="+", type=existing_file, metavar="QUESTION.wav")
    parser.add_argument("--record", type=new_film, metavar="OUT.mp4", help="what was received")
    add_report(parser)
    parser.add_argument("--url", type=server_url, help="a running server (default: start one)")
    parser.add_argument(
        "--interrupt-after",
        type=signed_seconds,
        metavar="S",
        help="speak over each reply S seconds after its first sound (negative: before it)",
    )
    parser.add_argument("--language", choices=("auto", "en", "zh"))
    parser.add_argument("--voice", help="name of a voice")
    add_look(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="picture size, as 540x960")
    add_config(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Hold the conversation; the last line of stdout is its report.

    Raises:
        CommandError: a turn went wrong; the report says how.
    """
    from transport.talk import talk

    with contextlib.ExitStack() as stack:
        url = chosen.url
        if url is None:
            _prepare(chosen)
            note("starting a server")
            url = stack.enter_context(own_server(_server_arguments(chosen)))
        conversation = talk(
            url,
            chosen.questions,
            record=chosen.record,
            interrupt_after=chosen.interrupt_after,
            voice=chosen.voice,
            language=chosen.language,
            avatar=chosen.avatar,
            scene=chosen.scene,
            style=chosen.style,
            framing=chosen.framing,
            size=chosen.size,
        )
        report = asyncio.run(conversation)
    write_report(report.to_json(), chosen.report)
    problems = [turn.problem for turn in report.turns if turn.problem]
    if problems:
        raise CommandError(f"{len(problems)} turns went wrong: {problems[0]}")
    return 0


def _prepare(chosen: argparse.Namespace) -> None:
    """Build the host's figure where it is new, in sight, before a server starts."""
    from pipeline.configuration import load_configuration
    from pipeline.looks import Looks
    from pipeline.options import SessionOptions
    from pipeline.prepared import prepare_figure
    from web.command.progress import told

    configuration = load_configuration(chosen.config)
    wished = SessionOptions(
        avatar=chosen.avatar, scene=chosen.scene, style=chosen.style, framing=chosen.framing
    )
    look = Looks(configuration.cache, configuration.draw).look(wished)
    if configuration.draw.renderer == "opengl":
        with told() as tell:
            prepare_figure(look.avatar, configuration.cache, tell)


def _server_arguments(chosen: argparse.Namespace) -> list[str]:
    arguments = ["--sessions", "1"]
    if chosen.config:
        arguments += ["--config", str(chosen.config)]
    if chosen.voice:
        arguments += ["--voice", chosen.voice]
    if chosen.size:
        arguments += ["--size", "x".join(map(str, chosen.size))]
    return arguments
