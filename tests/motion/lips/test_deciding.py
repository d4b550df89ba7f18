"""How sure the lips must be follows from how often they may close in vain."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from motion.lips.closure import false_closures
from motion.lips.deciding import decide
from motion.lips.net import LOOK_AHEAD, LipNet
from motion.lips.stream import shapes_of
from motion.lips.training import LipSequence
from motion.trained import trained_lips
from tests.motion.lips.test_net import babble


def made_in_vain(net: LipNet, sequence: LipSequence) -> float:
    frames = torch.from_numpy(sequence.audio.astype(np.float32)).reshape(1, -1, 40)
    with torch.inference_mode():
        heard = net(frames)[0][0, LOOK_AHEAD - 1 :].numpy()
    wrong, plainly = false_closures(shapes_of(heard), shapes_of(sequence.mouth[: len(heard)]))
    return wrong / plainly


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_lips_close_in_vain_as_often_as_they_may(share: float) -> None:
    torch.manual_seed(1)
    net = LipNet(16).eval()
    held = [babble(30.0, 1)[0]]
    decide(net, held, share)
    assert made_in_vain(net, held[0]) == pytest.approx(share, abs=0.012)


def test_voices_count_alike() -> None:
    torch.manual_seed(1)
    one, other = babble(30.0, 1)[0], babble(30.0, 2)[0]
    louder = (one.audio + np.float16(2.0)).astype(np.float16)
    held = [LipSequence(louder, one.mouth, "a")] + [replace(other, voice="b")] * 5
    once, again = LipNet(16).eval(), LipNet(16).eval()
    again.load_state_dict(once.state_dict())
    np.testing.assert_allclose(decide(once, held), decide(again, held[:2]), atol=0.02)


def test_the_shipped_lips_are_small_and_tell_how_they_were_made() -> None:
    lips = trained_lips()
    assert sum(weight.numel() for weight in lips.net.parameters()) * 2 < 1_500_000
    assert {"steps", "seed", "hours", "points"} <= lips.trained.keys()
    assert trained_lips() is lips
