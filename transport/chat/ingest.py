"""Who may bring events to a room: senders that sign them (Standard Webhooks 1.0, symmetric)."""

import hmac
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from transport.access.errors import LimitReachedError
from transport.errors import ReplayError, SignatureError
from transport.webhooks import read_webhook_secret, signature

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
TOLERANCE_S: Final = 300.0
# Ids of one room that are remembered; as many as come within twice the tolerance at 100 a second.
MOST_IDS: Final = 60_000
_LONGEST_ID: Final = 120
_MOST_SIGNATURES: Final = 8  # a sender that changes its secret signs with both


class Ingest:
    """Checks signatures, and that nothing signed is taken twice.

    Ids are remembered for as long as their signatures hold, and no longer than the process lives:
    events have ids of their own, which are on disk.

    Args:
        wall: seconds since 1970 UTC, by which signatures grow old.
    """

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._taken: dict[str, OrderedDict[str, float]] = {}

    @contextmanager
    def admit(
        self, room: str, secret: str, headers: Mapping[str, str], body: bytes
    ) -> Iterator[None]:
        """Let a signed body in, once; where taking it fails, it may come again under its id.

        Args:
            secret: of the room, "whsec_" and Base64.
            headers: with names in lower case.

        Raises:
            SignatureError: a header is missing, too old, or not made with the secret.
            ReplayError: the id has been taken.
            LimitReachedError: more came than can be remembered.
        """
        message = self._checked(secret, headers, body)
        taken = self._of(room)
        if message in taken:
            raise ReplayError(f"{ID} {message!r} has been taken already")
        if len(taken) >= MOST_IDS:
            raise LimitReachedError("chat_limit", "too many signed messages came", TOLERANCE_S)
        taken[message] = self._wall()
        try:
            yield
        except BaseException:
            taken.pop(message, None)
            raise

    def forget(self, room: str) -> None:
        """Forget the ids of a room that is no more."""
        self._taken.pop(room, None)

    def _checked(self, secret: str, headers: Mapping[str, str], body: bytes) -> str:
        message, moment = headers.get(ID, ""), headers.get(TIMESTAMP, "")
        if not message or len(message) > _LONGEST_ID or not message.isascii():
            raise SignatureError(f"{ID} is {message[:60]!r}; accepted: 1 to {_LONGEST_ID} of ASCII")
        if not (moment.isascii() and moment.isdigit() and len(moment) <= 12):
            raise SignatureError(f"{TIMESTAMP} is {moment[:40]!r}; accepted: seconds since 1970")
        if abs(self._wall() - int(moment)) > TOLERANCE_S:
            raise SignatureError(
                f"{TIMESTAMP} is {moment}; accepted: within {TOLERANCE_S:g} s of the server's time"
            )
        key = read_webhook_secret(secret, "of the room")
        made = signature(key, message, moment, body).encode()
        shown = headers.get(SIGNATURE, "").split()[:_MOST_SIGNATURES]
        if not any(hmac.compare_digest(made, each.encode()) for each in shown):
            raise SignatureError(f"{SIGNATURE} was not made with the room's secret over this body")
        return message

    def _of(self, room: str) -> OrderedDict[str, float]:
        """Return the ids a room has taken, without those whose signatures hold no longer."""
        taken = self._taken.setdefault(room, OrderedDict())
        # The other side's clock may be ahead as far as ours may be.
        oldest = self._wall() - 2 * TOLERANCE_S
        while taken and next(iter(taken.values())) < oldest:
            taken.popitem(last=False)
        return taken


def sign(secret: str, message: str, moment: float, body: bytes) -> dict[str, str]:
    """Return the headers that sign a body, as a sender has to."""
    timestamp = str(int(moment))
    key = read_webhook_secret(secret, "of the room")
    return {
        ID: message,
        TIMESTAMP: timestamp,
        SIGNATURE: signature(key, message, timestamp, body),
    }
