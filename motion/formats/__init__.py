"""Files of motion: our own clips, and those of others (BVH, BEAT2, HumanML3D).

Every reader gives a `Clip` of our rig at 25 poses a second; every writer takes one.
"""

from motion.formats.clip import Clip, Label, read_clip, write_clip
from motion.formats.conversion import ENDINGS, known_ending, read_motion, write_motion

__all__ = [
    "ENDINGS",
    "Clip",
    "Label",
    "known_ending",
    "read_clip",
    "read_motion",
    "write_clip",
    "write_motion",
]
