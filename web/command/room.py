"""`vivant room`: see, start, stop and speak in the live rooms of a running server; replay chat."""

import argparse
import asyncio
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web.command.arguments import room_id, server_url, speed
from web.command.outcome import CommandError, note, usage, write_report

if TYPE_CHECKING:
    import httpx

    from transport.chat.log import Entry
    from transport.chat.player import Progress

URL = "http://127.0.0.1:8080"
KEY_VARIABLE = "VIVANT_API_KEY"
SECRET_VARIABLE = "VIVANT_CHAT_SECRET"
_ANSWER_S = 60.0  # a room that starts may have a figure built first


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `room` to the commands."""
    parser = commands.add_parser("room", help="run the live rooms of a server")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(actions, "list", _list, "show the rooms and how they stand")
    show = _action(actions, "show", _show, "print how a room stands, as JSON")
    show.add_argument("room", type=room_id, metavar="ROOM")
    start = _action(actions, "start", _start, "put a room on air")
    start.add_argument("room", type=room_id, metavar="ROOM")
    start.add_argument("--afresh", action="store_true", help="begin the rundown again")
    stop = _action(actions, "stop", _stop, "take a room off air at the end of the sentence")
    stop.add_argument("room", type=room_id, metavar="ROOM")
    stop.add_argument("--now", action="store_true", help="at once")
    say = _action(actions, "say", _say, "have the host of a room say a text")
    say.add_argument("room", type=room_id, metavar="ROOM")
    say.add_argument("text", metavar="TEXT")
    say.add_argument("--language", choices=("en", "zh"))
    say.add_argument("--now", action="store_true", help="break into the sentence")
    text = "play a log of chat into a room, signed where $VIVANT_CHAT_SECRET is set"
    replay = _action(actions, "replay", _replay, text)
    replay.add_argument("log", metavar="LOG.jsonl", help="or sample, the one that comes with us")
    replay.add_argument("--room", type=room_id, default="demo", metavar="ROOM", help="(demo)")
    replay.add_argument("--speed", type=speed, default=1.0, help="2 is twice as fast (1)")


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: object,
    text: str,
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=text, description=text)
    told = f"of the server ({URL}); its key is taken from ${KEY_VARIABLE}"
    action.add_argument("--url", type=server_url, default=URL, help=told)
    action.set_defaults(run=run)
    return action


def _list(chosen: argparse.Namespace) -> int:
    for room in _ask(chosen, "GET", "/v1/rooms")["data"]:
        viewers = f"{room.get('viewers', 0)} viewers" if room["status"] == "on_air" else ""
        print(f"{room['id']:20} {room['status']:9} {room['shop']:20} {room['title']} {viewers}")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    write_report(_ask(chosen, "GET", f"/v1/rooms/{chosen.room}/state"))
    return 0


def _start(chosen: argparse.Namespace) -> int:
    return _command(chosen, {"type": "start", "afresh": chosen.afresh})


def _stop(chosen: argparse.Namespace) -> int:
    return _command(chosen, {"type": "stop", "now": chosen.now})


def _say(chosen: argparse.Namespace) -> int:
    told = {"type": "say", "text": chosen.text, "language": chosen.language, "now": chosen.now}
    return _command(chosen, told)


def _command(chosen: argparse.Namespace, command: Mapping[str, object]) -> int:
    _ask(chosen, "POST", f"/v1/rooms/{chosen.room}/commands", command)
    return 0


def _replay(chosen: argparse.Namespace) -> int:
    from dataclasses import asdict

    from transport.chat.log import read_log

    entries = read_log(_log(chosen.log))
    _ask(chosen, "GET", "/healthz")  # before anything is played: whether the server is there
    note(f"{len(entries)} events in {entries[-1].at / chosen.speed:.0f} s")
    progress = asyncio.run(_play(chosen, entries))
    write_report({"room": chosen.room, **asdict(progress)})
    return 0 if progress.refused == 0 else 1


def _log(name: str) -> str:
    """Return the text of a log: one that comes with us, or a file."""
    from web.shipped_logs import LOGS, shipped_log

    if name in LOGS:
        return shipped_log(name)
    if not Path(name).is_file():
        raise usage(f"there is no log {name!r}; accepted: a file, or {', '.join(LOGS)}")
    try:
        return Path(name).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is no log: it is not UTF-8 text") from error


def _secret() -> str | None:
    """Return the secret that signs, where there is one."""
    from transport.webhooks import read_webhook_secret

    secret = os.environ.get(SECRET_VARIABLE) or None
    if secret is not None:
        read_webhook_secret(secret, SECRET_VARIABLE)
    return secret


async def _play(chosen: argparse.Namespace, entries: "list[Entry]") -> "Progress":
    import httpx
    from tqdm import tqdm

    from pipeline.clock import SystemClock
    from transport.chat.player import Player
    from transport.chat.sender import Sender

    secret = _secret()
    async with httpx.AsyncClient(base_url=chosen.url, headers=_headers(), trust_env=False) as http:
        with tqdm(total=len(entries), unit="event", leave=False) as bar:
            player = Player(
                entries,
                Sender(http, chosen.room, secret).bring,
                SystemClock(),
                speed=chosen.speed,
                run=f"r{secrets.token_hex(4)}",
                brought=lambda events, _: bar.update(len(events)),
            )
            return await player.play()


def _ask(
    chosen: argparse.Namespace, method: str, path: str, body: Mapping[str, object] | None = None
) -> dict[str, Any]:
    import httpx

    try:
        answer = httpx.request(
            method, chosen.url + path, json=body, headers=_headers(),
            timeout=_ANSWER_S, trust_env=False,
        )  # fmt: skip
    except httpx.HTTPError as error:
        raise CommandError(f"no server at {chosen.url}: {error}") from error
    return _content(answer)


def _content(answer: "httpx.Response") -> dict[str, Any]:
    try:
        content = answer.json()
        told = content["error"]["message"] if answer.is_error else None
    except (ValueError, LookupError, TypeError) as error:
        raise CommandError(f"{answer.url} answered {answer.status_code}, as no Vivant does"
                           ) from error  # fmt: skip
    if told is not None or not isinstance(content, dict):
        raise CommandError(str(told or f"{answer.url} answered no JSON object"))
    return content


def _headers() -> dict[str, str]:
    key = os.environ.get(KEY_VARIABLE)
    return {"Authorization": f"Bearer {key}"} if key else {}
