"""`vivant say`: a text becomes a finished video."""

import argparse
from pathlib import Path

from web.command.arguments import add_config, add_look, add_report, existing_file, new_film, size
from web.command.outcome import usage, write_report


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `say` to the commands."""
    text = "make a video in which the host says a text"
    parser = commands.add_parser("say", help=text, description=text)
    parser.add_argument("text", nargs="?", help="what to say, in English or Mandarin")
    parser.add_argument("--script", type=existing_file, metavar="FILE", help="read it from a file")
    parser.add_argument("-o", "--output", type=new_film, required=True, metavar="OUT.mp4")
    add_look(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="picture size, as 720x1280")
    parser.add_argument("--voice", help="name of a voice")
    parser.add_argument("--language", choices=("auto", "en", "zh"), default="auto")
    parser.add_argument("--seed", type=int, help="moves alike each time (otherwise never)")
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Make the video; the last line of stdout is its report.

    Raises:
        CommandError: no text, or two.
    """
    text = _text(chosen.text, chosen.script)
    from pipeline.configuration import load_configuration
    from pipeline.say import say
    from web.command.progress import filmed, told

    with told() as tell, filmed() as add:
        report = say(
            text,
            chosen.output,
            configuration=load_configuration(chosen.config),
            avatar=chosen.avatar,
            style=chosen.style,
            scene=chosen.scene,
            framing=chosen.framing,
            size=chosen.size,
            voice=chosen.voice,
            language=chosen.language,
            seed=chosen.seed,
            preparing=tell,
            progress=add,
        )
    write_report(report, chosen.report)
    return 0


def _text(given: str | None, script: Path | None) -> str:
    if (given is None) == (script is None):
        raise usage("say needs a text or --script FILE, one of the two")
    try:
        text = given if script is None else script.read_text("utf-8")
    except UnicodeDecodeError:
        raise usage(f"the script {script} is not UTF-8 text") from None
    if not text or not text.strip():
        raise usage("there is nothing to say: the text is empty")
    return text.strip()
