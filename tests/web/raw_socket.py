"""A WebSocket client that writes frames by hand, right ones and wrong ones (RFC 6455)."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CONTINUATION: Final = 0x0
TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
FIN: Final = 0x80

HANDSHAKE: Final = (
    "GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)


def frame(
    content: bytes, opcode: int = TEXT, *, first: int | None = None, masked: bool = True
) -> bytes:
    """Return a frame; `first` replaces its first byte, which else is FIN and the opcode."""
    head = bytes([FIN | opcode if first is None else first])
    mask_bit = 0x80 if masked else 0
    if len(content) < 126:
        head += bytes([mask_bit | len(content)])
    elif len(content) < 1 << 16:
        head += bytes([mask_bit | 126]) + len(content).to_bytes(2, "big")
    else:
        head += bytes([mask_bit | 127]) + len(content).to_bytes(8, "big")
    if not masked:
        return head + content
    # A mask of zeros leaves the content as it is.
    return head + bytes(4) + content


@dataclass
class RawSocket:
    """A WebSocket after its handshake."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Write bytes as they are; wait while the server does not read them."""
        self.writer.write(data)
        await self.writer.drain()

    async def read_frame(self) -> tuple[int, bytes]:
        """Return the opcode and the content of the next frame.

        Raises:
            IncompleteReadError, ConnectionError: the connection has ended.
        """
        first, length = await self.reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        elif length == 127:
            length = int.from_bytes(await self.reader.readexactly(8), "big")
        return first & 0x0F, await self.reader.readexactly(length)

    async def closed_with(self, within: float = 5.0) -> int | None:
        """Read until the server closes; return its code, None where it went without one."""
        async with asyncio.timeout(within):
            while True:
                try:
                    opcode, content = await self.read_frame()
                except (asyncio.IncompleteReadError, ConnectionError):
                    return None
                if opcode == CLOSE:
                    return int.from_bytes(content[:2], "big")


@asynccontextmanager
async def raw_socket(port: int, *, buffer: int | None = None) -> AsyncIterator[RawSocket]:
    """Connect and shake hands; `buffer` bounds what the system reads ahead for the client."""
    connection = socket.socket()
    if buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 12)
    try:
        writer.write(HANDSHAKE.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101"), answer
        yield RawSocket(reader, writer)
    finally:
        writer.transport.abort()


def open_files() -> int:
    """Return how many files and sockets this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
