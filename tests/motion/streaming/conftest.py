"""A small network with random weights: its structure is what is tested, not what it learnt."""

import pytest
import torch

from motion.streaming.checkpoint import Checkpoint
from motion.streaming.net import GestureNet, NetSize
from motion.streaming.representation import BODY_DIM
from motion.streaming.schedule import Schedule


@pytest.fixture
def checkpoint() -> Checkpoint:
    torch.manual_seed(5)
    net = GestureNet(NetSize(dim=48, layers=2, heads=2))
    # A new network predicts nothing at all; this one answers to everything it is told.
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.15)
    net.eval().requires_grad_(False)
    return Checkpoint(
        net, Schedule(), torch.linspace(-20.0, 20.0, BODY_DIM), torch.full((BODY_DIM,), 8.0), {}
    )
