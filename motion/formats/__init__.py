"""Files of motion: our own clips, and those of others (BVH, BEAT2, HumanML3D).

Every reader gives a `Clip` of our rig at 25 poses a second; every writer takes one.
"""

from motion.formats.clip import Clip, Label, read_clip, write_clip

__all__ = ["Clip", "Label", "read_clip", "write_clip"]
