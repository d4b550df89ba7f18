"""TikTok LIVE, as connectors hand it on: {"event": "chat" | "gift" | ..., "data": {...}}."""

from typing import Final

from agents.show.viewers import ViewerEvent, ViewerKind
from transport.chat.adapters.fields import Who, dig, event_of, list_at, number_at, text_at

_NAME: Final = "tiktok"
_KINDS: Final[dict[str, ViewerKind]] = {
    "chat": "chat",
    "comment": "chat",
    "gift": "gift",
    "member": "join",
    "join": "join",
    "follow": "follow",
    "like": "like",
}


def read(payload: object) -> list[ViewerEvent]:
    """Return comments, gifts (worth diamonds), likes, joins and follows. A streak of gifts counts
    when it has ended, or each in it would be thanked for again.
    """
    messages = list_at(payload, "messages") or [payload]
    return [event for message in messages for event in _message(message)]


def _message(message: object) -> list[ViewerEvent]:
    data = dig(message, "data")
    name = text_at(message, "event").lower()
    if name == "social" and "follow" in text_at(data, "displayType").lower():
        name = "follow"
    kind = _KINDS.get(name)
    if kind is None or data is None:
        return []
    user = data if dig(data, "user") is None else dig(data, "user")
    who = Who(
        event_id=text_at(data, "msgId"),
        viewer=text_at(user, "userId") or text_at(user, "uniqueId"),
        name=text_at(user, "nickname") or text_at(user, "uniqueId"),
    )
    if kind == "chat":
        return event_of(_NAME, kind, data, who, text=text_at(data, "comment"))
    if kind == "like":
        return event_of(_NAME, kind, data, who, amount=number_at(data, "likeCount"))
    if kind != "gift":
        return event_of(_NAME, kind, data, who)
    if number_at(data, "giftType", default=0.0) == 1 and not dig(data, "repeatEnd"):
        return []
    worth = number_at(data, "diamondCount") * number_at(data, "repeatCount")
    return event_of(_NAME, kind, data, who, gift=text_at(data, "giftName"), amount=min(worth, 1e9))
