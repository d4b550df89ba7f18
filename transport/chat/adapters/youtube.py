"""YouTube live chat: a `liveChatMessageListResponse` or one `liveChatMessage` (Data API v3)."""

from typing import Final

from agents.show.viewers import ViewerEvent
from transport.chat.adapters.fields import Who, dig, event_of, list_at, number_at, text_at

_NAME: Final = "youtube"
_MICROS: Final = 1e6
_PAID: Final = {
    "superChatEvent": "superChatDetails",
    "superStickerEvent": "superStickerDetails",
}
_MEMBERS: Final = ("newSponsorEvent", "memberMilestoneChatEvent")


def read(payload: object) -> list[ViewerEvent]:
    """Return texts, paid messages (their worth is an amount of money) and new members."""
    items = list_at(payload, "items") or [payload]
    return [event for item in items for event in _message(item)]


def _message(item: object) -> list[ViewerEvent]:
    kind = text_at(item, "snippet", "type")
    who = Who(
        event_id=text_at(item, "id"),
        viewer=text_at(item, "snippet", "authorChannelId")
        or text_at(item, "authorDetails", "channelId"),
        name=text_at(item, "authorDetails", "displayName"),
    )
    if kind == "textMessageEvent":
        text = text_at(item, "snippet", "textMessageDetails", "messageText")
        shown = text or text_at(item, "snippet", "displayMessage")
        return event_of(_NAME, "chat", item, who, text=shown)
    if kind in _PAID:
        details = dig(item, "snippet", _PAID[kind])
        worth = number_at(details, "amountMicros", default=0.0) / _MICROS
        gift = text_at(details, "amountDisplayString") or "Super Chat"
        paid = event_of(_NAME, "gift", item, who, gift=gift, amount=worth)
        said = text_at(details, "userComment")
        again = who._replace(event_id=who.event_id and f"{who.event_id}-text")
        return paid + event_of(_NAME, "chat", [item], again, text=said)
    if kind in _MEMBERS:
        return event_of(_NAME, "follow", item, who)
    return []
