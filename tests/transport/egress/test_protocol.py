"""RTMP on the wire: AMF, chunks, FLV tags, and ingests that speak it badly."""

import socket
import struct
from collections.abc import Callable
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transport.egress.ingests import KEY, url
from transport.egress.amf import Amf, decode, encode
from transport.egress.chunks import (
    AUDIO,
    COMMAND,
    MOST_MESSAGE,
    SET_CHUNK_SIZE,
    VIDEO,
    ChunkReader,
    Message,
    cut,
    flv_tags,
)
from transport.egress.errors import OutputError
from transport.egress.rtmp import RtmpPublisher
from transport.egress.targets import RtmpTarget

scalars = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=40)
values = st.recursive(
    scalars, lambda inner: st.dictionaries(st.text(min_size=1, max_size=9), inner, max_size=4)
)
messages = st.builds(
    Message,
    kind=st.sampled_from([AUDIO, VIDEO, COMMAND]),
    payload=st.binary(max_size=1000),
    timestamp=st.integers(0, 2**32 - 1),
    stream=st.integers(0, 2**32 - 1),
)


def reader(data: bytes) -> ChunkReader:
    """Return a reader of `data` that raises EOFError at its end."""
    left = bytearray(data)

    def read(count: int) -> bytes:
        if len(left) < count:
            raise EOFError
        taken = bytes(left[:count])
        del left[:count]
        return taken

    return ChunkReader(read)


@given(st.lists(values, max_size=4))
def test_values_come_back(sent: list[Amf]) -> None:
    assert decode(encode(*sent)) == sent


def test_values_that_only_an_ingest_sends() -> None:
    array = b"\x08\x00\x00\x00\x01\x00\x01a\x00" + struct.pack(">d", 2) + b"\x00\x00\x09"
    strict = b"\x0a\x00\x00\x00\x02\x05\x06"
    date = b"\x0b" + struct.pack(">dh", 5, 0)
    assert decode(array + strict + date) == [{"a": 2.0}, [None, None], 5.0]


@given(st.binary(max_size=200))
def test_any_bytes_are_values_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except OutputError:
        return


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(OutputError, match="too deep"):
        decode(b"\x03\x00\x01a" * 5000)


@given(st.lists(messages, min_size=1, max_size=4), st.integers(1, 300))
def test_messages_come_back(sent: list[Message], size: int) -> None:
    said = cut(Message(SET_CHUNK_SIZE, struct.pack(">I", size)), 2, 128)
    chunks = reader(said + b"".join(cut(message, 3, size) for message in sent))
    assert chunks.message().kind == SET_CHUNK_SIZE
    assert [chunks.message() for _ in sent] == sent


def test_times_beyond_four_hours_are_extended() -> None:
    five_hours = 5 * 3600 * 1000
    data = cut(Message(VIDEO, bytes(9), five_hours), 6, 4)
    assert data[1:4] == b"\xff\xff\xff"
    stamp = struct.pack(">I", five_hours)
    assert data.count(stamp) == 3  # once in each of its chunks
    assert cut(Message(VIDEO, b"", 2**32 + 5), 6, 4)[1:4] == b"\x00\x00\x05"


def test_short_headers_go_on_from_the_message_before() -> None:
    first = cut(Message(COMMAND, b"ab", 1000, 7), 3, 128)
    same_stream = bytes([0x43, 0, 0, 40, 0, 0, 1, AUDIO]) + b"c"
    same_length = bytes([0x83, 0, 0, 20]) + b"d"
    chunks = reader(first + same_stream + same_length)
    got = [chunks.message() for _ in range(3)]
    assert got[1:] == [Message(AUDIO, b"c", 1040, 7), Message(AUDIO, b"d", 1060, 7)]


@given(st.binary(max_size=300))
def test_any_bytes_are_messages_or_refused(data: bytes) -> None:
    chunks = reader(data)
    try:
        for _ in range(400):
            chunks.message()
    except (OutputError, EOFError):
        return
    raise AssertionError("more messages than bytes")


def test_messages_without_end_are_refused() -> None:
    too_long = (MOST_MESSAGE + 1).to_bytes(3, "big")
    with pytest.raises(OutputError, match="bytes"):
        reader(bytes([3, 0, 0, 0]) + too_long + bytes([COMMAND, 0, 0, 0, 0])).message()


@given(st.lists(st.integers(1, 60), max_size=20))
def test_tags_come_out_however_the_bytes_come_in(sizes: list[int]) -> None:
    def tag(kind: int, timestamp: int, payload: bytes) -> bytes:
        stamp = (timestamp & 0xFFFFFF).to_bytes(3, "big") + bytes([timestamp >> 24])
        head = bytes([kind]) + len(payload).to_bytes(3, "big") + stamp + bytes(3)
        return head + payload + (11 + len(payload)).to_bytes(4, "big")

    data = b"FLV\x01\x05\x00\x00\x00\x09" + bytes(4)
    data += tag(VIDEO, 40, b"picture") + tag(AUDIO, 0x1234567, b"sound")
    buffer, got, at = bytearray(), [], 0
    for size in [*sizes, len(data)]:
        buffer += data[at : at + size]
        at += size
        got += list(flv_tags(buffer))
    assert got == [Message(VIDEO, b"picture", 40), Message(AUDIO, b"sound", 0x1234567)]
    assert not buffer


def answering(answer: Callable[[socket.socket], None]) -> tuple[int, Thread]:
    """Start an ingest for one connection; return its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with server, server.accept()[0] as connection:
            answer(connection)
            connection.settimeout(5)
            try:
                while connection.recv(65_536):
                    pass
            except OSError:
                return

    thread = Thread(target=serve)
    thread.start()
    return int(server.getsockname()[1]), thread


def greeting(connection: socket.socket) -> None:
    connection.sendall(b"\x03" + bytes(2 * 1536))


def refusing(connection: socket.socket) -> None:
    greeting(connection)
    described: dict[str, Amf] = {"level": "error", "description": f"no\r\x1bapp\nfor {KEY}"}
    payload = encode("_error", 1, None, described)
    connection.sendall(cut(Message(COMMAND, payload), 3, 128))


def nonsense(connection: socket.socket) -> None:
    greeting(connection)
    connection.sendall(bytes([3, 0, 0, 0, 0, 0, 9, COMMAND, 0, 0, 0, 0]) + b"\xff" * 9)


def endless(connection: socket.socket) -> None:
    greeting(connection)
    ping = cut(Message(4, bytes([0, 6, 0, 0, 0, 0])), 2, 128)
    try:
        while True:
            connection.sendall(ping * 100)
    except OSError:
        return


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda connection: connection.sendall(b"HTTP/1.1 400"), "does not speak RTMP"),
        (lambda connection: connection.shutdown(socket.SHUT_WR), "closed the connection"),
        (greeting, "does not answer"),
        (refusing, r"refuses: no  app for \*\*\*"),
        (nonsense, "value of type 255"),
        (endless, "does not answer"),
    ],
)
def test_an_ingest_that_speaks_badly(
    answer: Callable[[socket.socket], None], expected: str
) -> None:
    port, thread = answering(answer)
    with pytest.raises(OutputError, match=expected) as broken:
        RtmpPublisher(RtmpTarget(url(port), allow_private=True), timeout=0.3)
    assert KEY not in str(broken.value)
    assert broken.value.retryable
    thread.join(5)
    assert not thread.is_alive()
