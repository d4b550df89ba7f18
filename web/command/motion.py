"""`vivant motion`: files of motion, made, converted and shown; actions, shown and listed."""

import argparse
import sys

from web.command.actions import add_list, add_show
from web.command.arguments import (
    add_config,
    add_figure,
    add_report,
    existing_file,
    metres,
    new_file,
    new_film,
    size,
)
from web.command.motion_eval import add_eval
from web.command.motion_generate import add_generate
from web.command.motion_train import add_train
from web.command.outcome import usage, write_report

_FORMATS = ".safetensors (clips of ours), .bvh, .npz (BEAT2), .npy (HumanML3D)"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `motion` to the commands."""
    parser = commands.add_parser("motion", help="make, convert, show and learn motion")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_convert(actions)
    _add_preview(actions)
    add_generate(actions)
    add_show(actions)
    add_list(actions)
    add_train(actions)
    add_eval(actions)


def _add_convert(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = f"write motion in another format: {_FORMATS}"
    parser = actions.add_parser("convert", help="write motion in another format", description=text)
    _add_source(parser)
    parser.add_argument("output", type=new_file, metavar="OUT", help=_FORMATS)
    parser.add_argument("--half", action="store_true", help="store a clip at half precision")
    add_report(parser)
    parser.set_defaults(run=_convert)


def _add_preview(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "draw motion as a video, without sound"
    parser = actions.add_parser("preview", help=text, description=text)
    _add_source(parser)
    parser.add_argument("-o", "--output", type=new_film, required=True, metavar="OUT.mp4")
    add_figure(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="picture size, as 720x1280")
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_preview)


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=existing_file, metavar="IN", help=_FORMATS)
    parser.add_argument(
        "--scale", type=metres, default=0.01, metavar="M", help="metres a unit of a BVH is (0.01)"
    )
    parser.add_argument("--up", choices=("y", "z"), default="y", help="what is up in a BVH (y)")


def _convert(chosen: argparse.Namespace) -> int:
    from motion.formats import known_ending, read_motion, write_motion

    known_ending(chosen.output)  # before work is done for it
    if chosen.output.exists() and chosen.output.samefile(chosen.source):
        raise usage(f"{str(chosen.output)!r} is what is read; accepted: another file")
    clip = read_motion(chosen.source, scale=chosen.scale, up=chosen.up)
    write_motion(clip, chosen.output, half=chosen.half)
    report = {"output": str(chosen.output), "seconds": clip.seconds, "poses": len(clip.rotations)}
    write_report(report, chosen.report)
    return 0


def _preview(chosen: argparse.Namespace) -> int:
    from tqdm import tqdm

    from motion.formats import read_motion
    from pipeline.configuration import load_configuration
    from pipeline.preview import preview

    clip = read_motion(chosen.source, scale=chosen.scale, up=chosen.up)
    with tqdm(total=len(clip.rotations), unit=" pictures", file=sys.stderr, leave=False) as bar:
        report = preview(
            clip,
            chosen.output,
            configuration=load_configuration(chosen.config),
            avatar=chosen.avatar,
            scene=chosen.scene,
            framing=chosen.framing,
            size=chosen.size,
            progress=bar.update,
        )
    write_report(report, chosen.report)
    return 0
