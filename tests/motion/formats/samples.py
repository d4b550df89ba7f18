"""Motion that several tests of formats share."""

import numpy as np
from numpy.typing import NDArray

from motion import rotations as r
from motion.formats.clip import Clip, Label
from motion.procedural import ProceduralMover
from motion.skeleton import FACE_NAMES, JOINT_NAMES
from motion.speech import SpokenAction
from tests.motion.samples import film, passage

Array = NDArray[np.float32]


def talking(poses: int = 60) -> Clip:
    """Return a clip of somebody who talks and waves."""
    mover = ProceduralMover(3)
    mover.passage(passage(0.2, "h ə l ˈoʊ", SpokenAction("wave", 0.5)))
    taken = film(mover, np.arange(poses) / 25)
    return Clip.of(
        taken.rotations,
        taken.translation,
        taken.face,
        language="en",
        labels=(Label("wave", 0.2, 1.4),),
        metadata={"source": "a test", "名": "值"},
    )


def anyhow(poses: int = 20, seed: int = 0) -> Clip:
    """Return a clip of wild turns: every joint by up to a half turn, smoothly."""
    random = np.random.default_rng(seed)
    keys = random.normal(size=(2, len(JOINT_NAMES), 3)) * 1.2
    share = np.linspace(0.0, 1.0, poses)[:, None, None]
    rotations = r.from_rotation_vector((1.0 - share) * keys[0] + share * keys[1])
    translation = random.normal(size=(poses, 3)).astype(np.float32)
    face = random.uniform(size=(poses, len(FACE_NAMES))).astype(np.float32)
    return Clip.of(rotations, translation, face)
