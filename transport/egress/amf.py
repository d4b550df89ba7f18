"""Action Message Format 0 (Adobe, 2007), as far as RTMP commands need it."""

import struct
from collections.abc import Sequence
from typing import Final

from transport.egress.errors import OutputError

Amf = float | bool | str | None | dict[str, "Amf"] | list["Amf"]

_NUMBER, _BOOLEAN, _STRING, _OBJECT, _NULL, _UNDEFINED = 0, 1, 2, 3, 5, 6
_ECMA_ARRAY, _OBJECT_END, _STRICT_ARRAY, _DATE, _LONG_STRING = 8, 9, 10, 11, 12
_MOST_NESTED: Final = 8


def encode(*values: Amf) -> bytes:
    """Return the values one after the other. Strings are at most 65535 bytes; no lists."""
    return b"".join(map(_encoded, values))


def decode(data: bytes) -> list[Amf]:
    """Return the values that `data` holds.

    Raises:
        OutputError: it is not AMF 0, or is nested more than eight deep.
    """
    reader = _Reader(data)
    values = []
    try:
        while reader.at < len(data):
            values.append(reader.value(_MOST_NESTED))
    except (IndexError, struct.error) as error:
        raise OutputError("the ingest sent a command that cannot be read") from error
    return values


def _encoded(value: Amf) -> bytes:
    if value is None:
        return bytes([_NULL])
    if isinstance(value, bool):
        return bytes([_BOOLEAN, value])
    if isinstance(value, float | int):
        return struct.pack(">Bd", _NUMBER, value)
    if isinstance(value, str):
        return bytes([_STRING]) + _key(value)
    assert isinstance(value, dict)
    fields = b"".join(_key(name) + _encoded(field) for name, field in value.items())
    return bytes([_OBJECT]) + fields + bytes([0, 0, _OBJECT_END])


def _key(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


class _Reader:
    """Reads one value after the other; raises struct.error or IndexError past the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def value(self, depth: int) -> Amf:
        if depth == 0:
            raise OutputError("the ingest sent a command that is nested too deep")
        kind = self._number(">B")
        if kind == _NUMBER:
            return float(self._number(">d"))
        if kind == _BOOLEAN:
            return bool(self._number(">B"))
        if kind in (_STRING, _LONG_STRING):
            return self._text(">H" if kind == _STRING else ">I")
        if kind in (_NULL, _UNDEFINED):
            return None
        if kind in (_OBJECT, _ECMA_ARRAY):
            return self._object(depth, counted=kind == _ECMA_ARRAY)
        if kind == _STRICT_ARRAY:
            return [self.value(depth - 1) for _ in self._counted()]
        if kind == _DATE:
            milliseconds = float(self._number(">d"))
            self._number(">h")  # a time zone, which the specification leaves unused
            return milliseconds
        raise OutputError(f"the ingest sent a value of type {kind}, which is not known")

    def _object(self, depth: int, *, counted: bool) -> dict[str, Amf]:
        if counted:
            self._number(">I")  # only a hint
        fields: dict[str, Amf] = {}
        while True:
            name = self._text(">H")
            if not name and self._data[self.at] == _OBJECT_END:
                self.at += 1
                return fields
            fields[name] = self.value(depth - 1)

    def _counted(self) -> Sequence[int]:
        count = int(self._number(">I"))
        return range(min(count, len(self._data)))

    def _text(self, length: str) -> str:
        size = int(self._number(length))
        if self.at + size > len(self._data):
            raise IndexError(size)
        text = self._data[self.at : self.at + size].decode("utf-8", "replace")
        self.at += size
        return text

    def _number(self, layout: str) -> float:
        (value,) = struct.unpack_from(layout, self._data, self.at)
        self.at += struct.calcsize(layout)
        return float(value) if layout == ">d" else int(value)
