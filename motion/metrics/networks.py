"""What the networks that measure have in common: windows, scaling, training, files."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final, Self

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from motion.errors import MotionError, MotionValueError
from motion.metrics.checks import count, finite

AT_ONCE: Final = 512  # windows a network is given in one go
_STILL: Final = 1e-3  # deviation below which a feature is taken for constant
_WARM: Final = 0.1  # share of the training over which the rate rises


def windows_of(motion: ArrayLike, length: int, stride: int) -> NDArray[np.float32]:
    """Return the windows [N, length, D] of a motion [T, D], one every `stride` frames.

    Raises:
        MotionValueError: a motion shorter than a window, or not finite, or a number below 1.
    """
    frames = finite(motion, "motion", "T, D", count(length, "length")).astype(np.float32)
    views = np.lib.stride_tricks.sliding_window_view(frames, length, axis=0)
    return np.ascontiguousarray(views[:: count(stride, "stride")].transpose(0, 2, 1))


class Scale(nn.Module):
    """Brings features to mean 0 and deviation 1, as they were in what it was fitted to.

    A feature that was constant there is left unscaled: what it does elsewhere then counts in its
    own units, rather than as a million deviations.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("deviation", torch.ones(size))

    def fit(self, rows: Tensor, *, together: bool = False) -> None:
        """Take mean and deviation from rows [..., D]; one deviation for all if `together`."""
        flat = rows.reshape(-1, rows.shape[-1]).double()
        deviation = flat.std(0, correction=0)
        if together:
            deviation = deviation.square().mean().sqrt().expand_as(deviation)
        self.mean.copy_(flat.mean(0))
        self.deviation.copy_(torch.where(deviation < _STILL, 1.0, deviation))

    def forward(self, rows: Tensor) -> Tensor:
        return (rows - self.mean) / self.deviation


def window_tensor(windows: ArrayLike, length: int | None = None, size: int | None = None) -> Tensor:
    """Return windows [N, T, D] as float32, checked for what a network was made for.

    Raises:
        MotionValueError: another length or size, or a value is not finite.
    """
    axes = f"N, {length or 'T'}, {size or 'D'}"
    return torch.from_numpy(finite(windows, "windows", axes).astype(np.float32))


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Make what torch draws within the block depend on the seed alone, and nothing after it."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def train(
    model: nn.Module,
    loss: Callable[[Tensor], Tensor],
    number: int,
    *,
    steps: int,
    batch: int,
    rate: float,
) -> None:
    """Train a model with AdamW, a rate that warms up and falls off as a cosine, within `seeded`.

    Args:
        loss: of the examples whose indices [batch] it is given.
        number: examples; they are taken in random order, again and again.
        steps, batch, rate: how many steps, of how many examples, at which highest rate.

    Raises:
        MotionError: the loss is no longer finite.
    """
    model.train()
    adam = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)
    order = torch.empty(0, dtype=torch.long)
    for step in range(count(steps, "steps")):
        if len(order) < min(batch, number):
            order = torch.cat([order, torch.randperm(number)])
        chosen, order = order[:batch], order[batch:]
        for group in adam.param_groups:
            group["lr"] = rate * _share(step / steps)
        value = loss(chosen)
        if not math.isfinite(value.item()):
            raise MotionError(f"training: loss {value.item()} at step {step} of {steps}")
        adam.zero_grad()
        torch.autograd.backward(value)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
    model.eval()


def in_pieces(function: Callable[[Tensor], Tensor], rows: Tensor) -> NDArray[np.float32]:
    """Return a network's answer to many rows, a few at a time and without gradients."""
    with torch.inference_mode():
        starts = range(0, len(rows), AT_ONCE)
        parts = [function(rows[start : start + AT_ONCE]).cpu() for start in starts]
    return np.asarray(torch.cat(parts).numpy(), np.float32)


class Kept(nn.Module):
    """A network that is kept as a file.

    Attributes:
        KIND: what the file says it holds.
        sizes: the arguments it is made again from.
    """

    KIND: ClassVar[str]
    sizes: dict[str, int]

    def save(self, path: Path) -> None:
        """Write it as a safetensors file."""
        tensors = {name: t.detach().cpu().contiguous() for name, t in self.state_dict().items()}
        sizes = {name: str(size) for name, size in self.sizes.items()}
        save_file(tensors, path, {"kind": self.KIND} | sizes)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote.

        Raises:
            MotionValueError: there is no such file, or it holds something else.
        """
        sizes, tensors = _read(path, cls.KIND)
        model = cls(**sizes)
        model.load_state_dict(tensors)
        return model


def _read(path: Path, kind: str) -> tuple[dict[str, int], dict[str, Tensor]]:
    try:
        with safe_open(path, "pt") as file:
            content = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise MotionValueError(f"{path}: {error}; accepted: a safetensors file") from error
    if content.pop("kind", None) != kind:
        raise MotionValueError(f"{path}: accepted: a file that holds a network of kind {kind!r}")
    return {name: int(size) for name, size in content.items()}, tensors


def _share(done: float) -> float:
    """Return the share of the highest rate when a share of the training is done."""
    if done < _WARM:
        return 0.1 + 0.9 * done / _WARM
    return 0.01 + 0.99 * (1.0 + math.cos(math.pi * (done - _WARM) / (1.0 - _WARM))) / 2.0
