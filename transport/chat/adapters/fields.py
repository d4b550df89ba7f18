"""Reading fields of payloads that may hold anything."""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from agents.show.viewers import ViewerEvent, ViewerKind
from transport.chat.events import MOST_NAME, MOST_TEXT, plain

_MOST_ID: Final = 120


class Who(NamedTuple):
    """Whose event it is; `event_id`: the platform's own, empty where it has none."""

    event_id: str = ""
    viewer: str = ""
    name: str = ""


def dig(value: object, *path: str | int) -> Any:
    """Return what stands at a path of names and places; None where there is nothing."""
    for step in path:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: object, *path: str | int, most: int = MOST_TEXT) -> str:
    """Return the text at a path, cut to a length; a number as text; empty for all else."""
    found = dig(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int):
        return ""
    if isinstance(found, int) and abs(found) >= 10**30:  # Python refuses to print the longest
        return ""
    whole = str(found)[: 4 * most].encode("utf-8", "replace").decode()
    return plain(whole)[:most].rstrip()


def number_at(value: object, *path: str | int, default: float = 1.0) -> float:
    """Return the number at a path, 0 to a thousand million, written as text too."""
    found = dig(value, *path)
    if isinstance(found, str) and len(found) <= 20:
        try:
            found = float(found)
        except ValueError:
            return default
    if isinstance(found, bool) or not isinstance(found, int | float):
        return default
    if isinstance(found, int) and abs(found) > 10**18:
        return default
    number = float(found)
    return number if math.isfinite(number) and 0 <= number <= 1e9 else default


def list_at(value: object, *path: str | int, most: int = 100) -> list[object]:
    """Return the list at a path, its first `most` entries."""
    found = dig(value, *path)
    return found[:most] if isinstance(found, list) else []


def event_of(
    platform: str,
    kind: ViewerKind,
    payload: object,
    who: Who,
    *,
    text: str = "",
    product: str | None = None,
    amount: float = 1.0,
    gift: str = "",
) -> list[ViewerEvent]:
    """Return one event in a list; none where a text that is needed is empty.

    An event without an id of its own gets one from what it says, so that one which is sent again
    is the same event.
    """
    if kind in ("chat", "voice") and not text.strip():
        return []
    own = who.event_id[: _MOST_ID - len(platform) - 1] or digest(payload)
    event = ViewerEvent(
        id=f"{platform}-{own}",
        kind=kind,
        viewer=(who.viewer or who.name)[:_MOST_ID],
        name=who.name[:MOST_NAME],
        text=text[:MOST_TEXT],
        product=product,
        amount=amount,
        gift=gift[:MOST_NAME],
        platform=platform,
    )
    return [event]


def digest(payload: object) -> str:
    """Return a short digest of a JSON value."""
    text = json.dumps(payload, sort_keys=True, default=str)
    return hashlib.blake2s(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
