"""One tick of a batch: from the states of bodies to their next finished poses, tensors throughout.

On a CUDA device a tick is recorded once for each size of batch as a graph of fixed shapes and then
replayed (NVIDIA, "CUDA graphs"), so its few hundred small kernels cost one launch. Batches are
filled up to a power of two there, so only few sizes are ever recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

import torch
from torch import Tensor

from motion.errors import MotionValueError
from motion.streaming.conditions import Conditions, stacked
from motion.streaming.net import GestureNet
from motion.streaming.schedule import Schedule
from motion.streaming.smoothing import BEFORE, DELAY, smoothing, trust_in

Tensors = tuple[Tensor, ...]

_STRONGEST: Final = 5.0
_WARM: Final = 3  # runs before recording, in which libraries choose their kernels


@dataclass(frozen=True, slots=True)
class Guidance:
    """How strongly sound and actions are followed; 1 is as learnt and costs nothing more.

    Any other number (0 to 5) adds one row to each evaluation: classifier-free guidance (Ho and
    Salimans, 2022), one scale each for sound and actions. That for actions is only at work where
    one is told. As learnt, one action in eight is made so weakly that it is not recognised.

    Raises:
        MotionValueError: a scale is out of range.
    """

    sound: float = 1.0
    action: float = 1.5

    def __post_init__(self) -> None:
        for name in ("sound", "action"):
            if not 0.0 <= (value := getattr(self, name)) <= _STRONGEST:
                raise MotionValueError(f"Guidance.{name}: {value}; accepted: 0 to {_STRONGEST:g}")


class Tick:
    """Carries a batch on by one chunk, at `Schedule.steps` evaluations.

    Args:
        net: already on its device.
        schedule: chunks must be longer than `DELAY`.

    Raises:
        MotionValueError: the schedule is too short for smoothing.
    """

    def __init__(self, net: GestureNet, schedule: Schedule, guidance: Guidance) -> None:
        if schedule.chunk <= DELAY or schedule.anchored < BEFORE + DELAY:
            raise MotionValueError(
                f"{schedule}; accepted: chunks of more than {DELAY} poses, and "
                f"{BEFORE + DELAY} or more looked back on"
            )
        self._net, self._schedule, self._guidance = net, schedule, guidance
        self._device = net.body_in.weight.device
        shares = torch.arange(schedule.steps).numpy() / schedule.steps
        # Of every micro-step, the times of the poses: [steps, active].
        self.times = self._tensor(schedule.times(shares).repeat(schedule.chunk, axis=1))
        ends = schedule.times(1.0)
        # How far the poses of every slot are from data when the chunk is done: [active, 1].
        self._left = self._tensor((1.0 - ends).repeat(schedule.chunk)[:, None])
        self._smoothing = self._tensor(smoothing(trust_in(ends, schedule.chunk), schedule.chunk))
        self._recorded: dict[tuple[int, bool], Recorded] = {}

    def __call__(self, anchor: Tensor, active: Tensor, conditions: Conditions) -> Tensors:
        """Return finished poses [B, chunk, D], anchors [B, anchored, D], and what is left of the
        active poses [B, active - chunk, D].

        Args:
            anchor, active: [B, anchored, D], [B, active, D].
            conditions: of anchors and active poses, [B, window, ...].
        """
        acting = self._guidance.action != 1.0 and bool((conditions.action > 0).any())
        told = conditions.to(self._device)
        given = (anchor, active, *(getattr(told, f.name) for f in fields(Conditions)))
        if self._device.type != "cuda":
            return self._carried(*given, acting=acting)
        count = len(anchor)
        size = bucket(count)
        filled = tuple(filled_up(value, size) for value in given)
        key = size, acting
        if key not in self._recorded:
            self._recorded[key] = Recorded(partial(self._carried, acting=acting), filled)
        return tuple(value[:count] for value in self._recorded[key](*filled))

    def _carried(self, anchor: Tensor, active: Tensor, *told: Tensor, acting: bool) -> Tensors:
        schedule = self._schedule
        rows, weights = self._guided(Conditions(*told), acting)
        prepared = self._net.tell(rows)
        copies = len(weights)
        memory = self._net.remember(anchor.repeat(copies, 1, 1), prepared)
        velocity = torch.zeros_like(active)
        for step in range(schedule.steps):
            times = self.times[step].expand(len(anchor) * copies, -1)
            made = self._net.move(active.repeat(copies, 1, 1), times, prepared, memory)
            parts = zip(weights, made.chunk(copies), strict=True)
            velocity = torch.stack([weight * part for weight, part in parts]).sum(0)
            active = active + velocity * schedule.stride
        expected = active + self._left * velocity
        done = self._smoothing @ torch.cat([anchor[:, -BEFORE - DELAY :], expected], 1)
        shown = anchor[:, schedule.chunk : schedule.anchored - DELAY]
        waiting = active[:, schedule.chunk - DELAY : schedule.chunk]
        return done, torch.cat([shown, done, waiting], 1), active[:, schedule.chunk :]

    def _guided(self, conditions: Conditions, acting: bool) -> tuple[Conditions, list[Tensor]]:
        """Return the rows to evaluate and how their velocities are weighed, [B, 1, 1] each.

        `acting`: whether any body is told of an action. Those that are not go as without guidance.
        """
        told = (conditions.action > 0).any(1).float()[:, None, None]
        rows, weights = [conditions], [torch.ones_like(told)]
        if (more := self._guidance.sound - 1.0) != 0.0:
            rows.append(conditions.without_sound())
            weights = [weights[0] + more, torch.full_like(told, -more)]
        if acting:
            more = self._guidance.action - 1.0
            rows.append(conditions.without_action())
            weights = [weights[0] + more * told, *weights[1:], -more * told]
        return (stacked(rows) if len(rows) > 1 else conditions), weights

    def _tensor(self, values: object) -> Tensor:
        return torch.as_tensor(values, dtype=torch.float32, device=self._device)


class Recorded:
    """A function of tensors of fixed shapes, recorded as a CUDA graph and replayed."""

    def __init__(self, call: Callable[..., Tensors], given: Tensors) -> None:
        self._given = tuple(value.clone() for value in given)
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM):
                call(*self._given)
        torch.cuda.current_stream().wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._made = call(*self._given)

    def __call__(self, *given: Tensor) -> Tensors:
        """Return what the function makes of other tensors of the same shapes."""
        for kept, value in zip(self._given, given, strict=True):
            kept.copy_(value)
        self._graph.replay()
        # The next replay writes to the same places.
        return tuple(value.clone() for value in self._made)


def bucket(count: int) -> int:
    """Return the size of batch that `count` bodies (1 or more) are filled up to."""
    return 1 << (count - 1).bit_length()


def filled_up(value: Tensor, size: int) -> Tensor:
    """Return rows [B, ...] as [size, ...], the last one repeated."""
    missing = size - len(value)
    return torch.cat([value, value[-1:].expand(missing, *value.shape[1:])]) if missing else value
