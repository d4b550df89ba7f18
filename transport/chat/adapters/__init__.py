"""Adapters: what the messages of a platform are as events. A file and a line here each.

Each is `read(payload) -> list[ViewerEvent]`. `payload` is JSON and may hold anything: what cannot
be read as an event is left out, a payload that holds none gives an empty list, and nothing in it
is ever obeyed, fetched or evaluated.
"""

from collections.abc import Callable, Mapping
from typing import Final

from agents.show.viewers import ViewerEvent
from transport.chat.adapters import bilibili, douyin, generic, tiktok, twitch, youtube

Adapter = Callable[[object], list[ViewerEvent]]

ADAPTERS: Final[Mapping[str, Adapter]] = {
    "generic": generic.read,
    "youtube": youtube.read,
    "twitch": twitch.read,
    "tiktok": tiktok.read,
    "bilibili": bilibili.read,
    "douyin": douyin.read,
}
