"""`vivant motion show` and `list`: the actions, as pictures and as words."""

import argparse

from web.command.arguments import add_config, add_report, assignment, count, new_file, size
from web.command.outcome import write_report


def add_show(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `show` to what `motion` does."""
    text = "draw actions as strips of pictures: prepare, stroke, apex, hold, retract"
    parser = actions.add_parser("show", help=text, description=text)
    parser.add_argument("names", nargs="*", metavar="ACTION", help="which; all when omitted")
    parser.add_argument("-o", "--output", type=new_file, required=True, metavar="STRIP.png")
    parser.add_argument("--avatar", default="mia", metavar="NAME", help="who shows them (mia)")
    parser.add_argument("--scene", default="studio", metavar="NAME", help="where (studio)")
    parser.add_argument("--size", type=size, metavar="WxH", help="of a picture (216x384)")
    parser.add_argument("--columns", type=count, default=1, help="strips side by side (1)")
    parser.add_argument(
        "--set", type=assignment, action="append", default=[], metavar="NAME=VALUE", dest="given",
        help="a parameter, such as size=0.4, azimuth=-30 or hand=left",
    )  # fmt: skip
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_show)


def add_list(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `list` to what `motion` does."""
    text = "show every action: its class, parameters and cue words"
    parser = actions.add_parser("list", help=text, description=text)
    parser.set_defaults(run=_list)


def _show(chosen: argparse.Namespace) -> int:
    from pipeline.action_strips import SIZE, show_actions
    from pipeline.configuration import load_configuration
    from web.command.progress import told

    with told() as tell:
        report = show_actions(
            load_configuration(chosen.config),
            names=chosen.names,
            output=chosen.output,
            avatar=chosen.avatar,
            scene=chosen.scene,
            size=chosen.size or SIZE,
            given=dict(chosen.given),
            columns=chosen.columns,
            progress=tell,
        )
    write_report(report, chosen.report)
    return 0


def _list(_: argparse.Namespace) -> int:
    from motion.actions import ACTIONS

    for action in ACTIONS.values():
        print(f"{action.id:16} {action.kind:11} {action.hands:5} {action.description['en']}")
        for one in action.parameters:
            span = f"{one.low:g} to {one.high:g} {one.unit}, {one.default:g} when not given"
            print(f"{'':16} {one.name}: {span}")
        for cues in action.cues.values():
            print(f"{'':16} {', '.join(cues)}")
    return 0
