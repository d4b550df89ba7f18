"""Adding to an ONNX model without a library for it."""

from collections.abc import Callable

import numpy as np
import onnxruntime
import pytest

from avatar.errors import AvatarValueError
from avatar.voice.graph import FLOAT, with_ceiling, with_given, with_output


def field(number: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def number(key: int, value: int) -> bytes:
    return bytes([key << 3, value])


def value(name: bytes) -> bytes:
    shape = field(2, field(1, number(1, 3)))
    return field(1, name) + field(2, field(1, number(1, FLOAT) + shape))


def node(operator: bytes, source: bytes, target: bytes) -> bytes:
    return field(1, field(1, source) + field(2, target) + field(4, operator))


def model() -> bytes:
    """Input -Neg-> middle -Exp-> output, three floats."""
    graph = node(b"Neg", b"input", b"middle") + node(b"Exp", b"middle", b"output")
    graph += field(2, b"g") + field(11, value(b"input")) + field(12, value(b"output"))
    return number(1, 8) + field(7, graph) + field(8, field(1, b"") + number(2, 17))


def run(content: bytes, **inputs: list[float]) -> list[list[float]]:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    feeds = {name: np.array(values, np.float32) for name, values in inputs.items()}
    return [output.tolist() for output in session.run(None, feeds)]


def test_an_inner_tensor_becomes_an_output() -> None:
    output, middle = run(with_output(model(), "middle", FLOAT), input=[1, 0, -1])
    assert middle == [-1, 0, 1]
    assert output == pytest.approx([0.3679, 1, 2.7183], abs=1e-4)


def test_a_tensor_is_given_from_outside_as_long_as_another() -> None:
    (output,) = run(
        with_given(model(), "middle", "input", "table"), input=[5, 5, 5], table=[0, 1, 2, 3]
    )
    assert output == pytest.approx([1, 2.7183, 7.3891], abs=1e-4)


def test_a_tensor_is_held_under_a_ceiling() -> None:
    content = with_output(with_ceiling(model(), "middle", "most"), "middle", FLOAT)
    output, middle = run(content, input=[1, 0, -1], most=[9, 0, 0])
    assert middle == [-1, 0, 0]
    assert output == pytest.approx([0.3679, 1, 1], abs=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        lambda content, name: with_output(content, name, FLOAT),
        lambda content, name: with_ceiling(content, name, "most"),
    ],
)
def test_a_tensor_that_is_not_there_is_named(change: Callable[[bytes, str], bytes]) -> None:
    with pytest.raises(AvatarValueError, match="'missing'"):
        change(model(), "missing")


def test_half_a_model_is_refused() -> None:
    whole = model()
    for size in range(3, len(whole) - 30):
        with pytest.raises(AvatarValueError, match="model"):
            with_output(whole[:size], "middle", FLOAT)
