"""What the network is told: sound, actions, postures and the manner of moving, pose by pose."""

from dataclasses import dataclass, fields, replace
from typing import Final, Self, get_args

import numpy as np
import torch
from torch import Tensor

from motion.actions import ACTION_INDEX, VECTOR
from motion.audio import AUDIO_DIM
from motion.speech import Posture
from motion.style import RANGES, StyleSpec

POSTURE_INDEX: Final[dict[str, int]] = {name: i for i, name in enumerate(get_args(Posture))}
ACTION_COUNT: Final = len(ACTION_INDEX)  # with none, which is 0
PARAMETER_DIM: Final = len(VECTOR)
STYLE_DIM: Final = len(RANGES)
# Seconds before and after its stroke that an action's time is told.
LONGEST_LEAD, LONGEST_TAIL = 1.6, 4.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """Of a window of N poses, for B bodies.

    Attributes:
        audio: float32 [B, N, AUDIO_DIM], the log mel frames of each pose.
        known: int64 [B], of how many poses the sound is known; what lies behind is not looked at.
        action: int64 [B, N], 0 none, -1 untold.
        since: float32 [B, N], seconds since the action's stroke began (negative: before it).
        parameters: float32 [B, N, PARAMETER_DIM] of the action.
        posture: int64 [B, N], see `POSTURE_INDEX`.
        style: float32 [B, STYLE_DIM], see `style_vector`.
        heard: float32 [B], 1, or 0 where the sound is untold (guidance, Ho and Salimans, 2022).
    """

    audio: Tensor
    known: Tensor
    action: Tensor
    since: Tensor
    parameters: Tensor
    posture: Tensor
    style: Tensor
    heard: Tensor

    @classmethod
    def empty(cls, batch: int, poses: int, device: torch.device | str = "cpu") -> Self:
        """Return conditions of idle silence."""
        return cls(
            torch.zeros(batch, poses, AUDIO_DIM, device=device),
            torch.full((batch,), poses, dtype=torch.int64, device=device),
            torch.zeros(batch, poses, dtype=torch.int64, device=device),
            torch.zeros(batch, poses, device=device),
            torch.zeros(batch, poses, PARAMETER_DIM, device=device),
            torch.zeros(batch, poses, dtype=torch.int64, device=device),
            torch.zeros(batch, STYLE_DIM, device=device),
            torch.ones(batch, device=device),
        )

    def without_sound(self) -> Self:
        """Return the same with the sound untold."""
        return replace(self, heard=torch.zeros_like(self.heard))

    def without_action(self) -> Self:
        """Return the same with the actions untold."""
        return replace(self, action=torch.full_like(self.action, -1))

    def dropped(self, sound: Tensor, actions: Tensor) -> Self:
        """Return the same with sound and actions untold where the bool [B] say so."""
        action = torch.where(actions[:, None], torch.full_like(self.action, -1), self.action)
        return replace(self, heard=self.heard * (~sound).float(), action=action)

    def to(self, device: torch.device | str) -> Self:
        """Return the same on a device."""
        return type(self)(*(getattr(self, f.name).to(device) for f in fields(self)))


def stacked(several: list[Conditions]) -> Conditions:
    """Return the conditions of several batches as one."""
    return Conditions(
        *(torch.cat([getattr(each, f.name) for each in several]) for f in fields(Conditions))
    )


def style_vector(style: StyleSpec) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return a manner as numbers in [-1, 1], one a range, float32 [STYLE_DIM]."""
    values = [
        2.0 * (getattr(style, name) - low) / (high - low) - 1.0
        for name, (low, high) in RANGES.items()
    ]
    return np.array(values, np.float32)
