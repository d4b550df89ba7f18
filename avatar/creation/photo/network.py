"""Runs small TensorFlow Lite networks with torch: the operators that face networks are made of."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812  its usual name

from avatar.creation.photo.flatbuffer import Graph, Operator, Table, read_graph
from avatar.errors import AvatarError

Floats = NDArray[np.float32]

# Codes of the fused activations and of the padding in the schema.
_ACTIVATIONS: Final[dict[int, Callable[[Tensor], Tensor]]] = {
    0: lambda x: x,
    1: F.relu,
    3: F.relu6,
}
_SAME: Final = 0


class Network:
    """A network read from a file; tensors are laid out [batch, height, width, channels].

    Raises:
        AvatarError: the file cannot be read, or uses an operator this runs not.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._graph: Graph = read_graph(path.read_bytes())
        except OSError as error:
            raise AvatarError(f"the network {path.name} cannot be read: {error}") from error
        for step in self._graph.operators:
            if step.code not in _OPERATORS and step.name not in _NAMED:
                raise AvatarError(f"{path.name}: no operator {step.name or step.code}")
        self._constants = {
            number: torch.from_numpy(np.array(values, copy=True))
            for number, values in self._graph.constants.items()
        }

    def __call__(self, picture: Floats) -> dict[str, Floats]:
        """Run it on one input; return its outputs by their names."""
        values: dict[int, Tensor] = dict(self._constants)
        values[self._graph.inputs[0]] = torch.from_numpy(np.ascontiguousarray(picture))
        with torch.inference_mode():
            for step in self._graph.operators:
                run = _NAMED[step.name] if step.name else _OPERATORS[step.code]
                values[step.outputs[0]] = run(step, [values[i] for i in step.inputs if i >= 0])
        names = self._graph.names
        return {names[i]: values[i].numpy() for i in self._graph.outputs}


def _options(step: Operator) -> Table:
    if step.options is None:
        raise AvatarError(f"operator {step.code} lacks its options")
    return step.options


def _padded(
    x: Tensor, kernel: tuple[int, int], stride: tuple[int, int], fill: float = 0.0
) -> Tensor:
    """Pad [n, c, h, w] so that the result has ceil(size / stride) rows and columns."""
    amounts = []
    for size, width, step in zip(x.shape[:1:-1], kernel[::-1], stride[::-1], strict=True):
        total = max((-(-size // step) - 1) * step + width - size, 0)
        amounts += [total // 2, total - total // 2]
    return F.pad(x, amounts, value=fill)


def _first(x: Tensor) -> Tensor:
    return x.permute(0, 3, 1, 2)


def _last(x: Tensor) -> Tensor:
    return x.permute(0, 2, 3, 1)


def _convolution(step: Operator, inputs: list[Tensor]) -> Tensor:
    x, kernel, options = _first(inputs[0]), inputs[1], _options(step)
    deep = step.code == 4
    weight = kernel.permute(3, 0, 1, 2) if deep else kernel.permute(0, 3, 1, 2)
    stride = (options.number(2), options.number(1))
    if options.number(0, "b") == _SAME:
        x = _padded(x, (kernel.shape[1], kernel.shape[2]), stride)
    bias = inputs[2] if len(inputs) > 2 else None
    out = F.conv2d(x, weight, bias, stride, groups=x.shape[1] if deep else 1)
    return _last(_ACTIVATIONS[options.number(4 if deep else 3, "b")](out))


def _pool(step: Operator, inputs: list[Tensor]) -> Tensor:
    x, options = _first(inputs[0]), _options(step)
    stride = (options.number(2), options.number(1))
    kernel = (options.number(4), options.number(3))
    if step.code == 1:
        return _last(F.avg_pool2d(x, kernel, stride))
    if options.number(0, "b") == _SAME:
        x = _padded(x, kernel, stride, -torch.inf)
    return _last(F.max_pool2d(x, kernel, stride))


def _add(step: Operator, inputs: list[Tensor]) -> Tensor:
    return _ACTIVATIONS[_options(step).number(0, "b")](inputs[0] + inputs[1])


def _multiply(step: Operator, inputs: list[Tensor]) -> Tensor:
    return _ACTIVATIONS[_options(step).number(0, "b")](inputs[0] * inputs[1])


def _pad(_step: Operator, inputs: list[Tensor]) -> Tensor:
    return F.pad(inputs[0], inputs[1].flip(0).flatten().tolist())


def _prelu(_step: Operator, inputs: list[Tensor]) -> Tensor:
    return torch.where(inputs[0] >= 0, inputs[0], inputs[0] * inputs[1])


def _reshape(step: Operator, inputs: list[Tensor]) -> Tensor:
    shape = inputs[1].tolist() if len(inputs) > 1 else list(_options(step).numbers(0))
    return inputs[0].reshape(shape)


def _resize(step: Operator, inputs: list[Tensor]) -> Tensor:
    aligned = bool(_options(step).number(2, "b"))
    size = inputs[1].tolist()
    return _last(F.interpolate(_first(inputs[0]), size, mode="bilinear", align_corners=aligned))


def _upward(step: Operator, inputs: list[Tensor]) -> Tensor:
    """Transposed convolution with a bias; its own options are (padding, stride x, stride y)."""
    _, across, down = struct.unpack_from("<3i", step.custom)
    weight = inputs[1].permute(3, 0, 1, 2)
    return _last(F.conv_transpose2d(_first(inputs[0]), weight, inputs[2], (down, across)))


_OPERATORS: Final[dict[int, Callable[[Operator, list[Tensor]], Tensor]]] = {
    0: _add,
    1: _pool,
    2: lambda step, inputs: torch.cat(inputs, _options(step).number(0)),
    3: _convolution,
    4: _convolution,
    6: lambda _step, inputs: inputs[0].float(),
    14: lambda _step, inputs: torch.sigmoid(inputs[0]),
    17: _pool,
    18: _multiply,
    19: lambda _step, inputs: F.relu(inputs[0]),
    22: _reshape,
    23: _resize,
    34: _pad,
    54: _prelu,
    117: lambda _step, inputs: F.hardswish(inputs[0]),
}
_NAMED: Final = {"Convolution2DTransposeBias": _upward}
