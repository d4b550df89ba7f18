"""StreamingTalk at work: one chunk of poses after another, for any number of bodies at once."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from motion.errors import MotionValueError
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import Conditions, stacked
from motion.streaming.smoothing import BEFORE, DELAY, smoothing, trust_in

Array = NDArray[np.float32]

_STRONGEST: Final = 5.0


@dataclass(frozen=True, slots=True)
class Guidance:
    """How strongly sound and actions are followed; 1 is as learnt and costs nothing more.

    Any other number (0 to 5) adds one row to each evaluation: classifier-free guidance (Ho and
    Salimans, 2022), one scale each for sound and actions.

    Raises:
        MotionValueError: a scale is out of range.
    """

    sound: float = 1.0
    action: float = 1.0

    def __post_init__(self) -> None:
        for name in ("sound", "action"):
            if not 0.0 <= (value := getattr(self, name)) <= _STRONGEST:
                raise MotionValueError(f"Guidance.{name}: {value}; accepted: 0 to {_STRONGEST:g}")


class BodyState:
    """Where one body is: finished poses, poses in the making, and its own noise. Fixed in size."""

    __slots__ = ("active", "anchor", "made", "random")

    def __init__(self, anchor: Tensor, active: Tensor, random: torch.Generator) -> None:
        self.anchor, self.active, self.random = anchor, active, random
        self.made: Array | None = None


class GestureStream:
    """Commits a chunk of poses at a time, at `Schedule.steps` evaluations each.

    The last `smoothing.DELAY` poses that the network has finished wait for the next chunk: a commit
    returns them before its own. The first one returns as many of the poses the body stood in.

    Args:
        checkpoint: the network, its schedule and scales.
        guidance: see `Guidance`.
        device: where the network runs; conditions and states are kept there.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        guidance: Guidance | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        self.schedule = checkpoint.schedule
        self.guidance = guidance or Guidance()
        self.evaluations = 0
        self._device = torch.device(device)
        self._net = checkpoint.net.to(self._device)
        self._mean = checkpoint.mean.to(self._device)
        self._spread = checkpoint.spread.to(self._device)
        shares = np.arange(self.schedule.steps) / self.schedule.steps
        # Of every micro-step, the times of the poses: [steps, active].
        self._times = torch.as_tensor(
            self.schedule.times(shares), dtype=torch.float32, device=self._device
        ).repeat_interleave(self.schedule.chunk, dim=1)
        if self.schedule.chunk <= DELAY or self.schedule.anchored < BEFORE + DELAY:
            raise MotionValueError(
                f"{self.schedule}; accepted: chunks of more than {DELAY} poses, and "
                f"{BEFORE + DELAY} or more looked back on"
            )
        chunk, ends = self.schedule.chunk, self.schedule.times(1.0)
        # How far the poses of every slot are from data when the chunk is done: [active, 1].
        left = (1.0 - ends).repeat(chunk)[:, None]
        self._left = torch.as_tensor(left, dtype=torch.float32, device=self._device)
        self._smoothing = torch.as_tensor(
            smoothing(trust_in(ends, chunk), chunk),
            dtype=torch.float32,
            device=self._device,
        )

    def open(self, body: ArrayLike, seed: int) -> BodyState:
        """Return the state of a body that has stood in `body` (float [D]) for a while."""
        random = torch.Generator().manual_seed(seed)
        still = torch.as_tensor(np.asarray(body, np.float32))
        state = BodyState(torch.empty(0), torch.empty(0), random)
        self.restart(state, still[None].expand(self.schedule.anchored, -1).numpy())
        return state

    def restart(self, state: BodyState, shown: ArrayLike) -> None:
        """Go on from poses that were really shown, float [anchored, D]: what was made is dropped.

        The slots are filled as if the last pose were held, which costs no evaluation.
        """
        poses = torch.as_tensor(np.asarray(shown, np.float32)).to(self._device)
        if poses.shape[0] != self.schedule.anchored:
            raise MotionValueError(
                f"shown are {poses.shape[0]} poses; accepted: {self.schedule.anchored}"
            )
        state.anchor = (poses - self._mean) / self._spread
        times = self._times[0, :, None]
        held = state.anchor[-1:].expand(self.schedule.active, -1)
        noise = self._noise(state, self.schedule.active)
        state.active = times * held + (1.0 - times) * noise

    @torch.inference_mode()
    def commit(self, states: list[BodyState], conditions: Conditions) -> Array:
        """Finish the next chunk of every body: float32 [B, chunk, D], `smoothing.DELAY` behind.

        Args:
            states: of B bodies; each moves on by one chunk.
            conditions: of anchors and active poses, [B, window, ...].
        """
        schedule = self.schedule
        anchor = torch.stack([state.anchor for state in states])
        active = torch.stack([state.active for state in states])
        rows, weights = self._guided(conditions)
        told = self._net.tell(rows)
        copies = len(weights)
        memory = self._net.remember(anchor.repeat(copies, 1, 1), told)
        for step in range(schedule.steps):
            times = self._times[step].expand(len(states) * copies, -1)
            made = self._net.move(active.repeat(copies, 1, 1), times, told, memory)
            self.evaluations += 1
            parts = zip(weights, made.chunk(copies), strict=True)
            velocity = torch.stack([weight * part for weight, part in parts]).sum(0)
            active = active + velocity * schedule.stride
        shown = anchor[:, : schedule.anchored - DELAY]
        expected = active + self._left * velocity
        late = torch.cat([anchor[:, -BEFORE - DELAY :], expected], 1)
        done = self._smoothing @ late
        waiting = active[:, schedule.chunk - DELAY : schedule.chunk]
        anchor = torch.cat([shown, done, waiting], 1)[:, schedule.chunk :]
        for number, state in enumerate(states):
            state.anchor = anchor[number].clone()
            noise = self._noise(state, schedule.chunk)
            state.active = torch.cat([active[number, schedule.chunk :], noise])
        return (done * self._spread + self._mean).cpu().numpy()

    def ask(self, state: BodyState, conditions: Conditions) -> None:
        """Finish the next chunk of one body now, to be taken."""
        state.made = self.commit([state], conditions)[0]

    def take(self, state: BodyState) -> Array | None:
        """Return the chunk asked for, float32 [chunk, D], once."""
        made, state.made = state.made, None
        return made

    def _guided(self, conditions: Conditions) -> tuple[Conditions, list[float]]:
        """Return the rows to evaluate and how their velocities are weighed."""
        rows, weights = [conditions], [1.0]
        for scale, without in (
            (self.guidance.sound, conditions.without_sound),
            (self.guidance.action, conditions.without_action),
        ):
            if scale != 1.0:
                rows.append(without())
                weights[0] += scale - 1.0
                weights.append(1.0 - scale)
        return (stacked(rows) if len(rows) > 1 else conditions), weights

    def _noise(self, state: BodyState, poses: int) -> Tensor:
        width = self._mean.shape[0]
        return torch.randn(poses, width, generator=state.random).to(self._device)
