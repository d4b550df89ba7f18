"""`vivant data`: export or delete what is kept of one person."""

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from web.command.arguments import add_config, new_file
from web.command.outcome import CommandError, write_report

if TYPE_CHECKING:
    from pipeline.privacy import Holdings


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `data` to the commands."""
    parser = commands.add_parser("data", help="export or delete what is kept of a person")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    text = "write all that is kept of a person to a file of JSON; it names their recordings"
    export = actions.add_parser("export", help=text, description=text)
    export.add_argument("person", metavar="PERSON", help="the id in the person's token")
    export.add_argument("-o", "--output", type=new_file, required=True, metavar="FILE.json")
    add_config(export)
    export.set_defaults(run=_export)
    text = "delete all that is kept of a person: transcripts, recordings, identities from photos"
    delete = actions.add_parser("delete", help=text, description=text)
    delete.add_argument("person", metavar="PERSON", help="the id in the person's token")
    add_config(delete)
    delete.set_defaults(run=_delete)


def _holdings(chosen: argparse.Namespace) -> "Holdings":
    from pipeline.configuration import load_configuration
    from pipeline.privacy import open_holdings

    return open_holdings(load_configuration(chosen.config))


def _export(chosen: argparse.Namespace) -> int:
    data = _holdings(chosen).export(chosen.person)
    try:
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        chosen.output.touch(mode=0o600)
        chosen.output.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {chosen.output}: {error.strerror}") from error
    kinds = ("transcripts", "recordings", "avatars")
    write_report({"person": chosen.person, **{kind: len(data[kind]) for kind in kinds}})
    return 0


def _delete(chosen: argparse.Namespace) -> int:
    deleted = _holdings(chosen).delete(chosen.person)
    write_report({"person": chosen.person, **asdict(deleted)})
    return 0
