"""The shadow on the floor lies under the soles and follows the feet."""

import numpy as np

from avatar.body.source import SKIN_VERTICES
from avatar.wardrobe.ground import contact_shadow
from motion.skeleton import JOINT_NAMES
from tests.avatar.wardrobe.conftest import Model


def test_each_foot_has_a_soft_patch_of_its_own(woman: Model) -> None:
    shadow = contact_shadow(woman.body, [])
    floor = float(woman.body.vertices[:SKIN_VERTICES, 2].min())
    assert np.abs(shadow.positions[:, 2] - floor).max() < 0.002
    moving = {JOINT_NAMES[i] for i in np.flatnonzero(shadow.weights.max(0))}
    assert moving == {"foot.L", "foot.R"}
    assert shadow.shade is not None
    assert not shadow.occludes
    dark = shadow.shade[:, 0]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        mine = shadow.weights[:, JOINT_NAMES.index(f"foot.{side}")] > 0.5
        middle = shadow.positions[mine][dark[mine] > 0.6].mean(0)
        ankle, toe = (woman.body.joint(f"{name}.{side}") for name in ("foot", "toe2-1"))
        assert abs(middle[0] - 0.5 * (ankle[0] + toe[0])) < 0.02
        assert toe[1] - 0.03 < middle[1] < ankle[1]
        # It fades to nothing before its edge, which lies beyond the foot.
        edge = shadow.positions[mine][dark[mine] == 0.0]
        assert np.ptp(edge[:, 1]) > 0.25
        assert sign * middle[0] > 0.0
