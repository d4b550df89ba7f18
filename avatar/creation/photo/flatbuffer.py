"""Reads TensorFlow Lite model files: flatbuffers, https://flatbuffers.dev/internals."""

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError

_TYPES: Final[dict[int, Any]] = {0: np.float32, 1: np.float16, 2: np.int32, 3: np.uint8}


@dataclass(frozen=True, slots=True)
class Operator:
    """One step of a network.

    Attributes:
        code: builtin operator code of the schema; 32 for one that is only named.
        name: of such an operator, "" for the others.
        inputs, outputs: numbers of tensors; -1 is an input left out.
        options: its table, None where it has none. custom: bytes of its own options.
    """

    code: int
    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: "Table | None"
    custom: bytes


@dataclass(frozen=True, slots=True)
class Graph:
    """A network.

    Attributes:
        constants: arrays by tensor number; the other tensors are computed.
        inputs, outputs: tensor numbers. names: of all tensors.
    """

    constants: dict[int, NDArray[Any]]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a flatbuffer: fields by number, each with its default."""

    data: bytes
    place: int

    def _field(self, number: int) -> int:
        """Return where field `number` is kept, 0 where it has its default."""
        listing = self.place - _read(self.data, self.place, "i")
        if 4 + 2 * number >= int(_read(self.data, listing, "H")):
            return 0
        offset = int(_read(self.data, listing + 4 + 2 * number, "H"))
        return self.place + offset if offset else 0

    def number(self, field: int, kind: str = "i", default: int = 0) -> int:
        """Return an integer; `kind` is its code in `struct`."""
        place = self._field(field)
        return _read(self.data, place, kind) if place else default

    def table(self, field: int) -> "Table | None":
        """Return a table within, None where there is none."""
        place = self._field(field)
        return Table(self.data, place + _read(self.data, place, "I")) if place else None

    def tables(self, field: int) -> "list[Table]":
        """Return a list of tables."""
        start, count = self._vector(field)
        places = [start + 4 * i for i in range(count)]
        return [Table(self.data, place + _read(self.data, place, "I")) for place in places]

    def numbers(self, field: int) -> tuple[int, ...]:
        """Return a list of 32 bit integers."""
        start, count = self._vector(field)
        return struct.unpack_from(f"<{count}i", self.data, start)

    def bytes(self, field: int) -> bytes:
        """Return a string or a list of bytes."""
        start, count = self._vector(field)
        return self.data[start : start + count]

    def _vector(self, field: int) -> tuple[int, int]:
        place = self._field(field)
        if not place:
            return 0, 0
        start = place + _read(self.data, place, "I")
        return start + 4, _read(self.data, start, "I")


def _read(data: bytes, place: int, kind: str) -> int:
    return int(struct.unpack_from(f"<{kind}", data, place)[0])


def read_graph(data: bytes) -> Graph:
    """Read the first graph of a model file.

    Raises:
        AvatarError: the bytes are no such file.
    """
    if data[4:8] != b"TFL3":
        raise AvatarError("not a TensorFlow Lite model file")
    try:
        return _graph(Table(data, _read(data, 0, "I")))
    except (struct.error, KeyError, IndexError, ValueError) as error:
        raise AvatarError(f"the TensorFlow Lite model file is broken: {error}") from error


def _graph(model: Table) -> Graph:
    codes = model.tables(1)
    buffers = [buffer.bytes(0) for buffer in model.tables(4)]
    graph = model.tables(2)[0]
    tensors = graph.tables(0)
    constants = {
        i: np.frombuffer(content, _TYPES[tensor.number(1, "b")]).reshape(tensor.numbers(0))
        for i, tensor in enumerate(tensors)
        if (content := buffers[tensor.number(2, "I")])
    }
    operators = []
    for step in graph.tables(3):
        code = codes[step.number(0, "I")]
        operators.append(
            Operator(
                max(code.number(0, "b"), code.number(3)),
                code.bytes(1).decode(),
                step.numbers(1),
                step.numbers(2),
                step.table(4),
                step.bytes(5),
            )
        )
    names = tuple(tensor.bytes(3).decode() for tensor in tensors)
    return Graph(constants, tuple(operators), graph.numbers(1), graph.numbers(2), names)
