"""The door of the HTTP application: what each path needs, and what a request brings."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.errors import VivantError
from transport.access.access import Access
from transport.access.errors import ScopeError
from transport.access.grant import LOCAL, Grant
from transport.access.grant import Scope as Permission
from web.errors import meaning, refuse_connection

# How a browser, whose WebSockets take no headers, sends a token: beside "realtime".
SUBPROTOCOL: Final = "openai-insecure-api-key."
# Of the query: a signature of the address itself, for players that can send no headers.
TICKET: Final = "ticket"

# What a path needs: a scope; any key or token ("any"), where what is asked for decides; a signature
# that its route checks, or else who operates ("signed"); or nothing.
Need = Permission | Literal["any", "signed"] | None

# A pattern is of the path, or of the method and the path.
_TABLE: Final[tuple[tuple[str, Need], ...]] = (
    (r"/|/console/?|/watch/[^/]*|/static/.*|/healthz|/openapi\.json", None),
    (r"/v1/voices|/v1/looks(?:/.*)?", None),
    (r"/v1/realtime/client_secrets", "any"),
    (r"/v1/rooms/[^/]*/chat|GET /v1/recordings/[^/]*", "signed"),
    (r"/v1/realtime(?:/calls(?:/.*)?)?", "talk"),
    # Tags of pictures in a page show no key, and what they show is on the air.
    (r"GET /v1/(?:shops/[^/]*/products|avatars|scenes)/[^/]*/picture", None),
    (r"/v1/whep/(?P<stream>[^/]*)(?:/.*)?", "watch"),
    (r"/v1/hls/(?P<stream>[^/]*)(?:/.*)?", "watch"),
    (r"/v1/whip/(?P<stream>[^/]*)(?:/.*)?", "publish"),
)
_RULES: Final = tuple((re.compile(pattern, re.DOTALL), need) for pattern, need in _TABLE)
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
# To read these is an act too: somebody's own words are handed out.
_PERSONAL: Final = "/v1/people/"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a path needs, and the stream it names."""

    need: Need
    stream: str | None = None


def rule_of(path: str, method: str = "GET") -> Rule:
    """Return what a path needs; one that is not in the table is for who operates."""
    asked = f"{'GET' if method == 'HEAD' else method} {path}"
    for pattern, need in _RULES:
        found = pattern.fullmatch(path) or pattern.fullmatch(asked)
        if found is not None:
            return Rule(need, found.groupdict().get("stream"))
    return Rule("operate")


def grant_of(connection: HTTPConnection) -> Grant:
    """Return what a request or WebSocket may do, as `AccessMiddleware` found it."""
    grant = connection.scope.get("state", {}).get("grant", LOCAL)
    assert isinstance(grant, Grant)
    return grant


class AccessMiddleware:
    """Lets in who may do what they ask for, records administrative acts, and leaves the `Grant`
    for `grant_of`. A WebSocket is refused before it is accepted.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        rule, credential = (
            rule_of(route_path(scope), scope.get("method", "GET")),
            credential_of(scope),
        )
        try:
            grant = self._let_in(scope, rule, credential)
        except VivantError as error:
            await refuse_connection(meaning(error), scope, receive, send)
            return
        scope.setdefault("state", {})["grant"] = grant
        if scope["type"] == "websocket":
            # Nobody further in is to see the token, or to accept it as a protocol.
            offered = [name for name in scope["subprotocols"] if not name.startswith(SUBPROTOCOL)]
            scope = {**scope, "subprotocols": offered}
        elif _is_act(scope, rule):
            send = self._recording(grant, scope, send)
        await self.app(scope, receive, send)

    def _let_in(self, scope: Scope, rule: Rule, credential: str | None) -> Grant:
        if rule.need is None or (rule.need == "signed" and _is_signed(scope)):
            return self.access.recognise(credential)
        address = (scope.get("client") or ("",))[0]
        grant = self.access.identify(credential, address)
        if rule.need != "any":
            try:
                grant.require("operate" if rule.need == "signed" else rule.need, rule.stream)
            except ScopeError:
                if _is_act(scope, rule):
                    act = f"{scope['method']} {scope['path']}"
                    self.access.audit.write(grant.key_id, act, scope["path"], "403")
                raise
        return grant

    def _recording(self, grant: Grant, scope: Scope, send: Send) -> Send:
        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                pattern = getattr(scope.get("route"), "path", "unknown")
                act, status = f"{scope['method']} {pattern}", str(message["status"])
                made = Headers(raw=message.get("headers", [])).get("location")
                self.access.audit.write(grant.key_id, act, made or scope["path"], status)
            await send(message)

        return send_recorded


def credential_of(scope: Scope) -> str | None:
    """Return the key or token of a request or WebSocket (RFC 6750, 2.1); None when none came.

    Two that differ are none that anybody could know: they come back as the empty text.
    """
    sent = [
        value.split(None, 1)[1].strip()
        for value in Headers(scope=scope).getlist("authorization")
        if value[:7].lower() == "bearer " and value[7:].strip()
    ]
    offered = [name for name in scope.get("subprotocols", ()) if name.startswith(SUBPROTOCOL)]
    sent += [name.removeprefix(SUBPROTOCOL) for name in offered]
    if not sent:
        return None
    return sent[0] if len(set(sent)) == 1 else ""


def route_path(scope: Scope) -> str:
    """Return the path that routes are matched against: without the prefix of a proxy or mount."""
    path, root = scope["path"], scope.get("root_path", "")
    if not root or not path.startswith(root):
        return str(path)
    rest = path[len(root) :]
    return rest if rest == "" or rest[0] == "/" else str(path)


def prefix_of(connection: HTTPConnection) -> str:
    """Return the prefix of a proxy or mount, with which addresses told to clients begin."""
    return str(connection.scope.get("root_path", "")).rstrip("/")


def _is_signed(scope: Scope) -> bool:
    """Whether a request brings a signature, good or not."""
    query = bytes(scope.get("query_string", b""))
    return "webhook-signature" in Headers(scope=scope) or f"{TICKET}=".encode() in query


def _is_act(scope: Scope, rule: Rule) -> bool:
    """Whether a request is administrative, and does more than look."""
    if scope["type"] != "http" or rule.need != "operate":
        return False
    return scope["method"] not in _SAFE or route_path(scope).startswith(_PERSONAL)
