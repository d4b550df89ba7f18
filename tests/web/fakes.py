"""An engine and calls without models or media, for tests of the HTTP application."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
from starlette.applications import Starlette

from agents.catalogue import Catalogue, Persona
from agents.host import Host
from agents.shop.passages import FindPassages
from agents.shop.product import Shop
from pipeline.contract import Session, SessionSink
from pipeline.errors import ServerFullError
from pipeline.options import NOTHING, SessionOptions
from transport.errors import CallNotFoundError, OfferError, SessionGoneError


@dataclass
class StubEngine:
    """Knows its voices and counts; opens nothing."""

    limit: int = 2
    voices: tuple[str, ...] = ("joe", "lily")
    default_video: tuple[int, int] = (540, 960)
    sessions: int = 0
    closed: bool = False
    troubles: tuple[str, ...] = ()

    def open(self, options: SessionOptions, sink: SessionSink) -> Session:
        raise AssertionError(f"sessions are opened through calls alone: {options}, {sink}")

    def new_host(
        self,
        catalogue: Catalogue | None,
        persona: Persona,
        shop: Shop | None = None,
        trouble: Callable[[str | None], None] = lambda _: None,
        documents: FindPassages | None = None,
    ) -> Host:
        parts = (catalogue, persona, shop, trouble, documents)
        raise AssertionError(f"no live room is opened: {parts}")

    async def still(
        self, options: SessionOptions, changes: Mapping[str, object] = NOTHING
    ) -> bytes:
        raise AssertionError(f"nothing is drawn: {options}, {changes}")

    async def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class StubCall:
    id: str
    answer_sdp: str
    before: str = ""


@dataclass
class StubCalls:
    """Takes every offer that begins as SDP does, and remembers what was asked for."""

    engine: StubEngine
    open: dict[str, SessionOptions] = field(default_factory=dict)
    closed: bool = False
    endings: dict[str, Callable[[], None]] = field(default_factory=dict)
    dismissed: list[tuple[str, str, str]] = field(default_factory=list)

    async def answer(
        self,
        offer_sdp: str,
        options: SessionOptions,
        at_end: Callable[[], None] | None = None,
    ) -> StubCall:
        if not offer_sdp.startswith("v=0"):
            raise OfferError("the offer begins with nothing SDP begins with")
        if len(self.open) >= self.engine.limit:
            raise ServerFullError(self.engine.limit, retry_after_s=7)
        call = StubCall(f"call-{len(self.open)}", "v=0\r\ns=answer\r\n")
        self.open[call.id] = options
        if at_end is not None:
            self.endings[call.id] = at_end
        self.engine.sessions = len(self.open)
        return call

    async def resume(self, offer_sdp: str, token: str) -> StubCall:
        raise AssertionError(f"no session waits for {token}: {offer_sdp}")

    def holder(self, token: str) -> str:
        raise SessionGoneError(f"no session waits under {token[:20]!r}")

    async def hang_up(self, call_id: str) -> None:
        if self.open.pop(call_id, None) is None:
            raise CallNotFoundError(f"no call {call_id!r} is open")
        self.engine.sessions = len(self.open)
        if (at_end := self.endings.pop(call_id, None)) is not None:
            at_end()

    def dismiss(self, call_id: str, code: str, message: str) -> None:
        self.dismissed.append((call_id, code, message))
        self.open.pop(call_id, None)
        if (at_end := self.endings.pop(call_id, None)) is not None:
            at_end()

    async def close(self) -> None:
        for call_id in list(self.open):
            await self.hang_up(call_id)
        self.closed = True


@asynccontextmanager
async def client_of(app: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client whose requests reach `app` without a network."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client
