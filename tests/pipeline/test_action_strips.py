"""Strips of actions: what is drawn when, of whom, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motion.actions import ACTIONS
from pipeline.action_strips import moments, poses_of, show_actions
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.folders import body_folder

SIZE = (64, 112)


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory, anny_cache: Path) -> Configuration:
    cache = tmp_path_factory.mktemp("cache")
    body_folder(cache).symlink_to(anny_cache)
    return Configuration(cache=cache)


def _quiet(_what: str, _share: float) -> None:
    return None


def test_each_phase_is_shown_in_order() -> None:
    for action in ACTIONS.values():
        at = list(moments(action.phases).values())
        assert at == sorted(at)
        assert at[0] == pytest.approx(-0.37)
        assert at[-1] < -0.37 + action.phases.whole - action.phases.prepare


def test_poses_follow_the_action_and_its_parameters() -> None:
    small, large = (poses_of(ACTIONS["show_size"], {"size": size}) for size in (0.15, 0.6))
    assert len(small.rotations) == len(moments(ACTIONS["show_size"].phases))
    apart = np.abs(small.rotations - large.rotations).max((1, 2))
    assert apart[2] > 0.1  # at the apex


def test_a_strip_holds_a_picture_of_every_phase(configuration: Configuration) -> None:
    output = configuration.cache / "strip.png"
    told: list[float] = []
    report = show_actions(
        configuration,
        names=["wave", "bow"],
        output=output,
        size=SIZE,
        progress=lambda _, share: told.append(share),
    )
    assert report["actions"] == ["wave", "bow"]
    assert told == [0.0, 0.5]
    with Image.open(output) as sheet:
        assert report["size"] == f"{sheet.width}x{sheet.height}"
        row = sheet.height // 2
        cells = [
            sheet.convert("L").crop((x, y, x + SIZE[0], y + SIZE[1]))
            for y in (0, row)
            for x in range(0, 5 * SIZE[0], SIZE[0])
        ]
    assert sheet.width == 5 * SIZE[0]
    assert len({cell.tobytes() for cell in cells}) == 10
    assert all(np.ptp(np.asarray(cell)) > 80 for cell in cells)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"names": ["jump"]}, "'jump'; accepted: welcome"),
        ({"names": ["wave"], "given": {"size": "1"}}, "'size'; accepted: hand"),
        ({"names": ["count"], "given": {"number": "9"}}, "'9'; accepted: 1 to 5"),
        ({"names": ["wave"], "avatar": "nobody"}, "nobody"),
        ({"names": ["wave"], "scene": "nowhere"}, "nowhere"),
    ],
)
def test_what_cannot_be_drawn_is_named_before_work_is_done(
    tmp_path: Path, wanted: dict[str, object], message: str
) -> None:
    output = tmp_path / "strip.png"
    with pytest.raises(ConfigurationError, match=message):
        show_actions(Configuration(cache=tmp_path), output=output, progress=_quiet, **wanted)  # type: ignore[arg-type]
    assert not output.exists()
