"""`vivant keys`: make, list and revoke API keys; short-lived tokens for a page."""

import argparse
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from web.command.arguments import add_config, count
from web.command.outcome import note

if TYPE_CHECKING:
    from pipeline.configuration import AccessSettings
    from transport.access.keys import ApiKey, KeyFile

SCOPES = ("talk", "watch", "publish", "operate")
DAY_S = 86_400


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `keys` to the commands."""
    parser = commands.add_parser("keys", help="make, list and revoke API keys")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = _action(actions, "create", _create, "make a key and print it, once")
    create.add_argument("name", metavar="NAME", help="what it is called, such as shop")
    _add_scopes(create, "what it is good for (default: talk and watch)")
    create.add_argument("--sessions", type=count, help="open at a time")
    create.add_argument("--minutes-a-day", type=count, help="of all its sessions together")
    create.add_argument("--requests-a-minute", type=count)
    create.add_argument("--days", type=count, help="until it expires (default: never)")
    _action(actions, "list", _list, "show every key, without the keys themselves")
    revoke = _action(actions, "revoke", _revoke, "end a key, its tokens and its sessions")
    revoke.add_argument("which", metavar="KEY", help="its id or its name")
    token = _action(actions, "token", _token, "print a token that opens the page for a while")
    token.add_argument("which", metavar="KEY", help="the id or name of its key")
    _add_scopes(token, "what it is good for (default: all that its key is)")
    token.add_argument("--minutes", type=count, default=60, help="1 to 120 (default: 60)")


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: object,
    text: str,
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=text, description=text)
    add_config(action)
    action.set_defaults(run=run)
    return action


def _add_scopes(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument(
        "--scope", action="append", choices=SCOPES, metavar="SCOPE", dest="scopes",
        help=f"{text}; once for each of {', '.join(SCOPES)}",
    )  # fmt: skip


def _settings(chosen: argparse.Namespace) -> "AccessSettings":
    from pipeline.configuration import load_configuration

    return load_configuration(chosen.config).access


def _file(settings: "AccessSettings") -> "KeyFile":
    from transport.access.keys import KeyFile

    return KeyFile(settings.keys_file)


def _record(settings: "AccessSettings", act: str, key_id: str) -> None:
    from transport.access.audit import COMMAND, Audit

    Audit(settings.audit_file).write(COMMAND, act, key_id, "done")


def _create(chosen: argparse.Namespace) -> int:
    from transport.access.grant import Limits

    settings = _settings(chosen)
    limits = Limits(chosen.sessions, chosen.minutes_a_day, chosen.requests_a_minute)
    expires = time.time() + chosen.days * DAY_S if chosen.days else None
    scopes = chosen.scopes or ("talk", "watch")
    made, key = _file(settings).create(chosen.name, scopes, limits, expires)
    _record(settings, "keys create", made.id)
    note(f"{made.id} {made.name} ({', '.join(made.scopes)}), in {settings.keys_file}")
    note("this is the only time the key is shown; a server of these keys now asks for one:")
    print(key)
    return 0


def _list(chosen: argparse.Namespace) -> int:
    now = time.time()
    for key in _file(_settings(chosen)).read():
        state = "in force" if key.works(now) else "revoked" if key.revoked else "expired"
        ends = f" until {_day(key.expires)}" if key.expires and not key.revoked else ""
        print(
            f"{key.id:16} {key.name:24} {state + ends:28} {','.join(key.scopes):28} "
            f"{_limits(key)} since {_day(key.created)}"
        )
    return 0


def _revoke(chosen: argparse.Namespace) -> int:
    settings = _settings(chosen)
    key = _file(settings).revoke(chosen.which)
    _record(settings, "keys revoke", key.id)
    print(f"{key.id} {key.name} is revoked; what it opened ends within seconds")
    return 0


def _token(chosen: argparse.Namespace) -> int:
    from transport.access.errors import AccessValueError
    from transport.access.secret import load_secret
    from transport.access.tokens import Tokens

    settings, now = _settings(chosen), time.time()
    named = [key for key in _file(settings).read() if chosen.which in (key.id, key.name)]
    key = next((key for key in named if key.works(now)), None)
    if key is None:
        raise AccessValueError("no key in force has that id or name; see: vivant keys list")
    scopes = chosen.scopes or key.scopes
    lacking = [scope for scope in scopes if scope not in key.scopes]
    if lacking:
        raise AccessValueError(
            f"scope is {lacking[0]!r}; accepted for {key.name}: {', '.join(key.scopes)}"
        )
    secret = load_secret(settings.secret_file)
    token = Tokens(secret).issue(key.id, scopes, seconds=60 * chosen.minutes)
    _record(settings, "keys token", key.id)
    until = datetime.fromtimestamp(token.expires_at).astimezone().strftime("%H:%M")
    note(f"until {until}; open the page at its address with this behind it:")
    print(f"#token={token.value}")
    return 0


def _limits(key: "ApiKey") -> str:
    limits = key.limits
    told = (
        (limits.sessions, "sessions"),
        (limits.minutes_a_day, "min/day"),
        (limits.requests_a_minute, "requests/min"),
    )
    return " ".join(f"{value} {unit}" for value, unit in told if value is not None) or "no limits"


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()
