"""Identities and scenes are stored, listed, copied and combined by name."""

from pathlib import Path

import pytest

from avatar.spec import HOSTS, SCENES, ready, ready_scene
from pipeline.errors import ConfigurationError
from pipeline.library import avatars, scenes


def test_ready_documents_are_there_without_a_folder(tmp_path: Path) -> None:
    assert avatars(tmp_path).names == HOSTS
    assert scenes(tmp_path).names == SCENES
    assert avatars(tmp_path).get("mia") == ready("mia")
    assert scenes(tmp_path).get("shop") == ready_scene("shop")


def test_what_is_kept_comes_back_and_is_listed(tmp_path: Path) -> None:
    library = avatars(tmp_path)
    ours = ready("leo").changed(name="tom", title="Tom")
    path = library.keep(ours)
    assert path.suffix == ".json"
    assert avatars(tmp_path).names == (*HOSTS, "tom")
    assert avatars(tmp_path).get("tom") == ours
    library.keep(ours.changed(title="Thomas"))
    assert library.get("tom").title == "Thomas"
    library.remove("tom")
    assert library.names == HOSTS


def test_a_copy_has_its_own_name_and_the_same_look(tmp_path: Path) -> None:
    library = avatars(tmp_path)
    copied = library.copy("mia", "mia-2")
    assert copied.name == "mia-2"
    assert copied.digest() == ready("mia").digest()
    with pytest.raises(ConfigurationError, match=r"AvatarSpec\.name: '\.\./x'"):
        library.copy("mia", "../x")


def test_ready_ones_are_not_written_over_or_removed(tmp_path: Path) -> None:
    library = avatars(tmp_path)
    with pytest.raises(ConfigurationError, match="'mia' comes ready; accepted: another name"):
        library.keep(ready("mia"))
    with pytest.raises(ConfigurationError, match="'mia' comes ready and stays"):
        library.remove("mia")


@pytest.mark.parametrize("name", ["nobody", "../secret", "", "A", "x" * 41])
def test_an_unknown_name_is_refused_with_those_accepted(tmp_path: Path, name: str) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "secret.json").write_text(ready("mia").to_json())
    with pytest.raises(ConfigurationError, match="accepted: mia, leo"):
        avatars(tmp_path).get(name)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    library = avatars(tmp_path)
    library.keep(ready("mia").changed(name="ours")).write_text('{"skin": {"fur": 1}}')
    with pytest.raises(ConfigurationError, match=r"ours\.json: .*skin\.fur: 1; there is no such"):
        library.get("ours")
