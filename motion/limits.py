"""How far each control may go: the joints' ranges, seen from the rest pose.

Ranges of joints are the normal active ones of adults: American Academy of Orthopaedic Surgeons,
"Joint Motion: Method of Measuring and Recording" (1965); of clavicle and spine, Kapandji, "The
Physiology of the Joints". A control counts from the rest pose, so a joint's range is moved by
what the joint has there: the upper arm 43 degrees away from the body, the elbow bent by 41, the
forearm midway between palm up and palm down. Fingers share their curl among three joints.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.controls import ARM, CONTROL_NAMES, LEFT_ARM, RIGHT_ARM

Vector = NDArray[np.float64]

BODY_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "sway_x": (-8.0, 8.0),
    "sway_y": (-8.0, 8.0),
    "breath": (0.0, 1.5),
    "torso_pitch": (-20.0, 50.0),  # extension 30, flexion 60 (lumbar and thoracic)
    "torso_tilt": (-20.0, 20.0),
    "torso_turn": (-35.0, 35.0),
    "head_pitch": (-40.0, 40.0),  # 45 each way
    "head_tilt": (-35.0, 35.0),  # 45 each way
    "head_turn": (-60.0, 60.0),  # 60 each way
    "eye_pitch": (-30.0, 30.0),
    "eye_turn_left": (-40.0, 40.0),
    "eye_turn_right": (-40.0, 40.0),
}
ARM_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "shrug": (-10.0, 30.0),  # depression 10, elevation 30 to 40
    "reach": (-25.0, 30.0),  # retraction 25, protraction 30
    "adduct": (-110.0, 54.0),  # abduction 180; past the side only when the arm is to the front
    "forward": (-50.0, 130.0),  # extension 60, flexion 180
    "inward": (-85.0, 78.0),  # outward rotation 90, inward rotation 70 to 80
    "flex": (-40.0, 108.0),  # flexion 0 to 150, of which the rest pose has 41
    "supinate": (-80.0, 80.0),  # pronation 80, supination 80
    "wrist_flex": (-70.0, 80.0),  # extension 70, flexion 80
    "wrist_thumb": (-30.0, 20.0),  # to the little finger 30, to the thumb 20
    "index": (-12.0, 92.0),  # knuckle 90, middle joint 100, tip 80, less the curl of the rest
    "middle": (-12.0, 92.0),
    "ring": (-12.0, 92.0),
    "pinky": (-12.0, 92.0),
    "thumb": (-30.0, 60.0),
    "spread": (-14.0, 20.0),
    "oppose": (-35.0, 60.0),  # of the thumb, from beside the palm to before it: 60, of 30 at rest
}


def _bounds(side: int) -> Vector:
    out = np.empty(len(CONTROL_NAMES))
    arm = np.array([ARM_LIMITS[name][side] for name in ARM])
    out[LEFT_ARM] = out[RIGHT_ARM] = arm
    for index, (name, limits) in enumerate(BODY_LIMITS.items()):
        assert CONTROL_NAMES[index] == name
        out[index] = limits[side]
    out.setflags(write=False)
    return out


LOWEST: Final = _bounds(0)
"""float64 [CONTROLS]: the least each control may be."""

HIGHEST: Final = _bounds(1)
"""float64 [CONTROLS]: the most each control may be."""


def clamped(controls: ArrayLike) -> Vector:
    """Return controls [..., CONTROLS] brought into their ranges."""
    return np.clip(np.asarray(controls, np.float64), LOWEST, HIGHEST)


def beyond(controls: ArrayLike) -> Vector:
    """Return how far each of controls [..., CONTROLS] is out of its range; 0 inside."""
    values = np.asarray(controls, np.float64)
    return np.asarray(np.maximum(0.0, np.maximum(LOWEST - values, values - HIGHEST)), np.float64)
