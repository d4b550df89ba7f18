"""Where the joints of a host stand at rest, to the millimetre.

Of a grown woman of average height, from the body package's own model. Motion needs it to know
where hands and elbows are (to aim them, and to keep them apart); pictures are drawn with the
avatar's own figures.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.kinematics import rest_offsets

# Millimetres from the root, in the order of JOINT_NAMES: x to the left, y to the back, z up.
_MILLIMETRES: Final = (
    (0, 0, 0),  # root
    (0, 0, 0),  # pelvis.L
    (109, 7, -9),  # upperleg01.L
    (97, -22, -107),  # upperleg02.L
    (132, -29, -426),  # lowerleg01.L
    (150, -14, -630),  # lowerleg02.L
    (167, -4, -827),  # foot.L
    (138, -153, -879),  # toe1-1.L
    (140, -180, -886),  # toe1-2.L
    (164, -153, -882),  # toe2-1.L
    (166, -176, -885),  # toe2-2.L
    (166, -190, -889),  # toe2-3.L
    (181, -150, -883),  # toe3-1.L
    (182, -170, -886),  # toe3-2.L
    (182, -184, -891),  # toe3-3.L
    (198, -143, -883),  # toe4-1.L
    (200, -160, -887),  # toe4-2.L
    (199, -172, -890),  # toe4-3.L
    (214, -133, -882),  # toe5-1.L
    (215, -143, -884),  # toe5-2.L
    (214, -153, -889),  # toe5-3.L
    (0, 0, 0),  # pelvis.R
    (-109, 7, -9),  # upperleg01.R
    (-97, -22, -107),  # upperleg02.R
    (-132, -29, -426),  # lowerleg01.R
    (-150, -14, -630),  # lowerleg02.R
    (-167, -4, -827),  # foot.R
    (-138, -153, -879),  # toe1-1.R
    (-140, -180, -886),  # toe1-2.R
    (-164, -153, -882),  # toe2-1.R
    (-166, -176, -885),  # toe2-2.R
    (-166, -190, -889),  # toe2-3.R
    (-181, -150, -883),  # toe3-1.R
    (-182, -170, -886),  # toe3-2.R
    (-182, -184, -891),  # toe3-3.R
    (-198, -143, -883),  # toe4-1.R
    (-200, -160, -887),  # toe4-2.R
    (-199, -172, -890),  # toe4-3.R
    (-214, -133, -882),  # toe5-1.R
    (-215, -143, -884),  # toe5-2.R
    (-214, -153, -889),  # toe5-3.R
    (0, 0, 0),  # spine05
    (0, 44, 77),  # spine04
    (0, 21, 148),  # spine03
    (0, 8, 246),  # spine02
    (0, 7, 396),  # spine01
    (22, -22, 477),  # clavicle.L
    (91, -25, 490),  # shoulder01.L
    (147, -20, 459),  # upperarm01.L
    (204, -23, 401),  # upperarm02.L
    (319, -30, 276),  # lowerarm01.L
    (371, -102, 218),  # lowerarm02.L
    (418, -165, 171),  # wrist.L
    (419, -211, 163),  # finger1-1.L
    (397, -233, 154),  # finger1-2.L
    (385, -266, 139),  # finger1-3.L
    (429, -192, 154),  # metacarpal1.L
    (447, -264, 128),  # finger2-1.L
    (450, -287, 112),  # finger2-2.L
    (450, -304, 95),  # finger2-3.L
    (429, -192, 154),  # metacarpal2.L
    (463, -246, 116),  # finger3-1.L
    (471, -267, 89),  # finger3-2.L
    (474, -286, 66),  # finger3-3.L
    (441, -181, 138),  # metacarpal3.L
    (472, -228, 108),  # finger4-1.L
    (481, -243, 82),  # finger4-2.L
    (486, -256, 60),  # finger4-3.L
    (441, -181, 138),  # metacarpal4.L
    (474, -207, 99),  # finger5-1.L
    (480, -215, 79),  # finger5-2.L
    (482, -221, 63),  # finger5-3.L
    (-22, -22, 477),  # clavicle.R
    (-91, -25, 490),  # shoulder01.R
    (-147, -20, 459),  # upperarm01.R
    (-204, -23, 401),  # upperarm02.R
    (-319, -30, 276),  # lowerarm01.R
    (-371, -102, 218),  # lowerarm02.R
    (-418, -165, 171),  # wrist.R
    (-419, -211, 163),  # finger1-1.R
    (-397, -233, 154),  # finger1-2.R
    (-385, -266, 139),  # finger1-3.R
    (-429, -192, 154),  # metacarpal1.R
    (-447, -264, 128),  # finger2-1.R
    (-450, -287, 112),  # finger2-2.R
    (-450, -304, 95),  # finger2-3.R
    (-429, -192, 154),  # metacarpal2.R
    (-463, -246, 116),  # finger3-1.R
    (-471, -267, 89),  # finger3-2.R
    (-474, -286, 66),  # finger3-3.R
    (-441, -181, 138),  # metacarpal3.R
    (-472, -228, 108),  # finger4-1.R
    (-481, -243, 82),  # finger4-2.R
    (-486, -256, 60),  # finger4-3.R
    (-441, -181, 138),  # metacarpal4.R
    (-474, -207, 99),  # finger5-1.R
    (-480, -215, 79),  # finger5-2.R
    (-482, -221, 63),  # finger5-3.R
    (0, -13, 551),  # neck01
    (0, -26, 585),  # neck02
    (0, -40, 628),  # neck03
    (0, -53, 662),  # head
    (31, -131, 698),  # eye.L
    (-30, -131, 698),  # eye.R
)

REST_POSITIONS: Final[NDArray[np.float32]] = np.array(_MILLIMETRES, np.float32) / 1000.0
"""float32 [104, 3], metres, the root at the origin."""

REST_OFFSETS: Final[NDArray[np.float32]] = rest_offsets(REST_POSITIONS)
"""float32 [104, 3], metres, from each joint's parent: what forward kinematics takes."""
