"""A motion autoencoder, and the Frechet gesture distance in its latent.

FGD (Yoon et al., "Speech gesture generation from the trimodal context of text, audio, and speaker
identity", 2020) compares the latents of true and generated windows of motion. The latent depends on
the autoencoder and on what that was trained on, so figures compare only within one of them. Ours is
"local": trained here on our corpus and rig. **It is not comparable with figures published for
BEAT2**, whose autoencoder saw other people on another skeleton, nor with those of another training.

To make it steady from training to training, the latent begins as the principal components of the
training windows, to which the convolutions add what is not linear, and is scaled as a whole so that
its coordinates vary by 1 on average: the distance to a body frozen in its mean pose is then the
number of coordinates.

Like every FGD it is blind to what the latent leaves out. White noise on top of a movement hardly
shows, since no bottleneck keeps it; `MotionAutoencoder.unexplained` and `smoothness.mean_jerk` show
it, and belong beside the figure.
"""

from typing import Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from motion.errors import MotionValueError
from motion.metrics.checks import count
from motion.metrics.frechet import Spread, bootstrap
from motion.metrics.networks import (
    Kept,
    Scale,
    in_pieces,
    seeded,
    train,
    window_tensor,
)

NOTE: Final = "local: comparable only within one autoencoder, not with published BEAT2 figures"
_HALVINGS: Final = 3
_STEP: Final = 2**_HALVINGS
_VELOCITY: Final = 1.0  # weight of the error of velocity against that of the features


class MotionAutoencoder(Kept):
    """Convolutions over time that halve a window three times, and a linear map beside them.

    Convolutions alone take many more steps to learn so much as a posture that stays, and how they
    answer what they were never shown is left to chance.

    Args:
        size: features a frame (6D rotations of the joints, or control features).
        length: frames a window, a multiple of 8; 32 as is usual.
        latent: coordinates of the latent, 32 to 64.
        width: channels within.

    Raises:
        MotionValueError: a number below 1, or a length that is no multiple of 8.
    """

    KIND = "motion autoencoder"

    def __init__(self, size: int, length: int = 32, latent: int = 32, width: int = 64) -> None:
        super().__init__()
        if count(length, "length") % _STEP:
            raise MotionValueError(f"length: {length}; accepted: a multiple of {_STEP}")
        self.sizes = {
            "size": count(size, "size"),
            "length": length,
            "latent": count(latent, "latent"),
            "width": count(width, "width"),
        }
        self.features, self.latents = Scale(size), Scale(latent)
        self.encoder = _BesideLinear(_halving(size, length, latent, width), size * length, latent)
        self.decoder = _BesideLinear(
            _doubling(size, length, latent, width), latent, size * length, (size, length)
        )
        self.eval()

    def forward(self, windows: Tensor) -> Tensor:
        """Return scaled windows [N, T, D] as they come out again, scaled."""
        decoded = self.decoder(self.encoder(windows.transpose(1, 2)))
        return torch.as_tensor(decoded).transpose(1, 2)

    def encode(self, windows: ArrayLike) -> NDArray[np.float32]:
        """Return the latents [N, latent] of windows [N, T, D], deviation 1 in training.

        Raises:
            MotionValueError: windows of another length or size, or not finite.
        """

        def latent(rows: Tensor) -> Tensor:
            scaled = self.features(rows.to(self.features.mean.device))
            return torch.as_tensor(self.latents(self.encoder(scaled.transpose(1, 2))))

        return in_pieces(latent, self._accepted(windows))

    def unexplained(self, windows: ArrayLike) -> float:
        """Return the share of the windows' variance that is lost on the way through; 0 is none.

        Relative to the deviations of the training windows. FGD from an autoencoder that loses most
        of held-out motion says little.

        Raises:
            MotionValueError: windows of another length or size, or not finite.
        """

        def errors(rows: Tensor) -> Tensor:
            scaled = torch.as_tensor(self.features(rows.to(self.features.mean.device)))
            lost = ((self(scaled) - scaled) ** 2).sum((1, 2))
            return torch.stack([lost, (scaled**2).sum((1, 2))], 1)

        lost, all_of_it = in_pieces(errors, self._accepted(windows)).astype(np.float64).sum(0)
        return float(lost / all_of_it) if all_of_it > 0.0 else 0.0

    def _accepted(self, windows: ArrayLike) -> Tensor:
        return window_tensor(windows, self.sizes["length"], self.sizes["size"])


class _BesideLinear(nn.Module):
    """The sum of a network and of a linear map of the same flattened input."""

    def __init__(
        self, network: nn.Module, inputs: int, outputs: int, shape: tuple[int, ...] | None = None
    ) -> None:
        super().__init__()
        self.network, self.linear = network, nn.Linear(inputs, outputs)
        self.shape = shape or (outputs,)

    def start(self, weight: Tensor, bias: Tensor) -> None:
        """Make it a linear map of given weight and bias, the network adding nothing as yet."""
        with torch.no_grad():
            self.linear.weight.copy_(weight)
            self.linear.bias.copy_(bias)
            for parameter in list(self.network.children())[-1].parameters():
                parameter.zero_()

    def forward(self, values: Tensor) -> Tensor:
        straight = self.linear(values.flatten(1)).unflatten(1, self.shape)
        return torch.as_tensor(self.network(values) + straight)


def _halving(size: int, length: int, latent: int, width: int) -> nn.Module:
    layers: list[nn.Module] = [nn.Conv1d(size, width, 3, padding=1), nn.GELU()]
    for _ in range(_HALVINGS):
        layers += [nn.Conv1d(width, width, 4, stride=2, padding=1), nn.GELU()]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(width * length // _STEP, latent))


def _doubling(size: int, length: int, latent: int, width: int) -> nn.Module:
    inner = (width, length // _STEP)
    layers: list[nn.Module] = [nn.Linear(latent, inner[0] * inner[1]), nn.Unflatten(1, inner)]
    for _ in range(_HALVINGS):
        layers += [nn.ConvTranspose1d(width, width, 4, stride=2, padding=1), nn.GELU()]
    return nn.Sequential(*layers, nn.Conv1d(width, size, 3, padding=1))


def train_autoencoder(
    windows: ArrayLike,
    *,
    latent: int = 32,
    width: int = 64,
    steps: int = 2000,
    batch: int = 64,
    rate: float = 2e-3,
    seed: int = 0,
) -> MotionAutoencoder:
    """Return an autoencoder of windows [N, T, D]; one core, some minutes for 2000 steps.

    The error is that of scaled features and of their change from frame to frame, so that how a body
    moves is kept along with where it is.

    Args:
        windows: true motion, none of which is used for evaluation; N at least 2, T a multiple of 8.
        latent, width: as for `MotionAutoencoder`.
        steps, batch, rate: of the training.
        seed: the same seed on the same machine gives the same network.

    Raises:
        MotionValueError: windows or numbers are not accepted.
        MotionError: the training did not stay finite.
    """
    rows = window_tensor(windows)
    if len(rows) < 2:
        raise MotionValueError(f"{len(rows)} window; accepted: 2 or more")
    with seeded(seed):
        model = MotionAutoencoder(rows.shape[2], rows.shape[1], latent, width)
        model.features.fit(rows)
        scaled = torch.as_tensor(model.features(rows))
        _begin(model, scaled)

        def loss(chosen: Tensor) -> Tensor:
            off = model(scaled[chosen]) - scaled[chosen]
            return torch.as_tensor((off**2).mean() + _VELOCITY * (off.diff(dim=1) ** 2).mean())

        train(model, loss, len(rows), steps=steps, batch=batch, rate=rate)
    # Latents are still unscaled here: this is what they are to be scaled by from now on.
    model.latents.fit(torch.from_numpy(model.encode(windows)), together=True)
    return model


def _begin(model: MotionAutoencoder, scaled: Tensor) -> None:
    """Make an autoencoder the principal components of scaled windows [N, T, D]."""
    flat = scaled.transpose(1, 2).flatten(1)
    mean, latent = flat.mean(0), model.sizes["latent"]
    components = torch.zeros(latent, flat.shape[1])
    number = min(latent, *flat.shape)
    components[:number] = torch.pca_lowrank(flat, number, niter=4)[2].T
    model.encoder.start(components, -components @ mean)
    model.decoder.start(components.T, mean)


def fgd(
    model: MotionAutoencoder,
    real: ArrayLike,
    generated: ArrayLike,
    *,
    rounds: int = 100,
    seed: int = 0,
    real_groups: ArrayLike | None = None,
    generated_groups: ArrayLike | None = None,
) -> Spread:
    """Return the local FGD of windows [N, T, D] and [M, T, D], with its spread.

    Args:
        model: trained on other true motion.
        real, generated: windows of the same speech, N and M well above the latent's size and alike,
            or the distance is mostly that of small samples.
        rounds, seed, real_groups, generated_groups: as for `frechet.bootstrap`; give the groups
            where windows of a clip overlap.

    Raises:
        MotionValueError: windows of another length or size, or not finite.
    """
    return bootstrap(
        model.encode(real),
        model.encode(generated),
        rounds=rounds,
        seed=seed,
        real_groups=real_groups,
        generated_groups=generated_groups,
    )
