"""Motion that several tests of formats share."""

import numpy as np
from numpy.typing import NDArray

from motion import rotations as r
from motion.controls import CONTROL_INDEX, CONTROLS, to_rotations, to_translation
from motion.formats.clip import Clip, Label
from motion.skeleton import FACE_NAMES, JOINT_NAMES, face_index

Array = NDArray[np.float32]


def waving(poses: int = 60) -> Clip:
    """Return a clip of somebody who stands, lifts the left hand, waves and turns a little."""
    at = np.arange(poses) / 25
    lift = np.clip(at / 0.8, 0.0, 1.0)
    controls = np.zeros((poses, CONTROLS))
    for name, values in {
        "sway_x": 2.0 * np.sin(at),
        "torso_turn": 12.0 * np.sin(0.9 * at),
        "torso_pitch": 4.0 * lift,
        "head_turn": -10.0 * np.sin(0.9 * at),
        "head_pitch": 5.0 * np.sin(3.0 * at),
        "forward_left": 40.0 * lift,
        "adduct_left": 10.0 * lift,
        "inward_left": -20.0 * lift,
        "flex_left": 70.0 * lift,
        "supinate_left": 30.0 * np.sin(8.0 * at) * lift,
        "wrist_thumb_left": 15.0 * np.sin(8.0 * at) * lift,
        "index_left": 20.0 * lift,
        "middle_left": 60.0 * lift,
        "thumb_left": 15.0 * lift,
        "adduct_right": np.full(poses, 35.0),
        "flex_right": np.full(poses, 20.0),
        "eye_pitch": 4.0 * np.sin(5.0 * at),
    }.items():
        controls[:, CONTROL_INDEX[name]] = values
    face = np.zeros((poses, len(FACE_NAMES)), np.float32)
    face[:, face_index("jawOpen")] = 0.3 + 0.3 * np.sin(9.0 * at)
    return Clip.of(
        to_rotations(controls),
        to_translation(controls),
        face,
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
