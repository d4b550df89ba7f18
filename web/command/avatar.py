"""`vivant avatar`: create, edit, show and list identities."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from web.command.arguments import (
    add_config,
    add_report,
    assignment,
    count,
    existing_file,
    new_file,
    size,
)
from web.command.outcome import note, usage, write_report


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `avatar` to the commands."""
    parser = commands.add_parser("avatar", help="create, edit, show and list identities")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_create(actions)
    _add_edit(actions)
    _add_show(actions)
    text = "show every identity, scene and motion style, by name"
    listing = actions.add_parser("list", help=text, description=text)
    add_config(listing)
    listing.set_defaults(run=_list)


def _add_create(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "make an identity from a sentence, a photo, or another one; or a scene or style of one"
    parser = actions.add_parser("create", help=text, description=text)
    parser.add_argument("sentence", nargs="?", help="who it is, in English or Mandarin")
    parser.add_argument("--name", required=True, help="name of what is made: a-z 0-9 _ -")
    parser.add_argument("--kind", choices=("avatar", "scene", "style"), default="avatar")
    parser.add_argument("--photo", type=existing_file, metavar="FILE", help="JPEG, PNG or WebP")
    parser.add_argument(
        "--consent", action="store_true", help="the person in the photo agreed to its use"
    )
    parser.add_argument("--person", default="", metavar="ID", help="who the photo shows")
    parser.add_argument("--replace", action="store_true", help="the name may be one in use")
    parser.add_argument("--base", metavar="NAME", help="what to start from (mia, studio, natural)")
    parser.add_argument(
        "--set", type=assignment, action="append", default=[], metavar="NAME=VALUE", dest="sliders",
        help="such as body.age=0.8, hair.style=bob, outfit.upper.colour=#aa7755; of a scene "
        "background.room=kitchen, card.price='\"12.90\"', mark=false; of a style tempo=1.2",
    )  # fmt: skip
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_create)


def _add_edit(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "change an identity by an instruction, in English or Mandarin"
    parser = actions.add_parser("edit", help=text, description=text)
    parser.add_argument("name", help="which identity")
    parser.add_argument("instruction", help='such as "change the blazer to red"')
    parser.add_argument("--scene", default="studio", help="the scene that may change with it")
    parser.add_argument("--replace", action="store_true", help="--save-as may be a name in use")
    parser.add_argument("--save-as", metavar="NAME", help="name of the result (NAME-edit)")
    parser.add_argument("--candidates", type=count, default=4, help="how many are compared (4)")
    parser.add_argument("--seed", type=int, default=0)
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_edit)


def _add_show(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "draw the contact sheet of an identity"
    parser = actions.add_parser("show", help=text, description=text)
    parser.add_argument("name", help="which identity")
    parser.add_argument("-o", "--output", type=new_file, metavar="SHEET.png")
    parser.add_argument("--scene", default="studio")
    parser.add_argument("--size", type=size, metavar="WxH", help="of a picture (360x640)")
    parser.add_argument("--json", action="store_true", help="print its specification instead")
    parser.add_argument(
        "--check",
        action="store_true",
        help="pose it in all trial poses and look for skin or cloth that comes out of garments "
        "and hair that goes in; exit code 1 when more than 12 points of a surface do "
        "in one pose",
    )
    parser.add_argument(
        "--lookbook",
        action="store_true",
        help="draw it in every hair style and garment instead, and check each",
    )
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_show)


def _create(chosen: argparse.Namespace) -> int:
    if chosen.kind != "avatar":
        return _adapt(chosen)
    from pipeline.configuration import load_configuration
    from pipeline.identities import create
    from web.command.progress import told

    sliders = dict(chosen.sliders)
    with told() as tell:
        made = create(
            load_configuration(chosen.config),
            name=chosen.name,
            base=chosen.base or "mia",
            sentence=chosen.sentence,
            photo=chosen.photo,
            consent=chosen.consent,
            person=chosen.person,
            sliders=sliders,
            replace=chosen.replace,
            progress=tell,
        )
    _note_shortcomings(made.notes)
    write_report({"avatar": made.spec.name, **made.notes}, chosen.report)
    return 0


def _note_shortcomings(notes: Mapping[str, object]) -> None:
    """Tell what of the words was not understood, and what is shown as something like it."""
    for kind, words in (
        ("unused", "not understood, or nothing that can be shown"),
        ("nearest", "as near as can be shown"),
    ):
        found = notes.get(kind)
        if isinstance(found, Sequence) and found:
            note(f"{words}: {', '.join(found)}")


def _adapt(chosen: argparse.Namespace) -> int:
    """Make a scene or a style of a stored one."""
    if chosen.sentence is not None or chosen.photo is not None:
        raise usage(f"a {chosen.kind} is made of another one; accepted: --base and --set")
    from pipeline.adapting import adapt
    from pipeline.configuration import load_configuration
    from pipeline.library import scenes, styles

    cache = load_configuration(chosen.config).cache
    changes, new = dict(chosen.sliders), chosen.replace
    if chosen.kind == "scene":
        made = adapt(scenes(cache), chosen.base or "studio", chosen.name, changes, replace=new)
    else:
        made = adapt(styles(cache), chosen.base or "natural", chosen.name, changes, replace=new)
    write_report({chosen.kind: made.name}, chosen.report)
    return 0


def _edit(chosen: argparse.Namespace) -> int:
    from pipeline.configuration import load_configuration
    from pipeline.identities import edit
    from web.command.progress import told

    with told() as tell:
        report = edit(
            load_configuration(chosen.config),
            name=chosen.name,
            instruction=chosen.instruction,
            scene=chosen.scene,
            save_as=chosen.save_as,
            candidates=chosen.candidates,
            seed=chosen.seed,
            replace=chosen.replace,
            progress=tell,
        )
    if report["refused"]:
        note(f"refused: {report['why']}")
    _note_shortcomings(report)
    write_report(report, chosen.report)
    return 1 if report["refused"] else 0


def _show(chosen: argparse.Namespace) -> int:
    from pipeline.configuration import load_configuration
    from pipeline.identities import check, show, show_lookbook
    from pipeline.library import avatars
    from web.command.progress import told

    configuration = load_configuration(chosen.config)
    if chosen.json:
        print(avatars(configuration.cache).get(chosen.name).to_json(), end="")
        return 0
    if chosen.output is None and (chosen.lookbook or not chosen.check):
        raise usage("show needs -o SHEET.png, --json or --check")
    report: dict[str, object] = {"avatar": chosen.name}
    wanted: dict[str, Any] = {
        "name": chosen.name,
        "scene": chosen.scene,
        "output": chosen.output,
    }
    if chosen.size is not None:
        wanted["size"] = chosen.size
    if chosen.lookbook:
        with told() as tell:
            report |= show_lookbook(configuration, **wanted, progress=tell)
    elif chosen.output is not None:
        with told() as tell:
            report |= show(configuration, **wanted, progress=tell)
    if chosen.check:
        found = check(configuration, name=chosen.name)
        for line in found.lines(20):
            note(line)
        report |= {kind: found.count(kind) for kind in ("skin", "cloth", "hair")}
        report["refused"] = [str(finding) for finding in found.refused]
    write_report(report, chosen.report)
    return 1 if report.get("refused") else 0


def _list(chosen: argparse.Namespace) -> int:
    from pipeline.configuration import load_configuration
    from pipeline.library import avatars, scenes, styles

    cache = load_configuration(chosen.config).cache
    people, places, manners = avatars(cache), scenes(cache), styles(cache)
    for name in people.names:
        spec = people.get(name)
        worn = ", ".join(piece.garment for piece in spec.outfit)
        print(f"avatar {name:20} {spec.provenance.source:9} {spec.hair.style:10} {worn}")
    for name in places.names:
        scene = places.get(name)
        print(f"scene  {name:20} {scene.background.type:9} {scene.light.preset:10} {scene.framing}")
    for name in manners.names:
        style = manners.get(name)
        numbers = (
            f"{field} {getattr(style, field):g}" for field in ("gestures", "amplitude", "tempo")
        )
        print(f"style  {name:20} {', '.join(numbers)}")
    return 0
