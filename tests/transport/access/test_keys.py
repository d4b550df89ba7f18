"""Keys are shown once, kept as digests, and end for running servers too."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes.clock import VirtualClock
from tests.names import NAMES
from transport.access.errors import AccessValueError
from transport.access.grant import SCOPES, Limits
from transport.access.keys import KeyFile, Keys


@pytest.fixture
def file(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "new" / "keys.json", lambda: 1000.0)


def test_a_key_is_written_down_nowhere(file: KeyFile) -> None:
    record, key = file.create("shop", ["talk"])
    assert key.startswith("vk_")
    assert len(key) == 46  # 256 bits
    for path in file.path.parent.iterdir():
        assert key[3:] not in path.read_text("utf-8")
    assert key not in repr(record)
    assert record.sha256 not in repr(record)


def test_the_file_is_its_owners_alone(file: KeyFile) -> None:
    file.create("shop", ["talk"])
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    file.path.chmod(0o644)
    assert file.read(), "digests tell nothing"
    file.path.chmod(0o620)
    with pytest.raises(AccessValueError, match="chmod 600"):
        file.read()


def test_what_is_made_is_read_again(file: KeyFile) -> None:
    limits = Limits(sessions=2, minutes_a_day=30, requests_a_minute=60)
    made, _ = file.create("shop", ["operate", "talk", "talk"], limits, expires=2000.0)
    assert made.scopes == ("talk", "operate")
    assert file.read() == (made,)


def test_a_key_is_found_by_itself_alone(file: KeyFile) -> None:
    made, key = file.create("shop", ["talk"])
    file.create("other", ["watch"])
    keys = Keys(file, clock=VirtualClock(), wall=lambda: 1000.0)
    assert keys.find(key) == made
    for wrong in (key[:-1], key + "A", key.swapcase(), made.sha256, made.id, "", "é" * 40):
        assert keys.find(wrong) is None


def test_a_key_expires(file: KeyFile) -> None:
    _, key = file.create("shop", ["talk"], expires=2000.0)
    assert Keys(file, wall=lambda: 1999.9).find(key) is not None
    assert Keys(file, wall=lambda: 2000.0).find(key) is None


def test_a_revoked_key_ends_within_a_second_on_a_running_server(file: KeyFile) -> None:
    made, key = file.create("shop", ["talk"])
    clock = VirtualClock()
    keys = Keys(file, clock=clock, wall=lambda: 1000.0)
    assert keys.get(made.id) is not None
    file.revoke("shop")
    clock._now += 1.0
    assert keys.find(key) is None
    assert keys.get(made.id) is None
    assert keys.required, "a server whose keys are all revoked must not stand open"


def test_a_key_made_later_closes_a_running_server(file: KeyFile) -> None:
    clock = VirtualClock()
    keys = Keys(file, clock=clock, wall=lambda: 1000.0)
    assert not keys.required
    _, key = file.create("shop", ["talk"])
    clock._now += 1.0
    assert keys.required
    assert keys.find(key) is not None


@pytest.mark.parametrize("harm", ["remove", "damage", "expose"])
def test_a_running_server_stays_closed_whatever_becomes_of_the_file(
    file: KeyFile, harm: str
) -> None:
    _, key = file.create("shop", ["talk"])
    clock = VirtualClock()
    keys = Keys(file, clock=clock, wall=lambda: 1000.0)
    if harm == "remove":
        file.path.unlink()
    elif harm == "damage":
        file.path.write_text("{")
    else:
        file.create("other", ["talk"])
        file.path.chmod(0o666)
    clock._now += 5.0
    assert keys.required
    assert keys.find(key) is not None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"keys": 3}', '{"version": 2}', '{"keys": [{"id": "x"}]}', "\xff"]
)
def test_a_damaged_file_is_told_at_the_start(file: KeyFile, text: str) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(text.encode("latin-1"))
    file.path.chmod(0o600)
    with pytest.raises(AccessValueError, match="holds no keys"):
        Keys(file)


def test_two_names_alike_are_refused_until_the_first_is_revoked(file: KeyFile) -> None:
    first, _ = file.create("shop", ["talk"])
    with pytest.raises(AccessValueError, match="another name"):
        file.create("shop", ["talk"])
    file.revoke(first.id)
    file.create("shop", ["talk"])
    assert [key.revoked is None for key in file.read()] == [False, True]


def test_revoking_what_is_not_there_is_told(file: KeyFile) -> None:
    file.create("shop", ["talk"])
    file.revoke("shop")
    for which in ("shop", "nobody", "", "vk_mistyped"):
        with pytest.raises(AccessValueError, match="no key in force") as caught:
            file.revoke(which)
        assert "vk_" not in str(caught.value)


def test_a_key_that_leaked_is_revoked_by_itself(file: KeyFile) -> None:
    made, key = file.create("shop", ["talk"])
    assert file.revoke(key).id == made.id


def test_keys_made_at_once_are_all_kept(file: KeyFile) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: file.create(f"shop{n}", ["talk"]), range(16)))
    assert {key.name for key in file.read()} == {f"shop{n}" for n in range(16)}


@pytest.mark.parametrize("name", [*NAMES, "Shop", "a b", 3, None], ids=lambda n: ascii(n)[:24])
def test_a_bad_name_is_refused(file: KeyFile, name: str) -> None:
    with pytest.raises(AccessValueError, match="a-z, 0-9") as caught:
        file.create(name, ["talk"])
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("scopes", [[], ["admin"], ["talk", ""], [None], [["talk"]]])
def test_scopes_that_are_none_are_refused(file: KeyFile, scopes: list[object]) -> None:
    with pytest.raises(AccessValueError, match="accepted: "):
        file.create("shop", scopes)


@pytest.mark.parametrize("value", [0, -1, 1.5, True, 10**9])
def test_limits_out_of_range_are_refused(value: int) -> None:
    with pytest.raises(AccessValueError, match="sessions"):
        Limits(sessions=value)


def test_a_key_of_the_environment() -> None:
    text = "vk_" + "a" * 43
    keys = Keys(None, text)
    found = keys.find(text)
    assert keys.required
    assert found is not None
    assert found.scopes == SCOPES
    assert text not in repr(found)
    assert keys.find(text + "a") is None
    with pytest.raises(AccessValueError, match="nobody can guess") as caught:
        Keys(None, "hunter2")
    assert "hunter2" not in str(caught.value)


def test_a_file_holds_no_key_in_clear(file: KeyFile) -> None:
    file.create("shop", ["talk"])
    (record,) = json.loads(file.path.read_text())["keys"]
    assert set(record) == {
        "id", "name", "sha256", "scopes", "limits", "created", "expires", "revoked",
    }  # fmt: skip
