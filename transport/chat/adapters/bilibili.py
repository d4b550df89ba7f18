"""Bilibili live: {"cmd": "DANMU_MSG" | "LIVE_OPEN_PLATFORM_DM" | ..., "info" | "data": ...}."""

from typing import Final

from agents.show.viewers import ViewerEvent
from transport.chat.adapters.fields import Who, dig, event_of, list_at, number_at, text_at

_NAME: Final = "bilibili"
_OPEN: Final = "LIVE_OPEN_PLATFORM_"


def read(payload: object) -> list[ViewerEvent]:
    """Return danmaku, gifts, paid messages, guards, and who enters, likes or follows; of the room's
    own protocol and of the open platform's.
    """
    messages = list_at(payload, "messages") or [payload]
    return [event for message in messages for event in _message(message)]


def _message(message: object) -> list[ViewerEvent]:
    # Danmaku of some rooms come as "DANMU_MSG:4:0:2:2:2:0".
    command = text_at(message, "cmd").partition(":")[0]
    data = dig(message, "data")
    if command == "DANMU_MSG":
        return _danmaku(message)
    who = Who(
        event_id=text_at(data, "msg_id") or text_at(data, "tid") or text_at(data, "id"),
        viewer=text_at(data, "open_id") or text_at(data, "uid"),
        name=text_at(data, "uname") or text_at(data, "user_info", "uname"),
    )
    short = command.removeprefix(_OPEN)
    if short == "DM":
        return event_of(_NAME, "chat", data, who, text=text_at(data, "msg"))
    if short in ("SEND_GIFT",):
        gift = text_at(data, "giftName") or text_at(data, "gift_name")
        count = number_at(data, "num") if dig(data, "num") else number_at(data, "gift_num")
        worth = min(number_at(data, "price", default=0.0) * count, 1e9)
        return event_of(_NAME, "gift", data, who, gift=gift, amount=worth)
    if short in ("SUPER_CHAT_MESSAGE", "SUPER_CHAT"):
        return event_of(_NAME, "chat", data, who, text=text_at(data, "message"))
    if short == "LIKE":
        return event_of(_NAME, "like", data, who, amount=number_at(data, "like_count"))
    if short == "GUARD" or command in ("GUARD_BUY", "USER_TOAST_MSG"):
        return event_of(_NAME, "follow", data, who)
    if command == "INTERACT_WORD":
        followed = number_at(data, "msg_type") == 2
        return event_of(_NAME, "follow" if followed else "join", data, who)
    return []


def _danmaku(message: object) -> list[ViewerEvent]:
    who = Who(
        text_at(message, "msg_id"),
        text_at(message, "info", 2, 0),
        text_at(message, "info", 2, 1),
    )
    return event_of(_NAME, "chat", message, who, text=text_at(message, "info", 1))
