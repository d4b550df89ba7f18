"""Operations of those who hold a key: tokens for their visitors."""

from typing import Final

from web.openapi.operation import JSON, Body, Operation, found, record, refused
from web.openapi.talking import NAME

TAGS: Final = (("access", "Short-lived tokens for pages, in the place of a key."),)

PERSON: Final = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_SCOPES: Final = {
    "type": "array",
    "items": {"type": "string", "enum": ["talk", "watch", "publish", "operate"]},
    "minItems": 1,
    "default": ["talk"],
    "description": "what the token is good for; the key needs all of it",
}
_LIFETIME: Final = record(
    ("seconds",),
    anchor={"const": "created_at"},
    seconds={"type": "integer", "minimum": 10, "maximum": 7200, "default": 600},
)
_SESSION: Final = {
    "type": "object",
    "description": "what sessions of the token start with, as in `session.update`; who holds the "
    "token can read it. At most 2048 bytes",
}
_ASKED: Final = {
    **record(
        (),
        expires_after=_LIFETIME,
        session=_SESSION,
        scopes=_SCOPES,
        person={
            "type": "string",
            "pattern": PERSON,
            "description": "your own opaque id of the visitor, under which what is kept of them "
            "is found again",
        },
        stream={
            "type": "string",
            "pattern": NAME,
            "description": "the one stream that may be watched or published to",
        },
    ),
    "required": [],
    "additionalProperties": False,
}

OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/realtime/client_secrets",
        "Issue a short-lived token for a page.",
        {
            200: found(
                "the token; it ends with its time or with its key, whichever comes first",
                record(
                    value={"type": "string", "pattern": r"^ek_[A-Za-z0-9_.-]+$"},
                    expires_at={"type": "integer", "description": "seconds since 1970 UTC"},
                    session={"type": "object"},
                ),
            ),
            400: refused("a field is not accepted"),
            403: refused("the key lacks a scope, a token asked, or a page of another origin"),
            408: refused("the body did not arrive in time"),
            413: refused("the body is larger than 128 KiB"),
            415: refused("the body is no JSON"),
        },
        "access",
        text="Ask with an API key from your own server, and hand the token to the page, which "
        "sends it as a Bearer token, or in the subprotocol `openai-insecure-api-key.TOKEN` of a "
        "WebSocket.",
        body=Body("how long, and what for; nothing is needed", {JSON: _ASKED}, required=False),
        scope="any",
    ),
)
