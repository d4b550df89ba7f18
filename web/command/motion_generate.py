"""`vivant motion generate`: motion for a recording of speech."""

import argparse
import re
from typing import TYPE_CHECKING

from web.command.arguments import add_config, add_look, add_report, existing_file, new_file, size
from web.command.outcome import write_report

if TYPE_CHECKING:
    from pipeline.motion_generate import AskedAction

_ACTION = re.compile(r"([a-z][a-z0-9_]*)@(\d+(?:\.\d+)?)(?::(.+))?")


def add_generate(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `generate` to what `motion` does."""
    text = "move a host to a recording of speech"
    parser = actions.add_parser("generate", help=text, description=text)
    parser.add_argument("audio", type=existing_file, metavar="AUDIO.wav", help="the recording")
    parser.add_argument(
        "-o", "--output", type=new_file, required=True, metavar="OUT",
        help=".safetensors (clips of ours), .bvh, .npz (BEAT2), .npy (HumanML3D) or .mp4",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="another one is another motion (1)")
    parser.add_argument(
        "--emotion", metavar="NAME[:0-1]", help="such as happy or caring:0.6; see --text"
    )
    parser.add_argument(
        "--action", type=timed_action, action="append", default=[], dest="actions",
        metavar="ID@SECONDS[:NAME=VALUE,...]",
        help="an action and when its word falls, such as show_size@2.5:size=0.4; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--text", default="", help="what is said: its words ask for actions and emotions"
    )
    add_look(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="of a video, as 720x1280")
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=run)


def timed_action(text: str) -> "AskedAction":
    """Parse "show_size@2.5:size=0.4,hand=left"."""
    from pipeline.motion_generate import AskedAction

    match = _ACTION.fullmatch(text)
    pairs = [pair.partition("=") for pair in (match[3] or "").split(",") if pair] if match else []
    if match is None or not all(name.strip() and value.strip() for name, _, value in pairs):
        raise argparse.ArgumentTypeError(
            f"{text!r}; accepted: ID@SECONDS or ID@SECONDS:NAME=VALUE,..., "
            "such as show_size@2.5:size=0.4"
        )
    given = tuple((name.strip(), value.strip()) for name, _, value in pairs)
    return AskedAction(match[1], float(match[2]), given)


def run(chosen: argparse.Namespace) -> int:
    """Make the motion; the last line of stdout is its report."""
    from pipeline.configuration import load_configuration
    from pipeline.motion_generate import Look, generate
    from web.command.progress import told

    with told() as tell:
        report = generate(
            chosen.audio,
            chosen.output,
            configuration=load_configuration(chosen.config),
            style=chosen.style,
            seed=chosen.seed,
            emotion=chosen.emotion,
            actions=chosen.actions,
            text=chosen.text,
            look=Look(chosen.avatar, chosen.scene, chosen.framing, chosen.size),
            progress=tell,
        )
    write_report(report, chosen.report)
    return 0
