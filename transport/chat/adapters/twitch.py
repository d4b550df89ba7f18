"""Twitch: EventSub notifications, and lines of its IRC as text (a list of lines in "lines")."""

import re
from collections.abc import Mapping
from typing import Final

from agents.show.viewers import ViewerEvent
from transport.chat.adapters.fields import Who, event_of, list_at, number_at, text_at

_NAME: Final = "twitch"
_LINE: Final = re.compile(
    r"(?:@(?P<tags>[^ ]{1,8191}) +)?:(?P<nick>[^! ]{1,64})[^ ]* (?P<command>PRIVMSG|JOIN|PART) "
    r"#[^ ]{1,64}(?: :(?P<text>.*))?",
    re.DOTALL,
)
_ESCAPES: Final = {r"\s": " ", r"\:": ";", r"\\": "\\", r"\r": "", r"\n": " "}
_ESCAPED: Final = re.compile(r"\\[s:\\rn]")


def read(payload: object) -> list[ViewerEvent]:
    """Return messages, cheers, follows, subscriptions, and who comes and goes."""
    lines = list_at(payload, "lines")
    if lines:
        return [event for line in lines if isinstance(line, str) for event in _line(line)]
    kind = text_at(payload, "subscription", "type")
    kind = kind or text_at(payload, "metadata", "subscription_type")
    inner = payload.get("payload", payload) if isinstance(payload, Mapping) else {}
    return _notification(kind, inner.get("event") if isinstance(inner, Mapping) else None)


def _notification(kind: str, event: object) -> list[ViewerEvent]:
    who = Who(
        viewer=text_at(event, "chatter_user_id") or text_at(event, "user_id"),
        name=text_at(event, "chatter_user_name") or text_at(event, "user_name"),
    )
    if kind == "channel.chat.message":
        said = text_at(event, "message", "text")
        message = text_at(event, "message_id")
        return event_of(_NAME, "chat", event, who._replace(event_id=message), text=said)
    if kind == "channel.cheer":
        bits = number_at(event, "bits", default=0.0)
        return event_of(_NAME, "gift", event, who, gift="bits", amount=bits)
    if kind in ("channel.follow", "channel.subscribe"):
        return event_of(_NAME, "follow", event, who)
    return []


def _line(line: str) -> list[ViewerEvent]:
    found = _LINE.fullmatch(line.strip("\r\n"))
    if found is None:
        return []
    tags = _tags(found["tags"] or "")
    name, viewer = tags.get("display-name") or found["nick"], tags.get("user-id") or found["nick"]
    who = Who(tags.get("id", ""), viewer, name)
    if found["command"] == "PRIVMSG":
        return event_of(_NAME, "chat", line, who, text=text_at(found["text"] or ""))
    return event_of(_NAME, "join" if found["command"] == "JOIN" else "leave", line, who)


def _tags(text: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in text.split(";")[:100])
    return {
        text_at(key): text_at(_ESCAPED.sub(lambda match: _ESCAPES[match[0]], value))
        for key, _, value in pairs
    }
