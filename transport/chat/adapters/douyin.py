"""Douyin live, as its open platform pushes it: a list of messages of one `msg_type`.

{"msg_type": "live_comment" | "live_gift" | "live_like" | "live_fansclub", "payload": [...]}
"""

import json
from typing import Final

from agents.show.viewers import ViewerEvent, ViewerKind
from transport.chat.adapters.fields import Who, event_of, list_at, number_at, text_at

_NAME: Final = "douyin"
_KINDS: Final[dict[str, ViewerKind]] = {
    "live_comment": "chat",
    "live_gift": "gift",
    "live_like": "like",
    "live_fansclub": "follow",
    "live_enter": "join",
}
_LONGEST: Final = 400_000


def read(payload: object) -> list[ViewerEvent]:
    """Return comments, gifts, likes, new members of the fan club, and who enters."""
    kind = _KINDS.get(text_at(payload, "msg_type"))
    if kind is None:
        return []
    return [event for message in _messages(payload) for event in _message(kind, message)]


def _messages(payload: object) -> list[object]:
    """Return the messages, which some deliveries carry as a text of JSON."""
    found = list_at(payload, "payload")
    packed = payload.get("payload") if isinstance(payload, dict) else None
    if not found and isinstance(packed, str) and len(packed) <= _LONGEST:
        try:
            return list_at(json.loads(packed))
        except (ValueError, RecursionError):
            return []
    return found


def _message(kind: ViewerKind, message: object) -> list[ViewerEvent]:
    who = Who(
        event_id=text_at(message, "msg_id"),
        viewer=text_at(message, "sec_openid"),
        name=text_at(message, "nickname"),
    )
    if kind == "chat":
        return event_of(_NAME, kind, message, who, text=text_at(message, "content"))
    if kind == "like":
        return event_of(_NAME, kind, message, who, amount=number_at(message, "like_num"))
    if kind == "gift":
        gift = text_at(message, "gift_name") or text_at(message, "sec_gift_id")
        worth = number_at(message, "gift_value", default=0.0)
        return event_of(_NAME, kind, message, who, gift=gift, amount=worth)
    return event_of(_NAME, kind, message, who)
