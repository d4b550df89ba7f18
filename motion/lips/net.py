"""`LipNet`: mouth shapes heard in speech of any voice, causally, with 120 ms of look-ahead.

Convolutions over log mel frames (100 a second), which hear a third of a second at a time, and a
recurrent layer over poses (25 a second), so narrow that it knows the speaker and not the words.
It hears two things apart: the shape the mouth would have without contacts, and whether lips meet
or the lower lip touches the teeth; `motion.lips.track.touched` puts them together, so a closure
is a closure and not the mean of open mouths.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from motion.audio import FRAMES_PER_POSE, MELS
from motion.lips.visemes import PARTS

LOOK_AHEAD: Final = 3  # poses: 120 ms of sound behind a pose's own time
CONTACTS: Final = 2  # lips, teeth
OUTPUTS: Final = len(PARTS) + CONTACTS
_KERNEL: Final = 5
_DILATIONS: Final = (1, 2, 4)
_MEMORY: Final = 32
_DROPPED: Final = 0.1  # of what is heard, in training

State = tuple[tuple[Tensor, ...], Tensor]


class LipNet(nn.Module):
    """Log mel frames [B, 4 T, MELS] to [B, T, parts + contacts] in [0, 1].

    Output t belongs to the pose `LOOK_AHEAD` - 1 before frame group t: when the frames of pose t
    are in, the sound is known until (t + 1) / 25 s, 120 ms after the time of pose t - 2.
    """

    def __init__(self, dim: int = 128) -> None:
        super().__init__()
        self.dim = dim
        widths = (MELS, *(dim for _ in _DILATIONS))
        self.convolutions = nn.ModuleList(
            nn.Conv1d(a, b, _KERNEL, dilation=d)
            for a, b, d in zip(widths[:-1], widths[1:], _DILATIONS, strict=True)
        )
        self.group = nn.Linear(FRAMES_PER_POSE * dim, dim)
        self.drop = nn.Dropout(_DROPPED)
        self.memory = nn.GRU(dim, _MEMORY, batch_first=True)
        self.out = nn.Sequential(nn.Linear(dim + _MEMORY, dim), nn.GELU(), nn.Linear(dim, OUTPUTS))

    def start(self, batch: int) -> State:
        """Return the state before any sound; its size never changes."""
        device = self.group.weight.device
        pasts = tuple(
            torch.zeros(batch, c.in_channels, (_KERNEL - 1) * c.dilation[0], device=device)
            for c in self.convolutions
            if isinstance(c, nn.Conv1d)
        )
        return pasts, torch.zeros(1, batch, _MEMORY, device=device)

    def forward(self, frames: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        logits, state = self.logits(frames, state)
        return logits.sigmoid(), state

    def logits(self, frames: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """Return what `forward` does, before the sigmoid."""
        pasts, memory = state or self.start(len(frames))
        x = frames.transpose(1, 2)
        kept: list[Tensor] = []
        for convolution, past in zip(self.convolutions, pasts, strict=True):
            joined = torch.cat([past, x], -1)
            kept.append(joined[..., joined.shape[-1] - past.shape[-1] :])
            made = functional.gelu(convolution(joined))
            x = made + x if made.shape == x.shape else made
        batch, dim, count = x.shape
        grouped = x.transpose(1, 2).reshape(batch, count // FRAMES_PER_POSE, FRAMES_PER_POSE * dim)
        heard = self.drop(functional.gelu(self.group(grouped)))
        recalled, memory = self.memory(heard, memory)
        return self.out(torch.cat([heard, recalled], -1)), (tuple(kept), memory)
