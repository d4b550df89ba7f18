"""The weights of StreamingTalk and what is needed to use them, as one safetensors file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from motion.actions import ACTION_INDEX
from motion.errors import MotionValueError
from motion.streaming.net import GestureNet, NetSize
from motion.streaming.schedule import Schedule

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


def save_checkpoint(checkpoint: Checkpoint, path: Path, *, half: bool = True) -> None:
    """Write it, the weights in half precision unless told."""
    weights = {f"net.{name}": w.detach().cpu() for name, w in checkpoint.net.state_dict().items()}
    if half:
        weights = {name: w.half() for name, w in weights.items()}
    tensors = weights | {"mean": checkpoint.mean.cpu(), "spread": checkpoint.spread.cpu()}
    about = {
        "version": _VERSION,
        "size": asdict(checkpoint.net.size),
        "schedule": asdict(checkpoint.schedule),
        "actions": list(ACTION_INDEX),
        "trained": checkpoint.trained,
    }
    partial = path.with_suffix(".part")
    save_file(
        {name: t.contiguous() for name, t in tensors.items()}, partial, {"about": json.dumps(about)}
    )
    partial.replace(path)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read what `save_checkpoint` wrote.

    Raises:
        MotionValueError: it is no such file, of another version, or of another action library.
    """
    try:
        with safe_open(path, "pt") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError) as error:
        raise MotionValueError(f"{path.name}: {error}; accepted: a gesture checkpoint") from error
    if about.get("version") != _VERSION:
        raise MotionValueError(f"{path.name}: version {about.get('version')}; accepted: {_VERSION}")
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
