"""`vivant serve`: the page and the calls, until Ctrl-C."""

import argparse
import contextlib
import gc
import logging
import re
import socket
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from web.command.arguments import add_config, count, existing_file, port, size
from web.command.door import Door, check_reach, open_door
from web.command.outcome import CommandError, note, usage

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from pipeline.configuration import Configuration

# How often a WebSocket is asked for a sign of life, and how long it may take for it.
PING_S = 8.0
_QUERY = re.compile(r"(?<=[^\s?])\?[^\s\"]*")
_REFUSED = "ASGI callable returned without completing handshake."
READY = "Vivant is ready at "


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `serve` to the commands."""
    text = "serve the page on which one talks to the host"
    parser = commands.add_parser("serve", help=text, description=text)
    parser.add_argument("--host", help="address (default: the configuration's, 127.0.0.1)")
    parser.add_argument("--port", type=port, help="port, 0 for any (default: 8080)")
    add_config(parser)
    parser.add_argument("--sessions", type=count, help="sessions at most")
    parser.add_argument("--voice", help="voice a session gets without a wish")
    parser.add_argument("--size", type=size, metavar="WxH", help="picture size, as 540x960")
    parser.add_argument("--origin", action="append", default=[], help="page allowed to call")
    parser.add_argument("--certificate", type=existing_file, help="TLS certificate chain (PEM)")
    parser.add_argument("--key", type=existing_file, help="TLS key (PEM)")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; one line on stdout says when and where it is ready.

    Raises:
        CommandError: the address cannot be used, or half of the TLS pair is missing.
    """
    if (chosen.certificate is None) != (chosen.key is None):
        raise usage("--certificate and --key go together")
    from pipeline.configuration import load_configuration

    configuration = configured(load_configuration(chosen.config), chosen)
    with listen(configuration.server.host, configuration.server.port) as listener:
        scheme = "https" if chosen.certificate else "http"
        door = open_door(configuration)
        check_reach(listener, door.access, tls=chosen.certificate is not None)
        app = _build(configuration, chosen.origin, door)
        try:
            settings = uvicorn_settings(app, configuration.server.trusted_proxies, chosen)
            _serve(settings, listener, f"{scheme}://{_address(listener)}")
        except KeyboardInterrupt:
            note("stopped")
    return 0


def listen(host: str, number: int) -> socket.socket:
    """Bind before the models load, so that a taken port is told at once.

    Raises:
        CommandError: the address is unknown or taken.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with contextlib.ExitStack() as stack:
            listener = stack.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            stack.pop_all()
    except OSError as error:
        raise CommandError(f"cannot listen at {host}:{number}: {error.strerror}") from error
    return listener


def configured(configuration: "Configuration", chosen: argparse.Namespace) -> "Configuration":
    """Return the configuration with what the command line says instead.

    Raises:
        ConfigurationError: a value is not accepted.
    """
    server, speak, draw = configuration.server, configuration.speak, configuration.draw
    if chosen.host is not None:
        server = replace(server, host=chosen.host)
    if chosen.port is not None:
        server = replace(server, port=chosen.port)
    if chosen.sessions is not None:
        server = replace(server, sessions=chosen.sessions)
    if chosen.voice is not None:
        others = tuple(name for name in speak.voices if name != chosen.voice)
        speak = replace(speak, voices=(chosen.voice, *others))
    if chosen.size is not None:
        draw = replace(draw, width=chosen.size[0], height=chosen.size[1])
    return replace(configuration, server=server, speak=speak, draw=draw)


def _build(configuration: "Configuration", origins: list[str], door: Door) -> "ASGIApp":
    from pipeline.head_start import begin_loading
    from pipeline.store.on_air import open_rooms_store, were_on_air

    store = open_rooms_store(configuration)
    head = begin_loading(configuration, note, hurry=bool(were_on_air(store)))

    # The models load meanwhile: these imports alone take seconds.
    from pipeline.building import build_engine
    from transport.calls import Calls
    from transport.line import Lines
    from transport.nat import Nat
    from web.app import create_app
    from web.command.rooms import open_house
    from web.security import LOOPBACK
    from web.streams import open_broadcasting

    server = configuration.server
    nat = Nat(server.ice_servers, server.candidates, server.public_addresses)
    engine = build_engine(configuration, progress=note, head=head)
    # What has been loaded stays: the garbage collector need not walk through it after each call.
    gc.collect()
    gc.freeze()
    lines = Lines(engine)
    streams = open_broadcasting(
        engine,
        nat,
        configuration.egress,
        per_stream=server.viewers_per_stream,
        viewers=server.viewers,
    )
    return create_app(
        engine,
        Calls(engine, nat, video_codec=configuration.draw.codec, lines=lines),
        lines=lines,
        languages=engine.voice_languages,
        origins=origins,
        ice_servers=configuration.server.ice_servers,
        looks=engine.looks,
        keeper=engine.keeper,
        access=door.access,
        webhooks=door.webhooks,
        hosts=() if door.access.required else LOOPBACK,
        streams=streams,
        house=open_house(configuration, engine, streams, store, door.webhooks),
        registry=engine.metrics.registry,
    )


def uvicorn_settings(
    app: "ASGIApp", trusted_proxies: Sequence[str], chosen: argparse.Namespace
) -> "uvicorn.Config":
    """Return how the application is served. What lies in front of it is not believed unless it is
    one of `trusted_proxies`, and what stands in a query is not logged.
    """
    import uvicorn

    from transport.socket import MAX_MESSAGE_BYTES
    from web.patience import PatientProtocol
    from web.sockets import BoundedProtocol

    settings = uvicorn.Config(
        app,
        log_level="info" if chosen.verbose else "warning",
        server_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_graceful_shutdown=5,
        http=PatientProtocol,
        ws=BoundedProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,  # sound in base64 gains little, and pays with memory and time
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        lifespan="on",
        ssl_certfile=chosen.certificate,
        ssl_keyfile=chosen.key,
    )
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).addFilter(without_queries)
    logging.getLogger("uvicorn.error").addFilter(not_a_refusal)
    return settings


def not_a_refusal(record: logging.LogRecord) -> bool:
    """Leave out what uvicorn says of WebSockets that were refused with an answer: it takes that
    for a failure of ours, and anybody could fill the log with it.
    """
    return record.msg != "ASGI callable returned without completing handshake."


def without_queries(record: logging.LogRecord) -> bool:
    """Cut the query off every path a record names: it may hold what resumes a session.

    A refusal of a WebSocket with a body is no fault, though uvicorn says so of each.
    """
    if isinstance(record.args, tuple):
        record.args = tuple(
            _QUERY.sub("", value) if isinstance(value, str) else value for value in record.args
        )
    record.msg = _QUERY.sub("", str(record.msg))
    return record.msg != _REFUSED


def _serve(settings: "uvicorn.Config", listener: socket.socket, url: str) -> None:
    import uvicorn

    class Announcing(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # What is told without an end is to end before connections are waited for.
            closing = getattr(getattr(settings.app, "state", None), "closing", None)
            if closing is not None:
                closing.set()
            await super().shutdown(sockets)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.should_exit:
                print(f"{READY}{url} (console: {url}/console/)", flush=True)

    Announcing(settings).run(sockets=[listener])


def _address(listener: socket.socket) -> str:
    host, number = listener.getsockname()[:2]
    return f"[{host}]:{number}" if ":" in host else f"{host}:{number}"
