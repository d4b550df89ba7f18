"""StreamingTalk at work: one chunk of poses after another, for any number of bodies at once."""

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from motion.errors import MotionValueError
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import Conditions
from motion.streaming.tick import Guidance, Tick

Array = NDArray[np.float32]


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
        self.evaluations = 0
        self._device = torch.device(device)
        self._mean = checkpoint.mean.to(self._device)
        self._spread = checkpoint.spread.to(self._device)
        self._tick = Tick(checkpoint.net.to(self._device), self.schedule, guidance or Guidance())

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
        times = self._tick.times[0, :, None]
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
        chunk = self.schedule.chunk
        done, anchor, left = self._tick(
            torch.stack([state.anchor for state in states]),
            torch.stack([state.active for state in states]),
            conditions,
        )
        self.evaluations += self.schedule.steps
        for number, state in enumerate(states):
            state.anchor = anchor[number].clone()
            state.active = torch.cat([left[number], self._noise(state, chunk)])
        return (done * self._spread + self._mean).cpu().numpy()

    def ask(self, state: BodyState, conditions: Conditions) -> None:
        """Finish the next chunk of one body now, to be taken."""
        state.made = self.commit([state], conditions)[0]

    def take(self, state: BodyState) -> Array | None:
        """Return the chunk asked for, float32 [chunk, D], once."""
        made, state.made = state.made, None
        return made

    def _noise(self, state: BodyState, poses: int) -> Tensor:
        width = self._mean.shape[0]
        return torch.randn(poses, width, generator=state.random).to(self._device)
