"""The operators of the face networks do what their definitions say."""

import numpy as np
import pytest
import torch

from avatar.creation.photo.contours import OVAL, disagreement, grid, soft_mask
from avatar.creation.photo.crops import Region, crop
from avatar.creation.photo.network import _padded


@pytest.mark.parametrize(("size", "kernel", "stride"), [(7, 3, 2), (8, 3, 2), (8, 2, 2), (5, 5, 1)])
def test_padding_keeps_as_many_places_as_strides_fit(size: int, kernel: int, stride: int) -> None:
    padded = _padded(torch.ones(1, 1, size, size), (kernel, kernel), (stride, stride))
    places = (padded.shape[-1] - kernel) // stride + 1
    assert places == -(-size // stride)
    # The odd one goes to the end, as TensorFlow does.
    before = int((padded[0, 0].sum(1) == 0).nonzero().flatten().lt(size // 2).sum())
    after = padded.shape[-1] - size - before
    assert after - before in (0, 1)


def test_a_soft_mask_covers_its_contour_and_carries_gradients() -> None:
    square = torch.tensor([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]], requires_grad=True)
    pixels = grid(torch.zeros(2), torch.ones(2), 50, 50)
    mask = soft_mask(square, pixels, 0.01)
    assert float(mask.detach().mean()) == pytest.approx(0.36, abs=0.01)
    (slope,) = torch.autograd.grad(mask.mean(), square)
    # Moving the right side outward by d adds 0.6 d.
    assert float(slope[1, 0] + slope[2, 0]) == pytest.approx(0.6, abs=0.05)
    mask = mask.detach()
    assert float(disagreement(mask, mask * 0.0)) == pytest.approx(1.0)
    assert float(disagreement(mask.round(), mask.round())) == pytest.approx(0.0, abs=1e-5)


def test_masks_draw_a_contour_to_its_place() -> None:
    angles = torch.arange(len(OVAL)) / len(OVAL) * 2 * torch.pi
    circle = torch.stack([angles.cos(), angles.sin()], -1) * 0.3
    pixels = grid(-torch.ones(2), torch.ones(2), 40, 40)
    wanted = soft_mask(circle + torch.tensor([0.2, -0.1]), pixels, 0.04)
    shift = torch.zeros(2, requires_grad=True)
    optimiser = torch.optim.Adam([shift], 0.02)
    for _ in range(60):
        optimiser.zero_grad()
        torch.autograd.backward(disagreement(soft_mask(circle + shift, pixels, 0.04), wanted))
        optimiser.step()
    assert shift.detach().numpy() == pytest.approx([0.2, -0.1], abs=0.01)


def test_a_crop_and_the_way_back_agree() -> None:
    picture = np.zeros((120, 160, 3), np.uint8)
    picture[70:73, 90:93] = 255
    region = Region(80.0, 60.0, 90.0, 0.4)
    seen = crop(picture, region, 90).sum(-1)
    y, x = np.unravel_index(int(seen.argmax()), seen.shape)
    share = np.array([[(x + 0.5) / 90, (y + 0.5) / 90]], np.float32)
    place = region.outward(share)
    assert np.linalg.norm(place[0] - (91.5, 71.5)) < 1.6
    assert region.inward(place) == pytest.approx(share, abs=1e-5)
