"""What the network makes: the controls of the body, scaled to unit spread.

The rig's 104 joints are turned by a few dozen controls (`motion.controls`), each an angle about a
fixed axis. A body made of controls keeps its bones, its joints' axes and, clipped, their limits,
whatever the network says, and the values are few and learnt quickly.
Eyes and breath are not the network's: gaze and breathing are laid over it.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.controls import CONTROL_INDEX, CONTROL_NAMES, CONTROLS

Array = NDArray[np.float32]

_OTHERS: Final = ("eye_pitch", "eye_turn_left", "eye_turn_right", "breath")
BODY_NAMES: Final = tuple(name for name in CONTROL_NAMES if name not in _OTHERS)
BODY_INDEX: Final = np.array([CONTROL_INDEX[name] for name in BODY_NAMES])
BODY_DIM: Final = len(BODY_NAMES)


def body_of(controls: ArrayLike) -> Array:
    """Return the body's controls [..., BODY_DIM] of controls [..., CONTROLS]."""
    return np.asarray(controls, np.float32)[..., BODY_INDEX]


def controls_of(body: ArrayLike) -> NDArray[np.float64]:
    """Return controls [..., CONTROLS], eyes and breath zero, of a body [..., BODY_DIM]."""
    values = np.asarray(body, np.float64)
    out = np.zeros((*values.shape[:-1], CONTROLS))
    out[..., BODY_INDEX] = values
    return out
