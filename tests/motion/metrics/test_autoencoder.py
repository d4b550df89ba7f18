"""The autoencoder and its FGD on made movements whose differences are known."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from motion.errors import MotionError, MotionValueError
from motion.metrics.autoencoder import MotionAutoencoder, fgd, train_autoencoder
from motion.metrics.networks import Scale, windows_of

Windows = NDArray[np.float64]
LATENT = 8


def swings(
    number: int, seed: int, *, amplitude: float = 1.0, tempo: float = 1.0, noise: float = 0.0
) -> Windows:
    """Return windows [number, 32, 6] of swings of random phase and size about random postures."""
    random = np.random.default_rng(seed)
    phase = random.uniform(0, 2 * np.pi, (number, 1, 1))
    size = amplitude * random.uniform(0.5, 1.0, (number, 1, 1))
    posture = 0.3 * random.normal(size=(number, 1, 6))
    at = np.arange(32)[None, :, None] / 25
    lag = np.linspace(0, 1, 6)
    swing = size * np.sin(2 * np.pi * 1.5 * tempo * at + phase + lag) + posture
    return np.asarray(swing + noise * random.normal(size=swing.shape), np.float64)


def trained(seed: int = 0, steps: int = 80) -> MotionAutoencoder:
    return train_autoencoder(swings(400, 0), latent=LATENT, width=24, steps=steps, seed=seed)


@pytest.fixture(scope="module")
def model() -> MotionAutoencoder:
    return trained()


def test_it_learns_what_it_has_not_seen(model: MotionAutoencoder) -> None:
    """Held-out swings come through; noise of the same size, which no latent holds, does not."""
    held_out = swings(100, 1)
    assert model.unexplained(held_out) < 0.05
    noise = np.random.default_rng(2).normal(0, held_out.std(), held_out.shape)
    assert model.unexplained(noise) > 0.6


def test_the_convolutions_add_what_is_not_linear() -> None:
    """Swings of any tempo lie on no plane: training explains what principal components cannot."""
    windows = np.concatenate([swings(60, k, tempo=0.5 + 0.25 * k) for k in range(7)])
    plain, more = (
        train_autoencoder(windows, latent=4, width=24, steps=steps) for steps in (1, 120)
    )
    held_out = np.concatenate([swings(20, 10 + k, tempo=0.5 + 0.25 * k) for k in range(7)])
    assert more.unexplained(held_out) < 0.8 * plain.unexplained(held_out)


def test_latents_of_the_training_windows_vary_by_one_on_average(model: MotionAutoencoder) -> None:
    latents = model.encode(swings(400, 0))
    assert latents.shape == (400, LATENT)
    np.testing.assert_allclose(latents.mean(0), 0.0, atol=1e-4)
    assert latents.var(0).mean() == pytest.approx(1.0, abs=1e-3)
    assert latents.var(0)[0] > 2 * latents.var(0)[-1]


def test_fgd_tells_differences_apart_from_none(model: MotionAutoencoder) -> None:
    """The same movement is nearest; smaller, faster and no movement are far."""
    real = swings(300, 3)
    same = fgd(model, real, swings(300, 4), rounds=20)
    assert same.value < 0.3
    for other in (
        swings(300, 4, amplitude=0.5),
        swings(300, 4, tempo=1.5),
        swings(300, 4, amplitude=0.0),
    ):
        found = fgd(model, real, other, rounds=20)
        assert found.low > 3 * same.high


def test_trembling_does_not_show_in_the_latent_but_in_what_is_unexplained(
    model: MotionAutoencoder,
) -> None:
    """The blindness that the module tells of, and the figure that makes up for it."""
    real, trembling = swings(300, 3), swings(300, 4, noise=0.5)
    assert fgd(model, real, trembling, rounds=2).value < 1.0
    assert model.unexplained(trembling) > 5 * model.unexplained(real)


def test_fgd_grows_with_the_difference(model: MotionAutoencoder) -> None:
    real = swings(300, 3)
    found = [
        fgd(model, real, swings(300, 4, amplitude=a), rounds=2).value for a in (1, 0.8, 0.5, 0)
    ]
    assert found == sorted(found)
    # Half of the variance of a standing figure is its posture, which stays.
    assert found[-1] < 2 * LATENT


def test_another_training_tells_much_the_same(model: MotionAutoencoder) -> None:
    """What is steady about a local figure: its size, and so what is far and what is near."""
    other, real, small = trained(seed=7), swings(300, 3), swings(300, 4, amplitude=0.5)
    first, second = fgd(model, real, small, rounds=2), fgd(other, real, small, rounds=2)
    assert 0.8 < first.value / second.value < 1.25


def test_the_same_seed_trains_the_same_network_whatever_was_drawn_before() -> None:
    one = trained(3, 5).encode(swings(4, 1))
    torch.rand(3)
    before = torch.get_rng_state()
    two = trained(3, 5).encode(swings(4, 1))
    np.testing.assert_array_equal(one, two)
    assert torch.equal(before, torch.get_rng_state())
    assert not np.array_equal(one, trained(4, 5).encode(swings(4, 1)))


def test_it_comes_back_from_its_file(model: MotionAutoencoder, tmp_path: Path) -> None:
    path, windows = tmp_path / "autoencoder.safetensors", swings(20, 5)
    model.save(path)
    again = MotionAutoencoder.load(path)
    assert again.sizes == model.sizes == {"size": 6, "length": 32, "latent": LATENT, "width": 24}
    np.testing.assert_array_equal(again.encode(windows), model.encode(windows))


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no network")
    for name in ("text", "nothing"):
        with pytest.raises(MotionValueError, match="accepted: a safetensors file"):
            MotionAutoencoder.load(tmp_path / name)


def test_windows_follow_one_another_by_the_stride() -> None:
    motion = np.arange(20.0).reshape(10, 2)
    windows = windows_of(motion, 4, 3)
    assert windows.shape == (3, 4, 2)
    np.testing.assert_array_equal(windows[1], motion[3:7])
    with pytest.raises(MotionValueError, match="T at least 11"):
        windows_of(motion, 11, 1)


def test_a_constant_feature_is_not_blown_up() -> None:
    scale = Scale(2)
    scale.fit(torch.tensor([[1.0, 5.0], [3.0, 5.0]]))
    torch.testing.assert_close(scale(torch.tensor([[4.0, 5.5]])), torch.tensor([[2.0, 0.5]]))


def test_what_is_not_accepted_is_told(model: MotionAutoencoder) -> None:
    with pytest.raises(MotionValueError, match="N, 32, 6"):
        model.encode(np.zeros((3, 24, 6)))
    with pytest.raises(MotionValueError, match="multiple of 8"):
        train_autoencoder(np.zeros((3, 30, 6)))
    with pytest.raises(MotionValueError, match="2 or more"):
        train_autoencoder(np.zeros((1, 32, 6)))
    with pytest.raises(MotionError, match="loss"):
        train_autoencoder(swings(8, 0), width=8, steps=60, rate=1e30)
