"""Specifications refuse what they do not accept, and come back from JSON as they were."""

import pickle

import pytest

from avatar.errors import AvatarValueError
from avatar.spec import HOSTS, AvatarSpec, SceneSpec, ready


@pytest.mark.parametrize("name", HOSTS)
def test_a_ready_host_survives_json_and_pickle(name: str) -> None:
    host = ready(name)
    assert host.name == name
    assert AvatarSpec.from_json(host.to_json()) == host
    assert pickle.loads(pickle.dumps(host)) == host  # noqa: S301
    assert len(host.to_json()) < 4096


def test_a_fault_names_field_value_and_what_is_accepted() -> None:
    for fields, message in (
        (
            {"body": {"age": 3.0}},
            r"AvatarSpec\.body\.age: 3\.0; accepted: .* or equal to 1",
        ),
        ({"skin": {"colour": "red"}}, r"skin\.colour: 'red'; accepted: \"#rrggbb\""),
        ({"skin": {"fur": 1}}, r"AvatarSpec\.skin\.fur: 1; there is no such field"),
        ({"hair": {"style": "beehive"}}, r"hair\.style: 'beehive'; accepted: .*'bob'"),
        ({"body": {"changes": {"nose-volume": 0.1}}}, r"accepted: nose-volume-incr"),
        ({"name": "../mia"}, r"AvatarSpec\.name: '\.\./mia'"),
        ({"seed": True}, r"AvatarSpec\.seed: True"),
    ):
        with pytest.raises(AvatarValueError, match=message):
            AvatarSpec.from_mapping({**fields})


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(AvatarValueError, match=r"body\.weight.*lips\.gloss"):
        AvatarSpec.from_mapping({"body": {"weight": 7}, "lips": {"gloss": -1}})


@pytest.mark.parametrize("lost", ["upper", "lower", "feet"])
def test_an_outfit_covers_the_body(lost: str) -> None:
    mia = ready("mia")
    with pytest.raises(AvatarValueError, match=f"nothing is worn as {lost}"):
        mia.changed(outfit=tuple(piece for piece in mia.outfit if piece.place != lost))


def test_two_garments_in_one_place_are_refused() -> None:
    mia = ready("mia")
    with pytest.raises(AvatarValueError, match="at most one piece for the place 'outer'"):
        mia.changed(outfit=(*mia.outfit, mia.outfit[1]))


def test_version_one_was_a_name() -> None:
    assert AvatarSpec.from_json('{"kind": "avatar", "version": 1, "name": "mia"}') == ready("mia")
    with pytest.raises(AvatarValueError, match="unknown avatar 'tom'; accepted: mia"):
        AvatarSpec.from_json('{"version": 1, "name": "tom"}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "accepted: a JSON object"),
        ('{"kind": "scene"}', "kind: 'scene'; accepted: 'avatar'"),
        ('{"version": 9}', "version: 9; accepted: 1 to 2"),
        ('{"version": "2"}', "version: '2'"),
        ("[" * 50_000, "not JSON"),
        (" " * 70_000, "accepted: up to 65536"),
    ],
)
def test_what_is_no_document_is_refused(text: str, message: str) -> None:
    with pytest.raises(AvatarValueError, match=message):
        AvatarSpec.from_json(text)


def test_only_what_is_seen_changes_the_digest() -> None:
    mia = ready("mia")
    assert mia.changed(title="Someone", voice=mia.voice.changed(speed=1.2)).digest() == mia.digest()
    assert mia.changed(lips=mia.lips.changed(gloss=0.9)).digest() != mia.digest()


def test_a_scene_refuses_an_unknown_framing() -> None:
    with pytest.raises(AvatarValueError, match="'feet'; accepted"):
        SceneSpec.from_mapping({"framing": "feet"})
