"""RTMP's chunk stream: messages cut into chunks and put together again.

Adobe's Real Time Messaging Protocol 1.0 (2012), section 5.3.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from transport.egress.errors import OutputError

FIRST_CHUNK_SIZE: Final = 128
MOST_MESSAGE: Final = 1 << 20  # bytes; an ingest has no reason to send a publisher this much
MOST_CHUNK_STREAMS: Final = 64

SET_CHUNK_SIZE, ACKNOWLEDGEMENT, USER_CONTROL, WINDOW_SIZE = 1, 3, 4, 5
AUDIO, VIDEO, DATA, COMMAND = 8, 9, 18, 20

_EXTENDED: Final = 0xFFFFFF


@dataclass(frozen=True, slots=True)
class Message:
    """One RTMP message. `timestamp` in milliseconds, taken modulo 2^32."""

    kind: int
    payload: bytes
    timestamp: int = 0
    stream: int = 0


def cut(message: Message, chunk_stream: int, size: int) -> bytes:
    """Return the chunks of a message, with a full header: none depends on those before.

    Args:
        chunk_stream: 2 to 63.
        size: most payload bytes in a chunk, as told to the other side.
    """
    timestamp = message.timestamp % (1 << 32)
    extended = struct.pack(">I", timestamp) if timestamp >= _EXTENDED else b""
    parts = [
        bytes([chunk_stream]),
        min(timestamp, _EXTENDED).to_bytes(3, "big"),
        len(message.payload).to_bytes(3, "big"),
        bytes([message.kind]),
        message.stream.to_bytes(4, "little"),
        extended,
        message.payload[:size],
    ]
    for start in range(size, len(message.payload), size):
        parts += [bytes([0xC0 | chunk_stream]), extended, message.payload[start : start + size]]
    return b"".join(parts)


@dataclass(slots=True)
class _Incoming:
    timestamp: int = 0
    extended: bool = False
    length: int = 0
    kind: int = 0
    stream: int = 0
    payload: bytes = b""


class ChunkReader:
    """Puts messages together. `read(n)` must return exactly n bytes or raise."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._size = FIRST_CHUNK_SIZE
        self._streams: dict[int, _Incoming] = {}

    def message(self) -> Message:
        """Read up to the end of the next message; the other side's chunk size is followed.

        Raises:
            OutputError: what comes is not RTMP, or a message is too long.
        """
        while (message := self._chunk()) is None:
            pass
        if message.kind == SET_CHUNK_SIZE:
            self._size = int.from_bytes(message.payload[:4], "big") & 0x7FFFFFFF
            if self._size == 0:
                raise OutputError("the ingest asks for chunks of no size")
        return message

    def _chunk(self) -> Message | None:
        first = self._read(1)[0]
        number = first & 0x3F
        if number < 2:  # one or two more bytes hold the number
            number = 64 + int.from_bytes(self._read(number + 1), "little")
        if number not in self._streams and len(self._streams) >= MOST_CHUNK_STREAMS:
            raise OutputError("the ingest uses too many chunk streams")
        incoming = self._streams.setdefault(number, _Incoming())
        self._header(first >> 6, incoming)
        missing = incoming.length - len(incoming.payload)
        incoming.payload += self._read(min(missing, self._size))
        if len(incoming.payload) < incoming.length:
            return None
        payload, incoming.payload = incoming.payload, b""
        return Message(incoming.kind, payload, incoming.timestamp, incoming.stream)

    def _header(self, layout: int, incoming: _Incoming) -> None:
        stamp = 0
        if layout < 3:
            stamp = int.from_bytes(self._read(3), "big")
            incoming.extended = stamp == _EXTENDED
        if layout < 2:
            incoming.length = int.from_bytes(self._read(3), "big")
            incoming.kind = self._read(1)[0]
            incoming.payload = b""
        if layout == 0:
            incoming.stream = int.from_bytes(self._read(4), "little")
        if incoming.extended:
            stamp = int.from_bytes(self._read(4), "big")
        if layout < 3:
            incoming.timestamp = stamp if layout == 0 else incoming.timestamp + stamp
        if incoming.length > MOST_MESSAGE:
            raise OutputError(f"the ingest sent a message of {incoming.length} bytes")


def flv_tags(buffer: bytearray) -> Iterator[Message]:
    """Take whole FLV tags from the front of `buffer`, as messages; their payloads are the same.

    FLV's own header is skipped. Adobe's Flash Video File Format 10.1, annex E.
    """
    if buffer[:3] == b"FLV":
        if len(buffer) < 13:
            return
        del buffer[:13]
    while len(buffer) >= 11:
        length = int.from_bytes(buffer[1:4], "big")
        if len(buffer) < 11 + length + 4:
            return
        timestamp = int.from_bytes(buffer[4:7], "big") | buffer[7] << 24
        payload = bytes(buffer[11 : 11 + length])
        kind = buffer[0] & 0x1F
        del buffer[: 11 + length + 4]
        yield Message(kind, payload, timestamp)
