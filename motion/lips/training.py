"""Teaches `LipNet`: synthesised speech in, the shapes of its phones out."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from motion.audio import FRAMES_PER_POSE, MELS
from motion.errors import MotionValueError
from motion.lips.net import CONTACTS, LOOK_AHEAD, OUTPUTS, LipNet
from motion.lips.stream import LipCheckpoint

_CONTACT_WEIGHT: Final = 1.5
_CLOSED_WEIGHT: Final = 3.0  # a missed closure is worse than one too many
_TOUCHING, _APART = 0.7, 0.1  # in between, lips are on their way and either is right
_LOUDER: Final = 1.25  # of the scaled features; some 10 dB either way
_WARP: Final = 0.12  # bands are shifted by up to so large a share: longer and shorter throats


@dataclass(frozen=True, slots=True)
class LipSequence:
    """Speech and its mouth.

    Attributes:
        audio: float16 [T, AUDIO_DIM] log mel frames.
        mouth: float16 [T, parts + contacts], from `motion.lips.track.apart`.
        voice: who speaks.
    """

    audio: NDArray[np.float16]
    mouth: NDArray[np.float16]
    voice: str = ""

    def __len__(self) -> int:
        return len(self.mouth)


@dataclass(frozen=True, slots=True)
class LipRecipe:
    """How to train: optimiser steps, windows a step, poses a window, highest learning rate."""

    steps: int = 5500
    batch: int = 24
    poses: int = 100
    rate: float = 2e-3
    seed: int = 1
    threads: int = 2
    dim: int = 128


@dataclass(frozen=True, slots=True)
class LipProgress:
    """Mean losses since the last report: shapes (squared), contacts (cross entropy)."""

    step: int
    shape: float
    contact: float
    seconds: float


class LipTrainer:
    """Trains one net. Voices are varied: loudness, timbre, throat, noise, so that any is heard."""

    def __init__(self, sequences: Sequence[LipSequence], recipe: LipRecipe) -> None:
        long = [s for s in sequences if len(s) > recipe.poses]
        if not long:
            raise MotionValueError(f"no sequence is longer than {recipe.poses} poses")
        torch.set_num_threads(recipe.threads)
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.net = LipNet(recipe.dim)
        self._sequences = long
        self._chances = _chances(long)
        self._rng = np.random.default_rng(recipe.seed)
        self._optimiser = torch.optim.AdamW(self.net.parameters(), recipe.rate, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser, recipe.rate, total_steps=recipe.steps, pct_start=0.05
        )

    def run(self, every: int = 100) -> Iterator[LipProgress]:
        """Train, yielding every `every` steps."""
        began, shape, contact = time.perf_counter(), 0.0, 0.0
        for step in range(1, self.recipe.steps + 1):
            losses = self._learn()
            shape, contact = shape + losses[0], contact + losses[1]
            if step % every == 0:
                taken = time.perf_counter() - began
                yield LipProgress(step, shape / every, contact / every, taken)
                shape = contact = 0.0

    def finished(self) -> LipCheckpoint:
        """Return the net as it is now."""
        hours = sum(len(s) for s in self._sequences) / 25.0 / 3600.0
        self.net.eval()
        return LipCheckpoint(self.net, asdict(self.recipe) | {"hours": round(hours, 2)})

    def _learn(self) -> tuple[float, float]:
        audio, mouth = self._batch()
        logits, _ = self.net.logits(audio)
        # The first outputs belong to poses before the window.
        late = LOOK_AHEAD - 1
        made, wanted = logits[:, late + 5 :], mouth[:, 5 : mouth.shape[1] - late]
        shapes = OUTPUTS - CONTACTS
        guess = made[..., :shapes].sigmoid()
        shape = (guess - wanted[..., :shapes]).square().mean()
        motion = (guess.diff(dim=1) - wanted[..., :shapes].diff(dim=1)).square().mean()
        contact = contact_loss(made[..., shapes:], wanted[..., shapes:])
        loss = 10.0 * shape + 20.0 * motion + _CONTACT_WEIGHT * contact
        self._optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimiser.step()
        self._schedule.step()
        return float(shape.detach()), float(contact.detach())

    def _batch(self) -> tuple[Tensor, Tensor]:
        poses = self.recipe.poses
        audio, mouth = [], []
        for number in self._rng.choice(len(self._chances), self.recipe.batch, p=self._chances):
            sequence = self._sequences[number]
            start = int(self._rng.integers(len(sequence) - poses))
            audio.append(sequence.audio[start : start + poses].astype(np.float32))
            mouth.append(sequence.mouth[start : start + poses].astype(np.float32))
        frames = torch.from_numpy(np.stack(audio))
        return self._varied(frames.reshape(len(frames), -1, MELS)), torch.from_numpy(
            np.stack(mouth)
        )

    def _varied(self, frames: Tensor) -> Tensor:
        """Return the frames [B, 4 T, MELS] as other voices, rooms and microphones."""
        assert frames.shape[1] % FRAMES_PER_POSE == 0
        batch = len(frames)
        warp = 1.0 + _WARP * (2.0 * torch.rand(batch, 1) - 1.0)
        place = (torch.arange(MELS) * warp).clamp(0, MELS - 1)
        low = place.floor().long()
        share = (place - low)[:, None]
        high = (low + 1).clamp(max=MELS - 1)
        index = low[:, None].expand(-1, frames.shape[1], -1)
        above = high[:, None].expand(-1, frames.shape[1], -1)
        warped = frames.gather(2, index) * (1.0 - share) + frames.gather(2, above) * share
        bands = torch.linspace(-1.0, 1.0, MELS)
        tilt = 0.5 * torch.randn(batch, 1, 1) * bands
        ripple = (
            0.25 * torch.randn(batch, 1, 1) * torch.sin(6.0 * bands + 6.3 * torch.rand(batch, 1, 1))
        )
        gain = _LOUDER * (2.0 * torch.rand(batch, 1, 1) - 1.0)
        floor = -1.9 + 0.9 * torch.rand(batch, 1, 1) ** 2 + 0.15 * torch.randn_like(warped)
        varied = warped + tilt + ripple + gain
        # Energies add: the louder of speech and room is heard.
        noisy = torch.logaddexp(varied * 3.0, floor * 3.0) / 3.0
        plain = torch.rand(batch, 1, 1) < 0.3
        return torch.where(plain, frames, noisy)


def contact_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    """Return how badly contacts [B, T, contacts] were heard; `wanted` is how firmly, 0 to 1.

    Half of what a closure asks is asked of the best of three poses, since lips that meet a pose
    early or late have met. What is hard counts more (Lin et al., "Focal loss", 2017).
    """
    best, near = _widest(logits), _widest(wanted)
    missed = functional.softplus(-logits) * (1.0 - logits.sigmoid())
    missed_all = functional.softplus(-best) * (1.0 - best.sigmoid())
    made_up = functional.softplus(logits) * logits.sigmoid()
    touching, apart = wanted >= _TOUCHING, near <= _APART
    misses = torch.where(touching, 0.5 * (missed + missed_all), 0.0).sum()
    return (_CLOSED_WEIGHT * misses + torch.where(apart, made_up, 0.0).sum()) / logits.numel()


def _widest(curves: Tensor) -> Tensor:
    """Return the largest of each three neighbours in time of [B, T, C]."""
    return functional.max_pool1d(curves.transpose(1, 2), 3, 1, 1).transpose(1, 2)


def _chances(sequences: Sequence[LipSequence]) -> NDArray[np.float64]:
    """Return how often each sequence is drawn: a voice by the root of what it says in all."""
    said: dict[str, int] = {}
    for sequence in sequences:
        said[sequence.voice] = said.get(sequence.voice, 0) + len(sequence)
    raw = np.array([len(each) / np.sqrt(said[each.voice]) for each in sequences])
    return np.asarray(raw / raw.sum(), np.float64)
