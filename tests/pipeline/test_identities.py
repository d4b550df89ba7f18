"""`vivant avatar` through its functions: create, edit, show, check."""

from pathlib import Path

import pytest
from PIL import Image

from avatar.spec import ready, ready_scene
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.folders import body_folder
from pipeline.identities import check, create, edit, show
from pipeline.library import avatars, scenes


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory, anny_cache: Path) -> Configuration:
    cache = tmp_path_factory.mktemp("cache")
    body_folder(cache).symlink_to(anny_cache)
    return Configuration(cache=cache)


def test_sliders_make_an_identity_that_is_kept(configuration: Configuration) -> None:
    sliders = {"hair.style": "bob", "outfit.outer.colour": "#aa2211"}
    made = create(configuration, name="anna", base="mia", sliders=sliders)
    kept = avatars(configuration.cache).get("anna")
    assert kept == made.spec
    assert kept.hair.style == "bob"
    assert kept.piece("outer") == ready("mia").outfit[1].changed(colour="#aa2211")
    assert kept.provenance.source == "sliders"


def test_who_is_in_a_photo_is_named_by_an_id_and_with_the_photo(
    configuration: Configuration, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="with a photo"):
        create(configuration, name="anna", person="ann", replace=True)
    with pytest.raises(ConfigurationError, match="letters, digits"):
        create(configuration, name="anna", photo=tmp_path / "no.jpg", person="../ann")


@pytest.mark.parametrize(
    ("sliders", "message"),
    [
        ({"body.age": "7"}, "age"),
        ({"hair.style": "beehive"}, "beehive"),
        ({"wings": "2"}, "wings"),
    ],
)
def test_a_slider_out_of_range_is_named(
    configuration: Configuration, sliders: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        create(configuration, name="wrong", sliders=sliders)
    assert "wrong" not in avatars(configuration.cache).names


def test_the_sheet_holds_ten_pictures_none_empty(configuration: Configuration) -> None:
    output = configuration.cache / "sheet.png"
    told: list[float] = []
    report = show(
        configuration,
        name="mia",
        output=output,
        size=(90, 160),
        progress=lambda _, share: told.append(share),
    )
    assert report["size"] == "450x320"
    with Image.open(output) as sheet:
        cells = [
            sheet.convert("L").crop((x, y, x + 90, y + 160))
            for y in (0, 160)
            for x in range(0, 450, 90)
        ]
    assert all(low < 80 and high > 180 for low, high in (cell.getextrema() for cell in cells))  # type: ignore[operator]
    assert len({cell.tobytes() for cell in cells}) == 10
    assert told == sorted(told)


def test_the_check_reports_every_kind(configuration: Configuration) -> None:
    report = check(configuration, name="mia")
    assert report.count("skin") < 100
    assert all(finding.kind in ("skin", "cloth", "hair") for finding in report.findings)


def test_an_edit_recolours_and_keeps_the_rest(configuration: Configuration) -> None:
    report = edit(configuration, name="mia", instruction="change the blazer to red", candidates=2)
    assert not report["refused"], report["why"]
    edited, before = avatars(configuration.cache).get("mia-edit"), ready("mia")
    assert edited.title == "Mia Edit", "two hosts of one title cannot be told apart"
    blazer = edited.piece("blazer")
    assert blazer is not None
    red, green, blue = (int(blazer.colour[i : i + 2], 16) for i in (1, 3, 5))
    assert red > 2 * max(green, blue)
    assert edited.hair == before.hair
    assert edited.body == before.body
    assert edited.piece("trousers") == before.piece("trousers")


def test_a_scene_of_an_edit_leaves_an_own_one_alone_unless_told(
    configuration: Configuration,
) -> None:
    library, own = scenes(configuration.cache), ready_scene("kitchen").changed(name="sunny")
    folder = library.keep(own).parent
    told: list[float] = []

    def whiten(replace: bool) -> dict[str, object]:
        report = edit(
            configuration,
            name="mia",
            instruction="make the background white",
            save_as="sunny",
            candidates=1,
            replace=replace,
            progress=lambda _, share: told.append(share),
        )
        assert not report["refused"], report["why"]
        return report

    assert whiten(replace=False)["scene_saved"] == str(folder / "sunny-2.json")
    assert library.get("sunny") == own
    background = library.get("sunny-2").background
    assert background != own.background
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(set(told)) > 2
    assert whiten(replace=True)["scene_saved"] == str(folder / "sunny.json")
    assert library.get("sunny").background == background


def test_what_is_shown_as_something_like_it_is_in_the_report(configuration: Configuration) -> None:
    made = create(configuration, name="uncle", sentence="a bald man with a long beard")
    told = ("bald is shown as hair cropped close", "long beard is shown as stubble")
    assert made.notes["nearest"] == told


def test_an_unclothed_edit_is_refused(configuration: Configuration) -> None:
    report = edit(configuration, name="mia", instruction="take off the top and the blazer")
    assert report["refused"]
    assert report["why"]
    assert "saved" not in report


def test_an_unknown_name_is_refused(configuration: Configuration) -> None:
    with pytest.raises(ConfigurationError, match="'nobody'; accepted: mia"):
        edit(configuration, name="nobody", instruction="red shirt")
    with pytest.raises(ConfigurationError, match="a sentence or a photo; accepted: one"):
        create(configuration, name="x", sentence="a man", photo=Path("p.png"))
