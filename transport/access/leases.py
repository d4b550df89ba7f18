"""What is open, whose it is, and how long it may stay."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from pipeline.clock import Clock
from transport.access.errors import LimitReachedError
from transport.access.grant import Grant

Kind = Literal["session", "stream", "view", "publish"]
# Told when something opens and ends: the event's name, and facts without content.
Observer = Callable[[str, dict[str, object]], None]
# Ends what is open: a code a program can compare, and the reason in words.
End = Callable[[str, str], None]

DAY_S: Final = 86_400
LOOK_EVERY_S: Final = 1.0
SESSIONS_RETRY_S: Final = 5

MINUTES_USED: Final = ("minutes_limit", "the minutes of this key are used up for today")
KEY_ENDED: Final = ("key_ended", "the key is no longer accepted")


class Lease:
    """The right to one open thing: a session, a stream, a viewing or a publishing.

    Taken before it is opened, told of when it is, and closed when it has ended.
    """

    def __init__(self, grant: Grant, kind: Kind, since: float, table: "Leases") -> None:
        self.grant = grant
        self.kind = kind
        self.since = since
        self.opened_at = since
        self.resource: str | None = None
        self.end: End | None = None
        self._table = table

    def opened(self, resource: str, end: End) -> None:
        """Tell what was opened. Told again, as for a session that goes on over another connection,
        the new id takes the place of the old.

        Args:
            resource: its unguessable id, which `Leases.opener` knows until it has ended.
            end: called with a code and a reason in words, once at most, when the key's minutes are
                used up ("minutes_limit") or it is revoked or has expired ("key_ended"); tells the
                client and ends what is open. Must not block or raise.
        """
        self._table.opened(self, resource, end)

    @contextmanager
    def unless_opened(self) -> Iterator[None]:
        """Give the place back if what is in the block ends without having opened anything."""
        try:
            yield
        finally:
            if self.resource is None:
                self.close()

    def close(self) -> None:
        """Give the place back. Idempotent."""
        self._table.closed(self)


class _Use:
    """What one key uses now, and has used today."""

    def __init__(self) -> None:
        self.open: dict[Lease, None] = {}
        self.day = 0
        self.spent_s = 0.0

    def spent(self, now: float) -> float:
        return self.spent_s + sum(now - lease.since for lease in self.open)


class Leases:
    """All leases of a server.

    Args:
        clock: monotonic time, by which minutes are counted.
        wall: seconds since 1970 UTC, by which days begin.
        works: whether a grant is still good.
        observer: told of sessions and streams that start and end.
    """

    def __init__(
        self,
        clock: Clock,
        wall: Callable[[], float] = time.time,
        works: Callable[[Grant], bool] = lambda _: True,
        observer: Observer | None = None,
    ) -> None:
        self._clock = clock
        self._wall = wall
        self._works = works
        self._observer = observer
        self._uses: dict[str, _Use] = {}
        self._resources: dict[str, Lease] = {}
        self._watch: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Return the number of leases open now."""
        return sum(len(use.open) for use in self._uses.values())

    def admit(self, grant: Grant, kind: Kind) -> Lease:
        """Return a lease, which counts from this moment.

        Raises:
            LimitReachedError: the key has as many open as it may, or has used its minutes.
        """
        self._forget()
        use, now = self._use(grant.key_id), self._clock.now()
        most, minutes = grant.limits.sessions, grant.limits.minutes_a_day
        if most is not None and len(use.open) >= most:
            raise LimitReachedError(
                "sessions_limit", f"all {most} sessions of this key are open", SESSIONS_RETRY_S
            )
        if minutes is not None and use.spent(now) >= 60 * minutes:
            raise LimitReachedError(*MINUTES_USED, DAY_S - self._wall() % DAY_S)
        lease = Lease(grant, kind, now, self)
        use.open[lease] = None
        return lease

    def opener(self, resource: str) -> Grant | None:
        """Return whose an open thing is; None where nothing of that id is open."""
        lease = self._resources.get(resource)
        return None if lease is None else lease.grant

    def moved(self, old: str, new: str, end: End) -> None:
        """Let what is open under the id `old` go on under `new`; see `Lease.opened`."""
        lease = self._resources.get(old)
        if lease is not None:
            self.opened(lease, new, end)

    def opened(self, lease: Lease, resource: str, end: End) -> None:
        """Remember what a lease is for; see `Lease.opened`."""
        if lease not in self._use(lease.grant.key_id).open:
            return  # it has ended already
        if lease.resource is None:
            self._tell(lease, "started", resource)
        else:
            del self._resources[lease.resource]
        lease.resource, lease.end = resource, end
        self._resources[resource] = lease
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look_after(), name="leases")

    def closed(self, lease: Lease) -> None:
        """Take a lease back; see `Lease.close`."""
        use = self._use(lease.grant.key_id)
        if lease not in use.open:
            return
        del use.open[lease]
        use.spent_s += self._clock.now() - lease.since
        if lease.resource is not None:
            del self._resources[lease.resource]
            self._tell(lease, "ended", lease.resource)

    def enforce(self) -> None:
        """End what may stay no longer."""
        now = self._clock.now()
        for lease in list(self._resources.values()):
            use, minutes = self._use(lease.grant.key_id), lease.grant.limits.minutes_a_day
            if not self._works(lease.grant):
                self._end(lease, KEY_ENDED)
            elif minutes is not None and use.spent(now) >= 60 * minutes:
                self._end(lease, MINUTES_USED)

    async def close(self) -> None:
        """Stop looking after what is open."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait({self._watch})

    async def _look_after(self) -> None:
        while self._resources:
            await self._clock.sleep_until(self._clock.now() + LOOK_EVERY_S)
            self.enforce()

    def _end(self, lease: Lease, reason: tuple[str, str]) -> None:
        if lease.end is not None:
            end, lease.end = lease.end, None
            end(*reason)

    def _use(self, key_id: str) -> _Use:
        use = self._uses.setdefault(key_id, _Use())
        day = math.floor(self._wall() / DAY_S)
        if use.day != day:
            use.day, use.spent_s = day, 0.0
            for lease in use.open:
                lease.since = self._clock.now()
        return use

    def _forget(self) -> None:
        """Drop keys that have nothing open and used nothing today."""
        today = math.floor(self._wall() / DAY_S)
        for key_id in [k for k, use in self._uses.items() if not use.open and use.day != today]:
            del self._uses[key_id]

    def _tell(self, lease: Lease, what: str, resource: str) -> None:
        if self._observer is None or lease.kind not in ("session", "stream"):
            return
        facts: dict[str, object] = {"id": resource, "key": lease.grant.key_id}
        if lease.grant.person is not None:
            facts["person"] = lease.grant.person
        if what == "ended":
            facts["seconds"] = round(self._clock.now() - lease.opened_at, 1)
        self._observer(f"{lease.kind}.{what}", facts)
