"""An ONNX model with an inner tensor made an output, held under a ceiling, or given from outside.

onnxruntime cannot change a graph. A protocol buffer can: where a message field occurs twice,
parsers merge the two (protobuf, "Last One Wins": embedded messages are merged, repeated fields
joined). So a few bytes after the end of the file add outputs, inputs and operators.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from avatar.errors import AvatarValueError

# Field numbers of onnx.proto.
_MODEL_GRAPH: Final = 7
_GRAPH_NODE: Final = 1
_GRAPH_INPUT: Final = 11
_GRAPH_OUTPUT: Final = 12
_NODE_INPUT: Final = 1
_NODE_OUTPUT: Final = 2
_NODE_OPERATOR: Final = 4
_VALUE_NAME: Final = 1
_VALUE_TYPE: Final = 2
_TYPE_TENSOR: Final = 1
_TENSOR_ELEMENT: Final = 1

INT64: Final = 7
FLOAT: Final = 1


def with_output(model: bytes, tensor: str, element: int) -> bytes:
    """Return `model` with `tensor` as its last output.

    `element`: the tensor's type as ONNX numbers it (`FLOAT`, `INT64`).

    Raises:
        AvatarValueError: no operator of the model reads such a tensor.
    """
    if tensor.encode() not in _tensors_read(model):
        raise AvatarValueError(f"the model has no tensor {tensor!r}; it is not the one expected")
    return model + _graph(_field(_GRAPH_OUTPUT, _value(tensor, element)))


def with_ceiling(model: bytes, tensor: str, ceiling: str) -> bytes:
    """Return `model` with a further input `ceiling` (float) that `tensor` (float) never exceeds.

    The operator that makes the tensor gets another name for it, as long as the old one, and the
    lesser of that and the ceiling takes the old name.

    Raises:
        AvatarValueError: not exactly one operator of the model makes such a tensor.
    """
    renamed, free = _freed(model, tensor)
    node = _node("Min", (free, ceiling), tensor)
    return renamed + _graph(node + _field(_GRAPH_INPUT, _value(ceiling, FLOAT)))


def with_given(model: bytes, tensor: str, like: str, given: str) -> bytes:
    """Return `model` with a further input `given` (float) whose beginning is what `tensor` holds.

    As much of it is taken along each axis as the tensor `like` is long. The operator that made the
    tensor goes on to work for nothing.

    Raises:
        AvatarValueError: not exactly one operator of the model makes such a tensor.
    """
    renamed, _ = _freed(model, tensor)
    size, start = f"{given}/size", f"{given}/start"
    nodes = (
        _node("Shape", (like,), size),
        _node("Sub", (size, size), start),
        _node("Slice", (given, start, size), tensor),
    )
    return renamed + _graph(b"".join(nodes) + _field(_GRAPH_INPUT, _value(given, FLOAT)))


def _freed(model: bytes, tensor: str) -> tuple[bytes, str]:
    """Return `model` with another name for what makes `tensor`, as long as the old, and that."""
    made = _field(_NODE_OUTPUT, tensor.encode())
    if model.count(made) != 1:
        raise AvatarValueError(f"the model has no tensor {tensor!r}; it is not the one expected")
    free = tensor[:-1] + "~"
    return model.replace(made, _field(_NODE_OUTPUT, free.encode())), free


def _node(operator: str, inputs: Sequence[str], output: str) -> bytes:
    fields = [_field(_NODE_INPUT, name.encode()) for name in inputs]
    fields += [_field(_NODE_OUTPUT, output.encode()), _field(_NODE_OPERATOR, operator.encode())]
    return _field(_GRAPH_NODE, b"".join(fields))


def _value(name: str, element: int) -> bytes:
    element_type = _varint(_TENSOR_ELEMENT << 3) + _varint(element)
    tensor_type = _field(_VALUE_TYPE, _field(_TYPE_TENSOR, element_type))
    return _field(_VALUE_NAME, name.encode()) + tensor_type


def _graph(content: bytes) -> bytes:
    return _field(_MODEL_GRAPH, content)


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
            if position + size > len(message):
                raise AvatarValueError("not a whole ONNX model: it ends in the middle of a field")
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
