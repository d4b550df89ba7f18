"""An ONNX model with one of its inner tensors made an output.

onnxruntime cannot add outputs to a graph. A protocol buffer can: where a message field occurs
twice, parsers merge the two (protobuf, "Last One Wins": embedded messages are merged, repeated
fields joined). So a few bytes after the end of the file add an output, and nothing is rewritten.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from avatar.errors import AvatarValueError

# Field numbers of onnx.proto.
_MODEL_GRAPH: Final = 7
_GRAPH_NODE: Final = 1
_GRAPH_OUTPUT: Final = 12
_NODE_INPUT: Final = 1
_NODE_OPERATOR: Final = 4
_VALUE_NAME: Final = 1
_VALUE_TYPE: Final = 2
_TYPE_TENSOR: Final = 1
_TENSOR_ELEMENT: Final = 1

INT64: Final = 7
FLOAT: Final = 1


def with_output(path: Path, tensor: str, element: int) -> bytes:
    """Return the model at `path` with `tensor` as its last output.

    `element`: the tensor's type as ONNX numbers it (`FLOAT`, `INT64`).

    Raises:
        AvatarValueError: no operator of the model reads such a tensor.
    """
    model = path.read_bytes()
    if tensor.encode() not in _tensors_read(model):
        raise AvatarValueError(
            f"{path.name} has no tensor {tensor!r}; it is not the model expected"
        )
    element_type = _varint(_TENSOR_ELEMENT << 3) + _varint(element)
    value = _field(_VALUE_NAME, tensor.encode()) + _field(
        _VALUE_TYPE, _field(_TYPE_TENSOR, element_type)
    )
    return model + _field(_MODEL_GRAPH, _field(_GRAPH_OUTPUT, value))


def _tensors_read(model: bytes) -> set[bytes]:
    view = memoryview(model)
    return {
        bytes(name)
        for field, graph in _fields(view)
        if field == _MODEL_GRAPH
        for part, node in _fields(graph)
        if part == _GRAPH_NODE
        for key, name in _fields(node)
        if key == _NODE_INPUT
    }


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield (number, bytes) of the length-delimited fields of a message, skipping the others."""
    position = 0
    while position < len(message):
        key, position = _read_varint(message, position)
        kind = key & 7
        if kind == 2:
            size, position = _read_varint(message, position)
            yield key >> 3, message[position : position + size]
            position += size
        elif kind == 0:
            _, position = _read_varint(message, position)
        elif kind in (1, 5):
            position += 8 if kind == 1 else 4
        else:
            raise AvatarValueError("not an ONNX model: it is no protocol buffer")


def _read_varint(message: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(message):
            raise AvatarValueError("not a whole ONNX model: it ends in the middle of a field")
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
    raise AvatarValueError("not an ONNX model: a number in it has no end")


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content
