"""The weights of StreamingTalk and what is needed to use them, as one safetensors file."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from torch import Tensor

from motion.actions import ACTION_INDEX
from motion.errors import MotionValueError
from motion.streaming.net import GestureNet, NetSize
from motion.streaming.schedule import Schedule
from motion.weights import read_weights, write_weights

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A trained network.

    Attributes:
        mean, spread: float32 [D], by which bodies are scaled: (body - mean) / spread.
        trained: what is to be known of the training (steps, seed, hours, losses).
    """

    net: GestureNet
    schedule: Schedule
    mean: Tensor
    spread: Tensor
    trained: dict[str, object]


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Write it, the weights in half precision."""
    weights = {f"net.{name}": w.half() for name, w in checkpoint.net.state_dict().items()}
    about = {
        "version": _VERSION,
        "size": asdict(checkpoint.net.size),
        "schedule": asdict(checkpoint.schedule),
        "actions": list(ACTION_INDEX),
        "trained": checkpoint.trained,
    }
    scales = {"mean": checkpoint.mean, "spread": checkpoint.spread}
    write_weights(weights | scales, about, path)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read what `save_checkpoint` wrote.

    Raises:
        MotionValueError: it is no such file, of another version, or of another action library.
    """
    about, tensors = read_weights(path, _VERSION, "a gesture checkpoint")
    if about["actions"] != list(ACTION_INDEX):
        raise MotionValueError(
            f"{path.name}: was trained on {len(about['actions'])} other actions; accepted: "
            f"those of the library, {len(ACTION_INDEX)}"
        )
    net = GestureNet(NetSize(**about["size"]))
    net.load_state_dict(
        {n.removeprefix("net."): t.float() for n, t in tensors.items() if n.startswith("net.")}
    )
    net.eval().requires_grad_(False)
    return Checkpoint(
        net, Schedule(**about["schedule"]), tensors["mean"], tensors["spread"], about["trained"]
    )
