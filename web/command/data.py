"""`vivant data`: export or delete what is kept of one person."""

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from web.command.arguments import add_config, new_file
from web.command.outcome import CommandError, write_report

if TYPE_CHECKING:
    from pipeline.configuration import Configuration
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


def _holdings(configuration: "Configuration") -> "Holdings":
    from pipeline.privacy import open_holdings

    return open_holdings(configuration)


def _configuration(chosen: argparse.Namespace) -> "Configuration":
    from pipeline.configuration import load_configuration

    return load_configuration(chosen.config)


def _record(configuration: "Configuration", act: str, person: str) -> None:
    from transport.access.audit import COMMAND, Audit

    Audit(configuration.access.audit_file).write(COMMAND, act, person, "done")


def _export(chosen: argparse.Namespace) -> int:
    configuration = _configuration(chosen)
    data = _holdings(configuration).export(chosen.person)
    try:
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        chosen.output.touch(mode=0o600)
        chosen.output.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {chosen.output}: {error.strerror}") from error
    _record(configuration, "data export", chosen.person)
    kinds = ("transcripts", "recordings", "avatars")
    write_report({"person": chosen.person, **{kind: len(data[kind]) for kind in kinds}})
    return 0


def _delete(chosen: argparse.Namespace) -> int:
    configuration = _configuration(chosen)
    deleted = _holdings(configuration).delete(chosen.person)
    _record(configuration, "data delete", chosen.person)
    write_report({"person": chosen.person, **asdict(deleted)})
    return 0
