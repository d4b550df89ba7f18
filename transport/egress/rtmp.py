"""Publishing to an RTMP or RTMPS ingest: Adobe's Real Time Messaging Protocol 1.0 (2012).

FFmpeg has a publisher too, but takes no options for it from PyAV: the host's name would be looked
up a second time, no certificate be checked, and the stream key be part of its messages.
"""

import contextlib
import os
import socket
import ssl
import struct
from collections.abc import Iterator
from time import monotonic
from types import TracebackType
from typing import Final, Self

from transport.egress.addresses import AddressError, resolve
from transport.egress.amf import Amf, decode, encode
from transport.egress.chunks import (
    ACKNOWLEDGEMENT,
    COMMAND,
    DATA,
    SET_CHUNK_SIZE,
    USER_CONTROL,
    VIDEO,
    WINDOW_SIZE,
    ChunkReader,
    Message,
    cut,
    flv_tags,
)
from transport.egress.errors import OutputError
from transport.egress.targets import RtmpTarget

CHUNK_SIZE: Final = 4096
FLASH_VERSION: Final = "FMLE/3.0 (compatible; Vivant)"
# What waits in the system can no longer be dropped: about a second of a stream of 2 Mbit/s.
SEND_BUFFER: Final = 256 << 10

_VERSION: Final = b"\x03"
_HANDSHAKE: Final = 1536
_RECEIVE: Final = 65_536
_CONTROL, _COMMANDS, _SOUND, _PICTURES = 2, 3, 4, 6  # chunk streams
_PING, _PONG = 6, 7
_CONNECT, _RELEASE, _FC_PUBLISH, _CREATE, _PUBLISH, _UNPUBLISH, _DELETE = range(1, 8)


class RtmpPublisher:
    """A connection that publishes one stream. As a context manager it closes the connection.

    Args:
        target: where to.
        timeout: seconds in which the ingest must have accepted the stream; also the longest that
            `write` waits for an ingest that does not read.

    Raises:
        OutputError: no connection, or the ingest refuses the stream. Not retryable where an
            address is not allowed or a certificate not valid.
    """

    def __init__(self, target: RtmpTarget, timeout: float) -> None:
        self._target = target
        self._timeout = timeout
        self._deadline: float | None = monotonic() + timeout
        self._stream = 0
        self._received = self._acknowledged = self._window = 0
        self._tags = bytearray()
        self._incoming = bytearray()
        self._reader = ChunkReader(self._exactly)
        with contextlib.ExitStack() as undo, self._explained("cannot be reached"):
            self._socket = undo.enter_context(self._dial())
            self._shake_hands()
            self._publish()
            undo.pop_all()
        self._deadline = None

    def write(self, data: bytes) -> int:
        """Send the FLV tags that `data` completes and return its length: a muxer's file.

        Raises:
            OutputError: the connection has broken.
        """
        self._tags += data
        with self._explained("has broken off"):
            for tag in flv_tags(self._tags):
                head = encode("@setDataFrame") if tag.kind == DATA else b""
                message = Message(tag.kind, head + tag.payload, tag.timestamp, self._stream)
                self._send(message, _PICTURES if tag.kind == VIDEO else _SOUND)
            self._listen()
        return len(data)

    def close(self) -> None:
        """Say that the stream is over, as far as that is still possible, and disconnect."""
        with contextlib.suppress(OSError):
            self._command("FCUnpublish", _UNPUBLISH, None, self._target.key)
            self._command("deleteStream", _DELETE, None, self._stream)
            self._socket.shutdown(socket.SHUT_WR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        """Turn what the network raises into an OutputError that does not hold the key."""
        try:
            yield
        except OutputError as error:
            raise OutputError(self._target.masked(str(error)), retryable=error.retryable) from None
        except AddressError as error:
            raise OutputError(str(error), retryable=False) from error
        except ssl.SSLCertVerificationError as error:
            message = f"the certificate of {self._target.host} is not valid"
            raise OutputError(f"{message}: {error.verify_message}", retryable=False) from error
        except TimeoutError as error:
            raise OutputError(f"{self._target} {what}: it does not answer") from error
        except OSError as error:
            reason = self._target.masked(error.strerror or type(error).__name__)
            raise OutputError(f"{self._target} {what}: {reason}") from error

    def _dial(self) -> socket.socket:
        """Connect to the first address that answers, of those that were checked."""
        host, port = self._target.host, self._target.port
        addresses = resolve(host, port, allow_private=self._target.allow_private)
        for tried, address in enumerate(addresses[:-1]):
            share = self._left() / (len(addresses) - tried)  # of the time, for each address
            with contextlib.suppress(OSError):
                return self._secured(socket.create_connection((address, port), share))
        return self._secured(socket.create_connection((addresses[-1], port), self._left()))

    def _secured(self, plain: socket.socket) -> socket.socket:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if not self._target.secure:
            return plain
        context = ssl.create_default_context(cafile=self._target.ca_file)
        if not self._target.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        try:
            plain.settimeout(self._left())
            return context.wrap_socket(plain, server_hostname=self._target.host)
        except OSError:
            plain.close()
            raise

    def _shake_hands(self) -> None:
        own = bytes(8) + os.urandom(_HANDSHAKE - 8)
        self._socket.sendall(_VERSION + own)
        if self._exactly(1) != _VERSION:
            raise OutputError(f"{self._target} does not speak RTMP")
        self._socket.sendall(self._exactly(_HANDSHAKE))
        self._exactly(_HANDSHAKE)

    def _publish(self) -> None:
        target = self._target
        self._send(Message(SET_CHUNK_SIZE, struct.pack(">I", CHUNK_SIZE)), _CONTROL)
        about: dict[str, Amf] = {
            "app": target.app,
            "type": "nonprivate",
            "flashVer": FLASH_VERSION,
            "tcUrl": target.connect_url,
        }
        self._command("connect", _CONNECT, about)
        self._answer(_CONNECT)
        self._command("releaseStream", _RELEASE, None, target.key)
        self._command("FCPublish", _FC_PUBLISH, None, target.key)
        self._command("createStream", _CREATE, None)
        created = self._answer(_CREATE)
        number = created[3] if len(created) > 3 else None
        if not isinstance(number, float) or not 0 <= number < 1 << 32:
            raise OutputError(f"{target} gives a stream no number")
        self._stream = int(number)
        self._command("publish", _PUBLISH, None, target.key, "live")
        while not self._status(self._receive(), awaited="NetStream.Publish.Start"):
            pass

    def _answer(self, transaction: int) -> list[Amf]:
        """Return the ingest's result of a command; what else comes before it is seen to."""
        while True:
            values = self._receive()
            if len(values) > 1 and values[1] == transaction:
                if values[0] == "_result":
                    return values
                if values[0] == "_error":
                    raise OutputError(f"{self._target} refuses: {_described(values)}")

    def _status(self, values: list[Amf], awaited: str = "") -> bool:
        """Return whether the ingest tells `awaited`.

        Raises:
            OutputError: it tells of an error, or that publishing is over.
        """
        if not values or values[0] != "onStatus":
            return False
        told = values[3] if len(values) > 3 else None
        fields = told if isinstance(told, dict) else {}
        code = fields.get("code")
        if fields.get("level") == "error" or code == "NetStream.Unpublish.Success":
            raise OutputError(f"{self._target} refuses: {_described(values)}")
        return code == awaited

    def _listen(self) -> None:
        """Take what the ingest has sent by now, without waiting for it."""
        self._socket.setblocking(False)
        try:
            self._take(self._socket.recv(_RECEIVE))
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        while self._incoming:
            self._status(self._receive())

    def _receive(self) -> list[Amf]:
        """Read one message and see to it; return the values of a command, else nothing."""
        message = self._reader.message()
        if message.kind == WINDOW_SIZE:
            self._window = int.from_bytes(message.payload[:4], "big")
        if message.kind == USER_CONTROL and message.payload[:2] == struct.pack(">H", _PING):
            pong = struct.pack(">H", _PONG) + message.payload[2:6]
            self._send(Message(USER_CONTROL, pong), _CONTROL)
        if self._window and self._received - self._acknowledged >= self._window:
            self._acknowledged = self._received
            count = struct.pack(">I", self._received % (1 << 32))
            self._send(Message(ACKNOWLEDGEMENT, count), _CONTROL)
        return decode(message.payload) if message.kind == COMMAND else []

    def _command(self, name: str, transaction: int, *values: Amf) -> None:
        stream = self._stream if name == "publish" else 0
        payload = encode(name, transaction, *values)
        self._send(Message(COMMAND, payload, stream=stream), _COMMANDS)

    def _send(self, message: Message, chunk_stream: int) -> None:
        self._socket.settimeout(self._left())
        self._socket.sendall(cut(message, chunk_stream, CHUNK_SIZE))

    def _exactly(self, count: int) -> bytes:
        while len(self._incoming) < count:
            self._socket.settimeout(self._left())
            self._take(self._socket.recv(_RECEIVE))
        data = bytes(self._incoming[:count])
        del self._incoming[:count]
        return data

    def _take(self, data: bytes) -> None:
        if not data:
            raise OutputError(f"{self._target} has closed the connection")
        self._received += len(data)
        self._incoming += data

    def _left(self) -> float:
        if self._deadline is None:
            return self._timeout
        if (left := self._deadline - monotonic()) <= 0:
            raise TimeoutError
        return left


def _described(values: list[Amf]) -> str:
    for value in values:
        if isinstance(value, dict):
            told = str(value.get("description") or value.get("code"))[:200]
            # It goes into the log, where it is to begin no line of its own.
            return "".join(letter if letter.isprintable() else " " for letter in told)
    return "it does not say why"
