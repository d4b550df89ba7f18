"""Every ready host, dressed, keeps its clothes in order through all the gestures it makes."""

from pathlib import Path
from typing import Final

import pytest

from avatar.body.expressions import correct_expressions
from avatar.body.landmarks import Landmarks
from avatar.body.source import load_body
from avatar.spec import HOSTS, ready
from avatar.wardrobe.fitting import Fitting
from avatar.wardrobe.poke import check
from avatar.wardrobe.trial_poses import trial_poses
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.fitted import fitted

# The widest of the gestures.
POSES = (
    "idle", "point left", "both hands up", "arms crossed", "welcome", "chin", "deep bow",
    "turn left", "step",
)  # fmt: skip
# Of some 1,500 to 5,000 points in these poses: a point here and there at the rim of a collar
# shows a pixel for a moment.
_SKIN: Final = 90
_CLOTH: Final = 150
_LOWER: Final = ("trousers", "skirt", "apron", "apron-pocket", "waistband")


@pytest.mark.parametrize("name", HOSTS)
def test_hardly_anything_comes_through(name: str, anny_cache: Path) -> None:
    who = ready(name)
    body = load_body(who.body.phenotypes, dict(who.body.changes), dict(who.body.face), anny_cache)
    body = correct_expressions(body)
    marks = Landmarks.of(body)
    asset = fitted(Model(body, marks, Fitting.of(body, marks, who.seed)), who)
    poses = trial_poses(body.joints)
    report = check(asset, {pose: poses[pose] for pose in POSES})
    assert report.covered > 1000
    assert report.count("skin") < _SKIN, report.lines()
    assert report.count("cloth") < _CLOTH, report.lines()
    # What hangs from the hips never lets through what is under it.
    below = [found for found in report.findings if found.outer in _LOWER]
    assert sum(found.count for found in below) < 10, report.lines()
