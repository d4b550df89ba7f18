"""The door: which credentials pass, what for, and who may end what."""

from pathlib import Path

import pytest

from pipeline.errors import ConfigurationError
from tests.transport.access.doors import Door
from transport.access.access import ATTEMPTS_A_MINUTE, open_access
from transport.access.errors import (
    EXPIRED,
    MISSING,
    WRONG,
    AccessValueError,
    CredentialError,
    LimitReachedError,
    ScopeError,
)
from transport.access.grant import ANYBODY, LOCAL, SCOPES, Grant, Limits


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def _made(door: Door, name: str, *scopes: str, limits: Limits | None = None) -> str:
    _, key = door.file.create(name, scopes, limits)
    door.clock._now += 1.0
    return key


def test_a_server_without_keys_is_open_to_whatever_comes(door: Door) -> None:
    for credential in (None, "", "sk-anything", "vk_unknown", "ek_a.b.c"):
        assert door.access.identify(credential) == LOCAL
        assert door.access.recognise(credential) == LOCAL
    assert LOCAL.scopes == set(SCOPES)


def test_a_token_of_an_open_server_narrows(door: Door) -> None:
    token = door.access.issue(LOCAL, ["watch"], person="p")
    grant = door.access.identify(token.value)
    assert (set(grant.scopes), grant.person) == ({"watch"}, "p")
    _made(door, "shop", "talk")
    with pytest.raises(CredentialError):
        door.access.identify(token.value)


def test_a_closed_server_asks_for_a_credential(door: Door) -> None:
    key = _made(door, "shop", "talk")
    with pytest.raises(CredentialError) as missing:
        door.access.identify(None)
    with pytest.raises(CredentialError) as wrong:
        door.access.identify(key + "x")
    assert (missing.value.code, wrong.value.code) == (MISSING, WRONG)
    assert key not in str(wrong.value)
    assert door.access.identify(key).scopes == {"talk"}
    assert door.access.recognise(None) == ANYBODY
    assert door.access.recognise("vk_wrong") == ANYBODY
    assert not ANYBODY.scopes


def test_a_token_has_its_keys_limits_and_no_more_than_its_scopes(door: Door) -> None:
    key = _made(door, "shop", "talk", "watch", limits=Limits(sessions=1))
    grant = door.access.identify(key)
    token = door.access.issue(grant, ["watch"], stream="stage")
    held = door.access.identify(token.value)
    assert (held.key_id, held.limits) == (grant.key_id, grant.limits)
    assert held.scopes == {"watch"}
    held.require("watch", "stage")
    with pytest.raises(ScopeError, match="'stage' alone"):
        held.require("watch", "other")
    with pytest.raises(ScopeError, match="lacks the scope 'talk'"):
        held.require("talk")


def test_nobody_gets_a_token_for_more_than_they_have(door: Door) -> None:
    grant = door.access.identify(_made(door, "shop", "talk"))
    with pytest.raises(ScopeError, match="operate"):
        door.access.issue(grant, ["talk", "operate"])
    token = door.access.identify(door.access.issue(grant).value)
    with pytest.raises(ScopeError, match="not to tokens"):
        door.access.issue(token)
    with pytest.raises(ScopeError):
        door.access.issue(ANYBODY)
    with pytest.raises(ConfigurationError):
        door.access.issue(grant, ["talk"], person="../x")


def test_tokens_end_with_their_key(door: Door) -> None:
    key = _made(door, "shop", "talk")
    token = door.access.issue(door.access.identify(key), seconds=7200).value
    assert door.access.identify(token).key_id
    door.file.revoke("shop")
    door.clock._now += 1.0
    for credential in (key, token):
        with pytest.raises(CredentialError, match="revoked"):
            door.access.identify(credential)


def test_tokens_outlive_a_restart(door: Door) -> None:
    key = _made(door, "shop", "talk")
    token = door.access.issue(door.access.identify(key)).value
    assert door.reopened().identify(token).token_id


def test_an_expired_token_says_so_and_is_no_attempt(door: Door) -> None:
    token = door.access.issue(door.access.identify(_made(door, "s", "talk")), seconds=10).value
    door.clock._now += 10.0
    for _ in range(2 * ATTEMPTS_A_MINUTE):
        with pytest.raises(CredentialError) as caught:
            door.access.identify(token, "192.0.2.1")
        assert caught.value.code == EXPIRED


def test_wrong_credentials_of_one_address_are_limited(door: Door) -> None:
    key = _made(door, "shop", "talk")
    for _ in range(ATTEMPTS_A_MINUTE):
        with pytest.raises(CredentialError):
            door.access.identify("vk_wrong", "192.0.2.1")
    with pytest.raises(LimitReachedError) as caught:
        door.access.identify("vk_wrong", "192.0.2.1")
    assert caught.value.code == "attempts_limit"
    assert door.access.identify(key, "192.0.2.1"), "a neighbour's right key is not refused"
    with pytest.raises(CredentialError):
        door.access.identify("vk_wrong", "192.0.2.2")
    door.clock._now += caught.value.retry_after_s
    with pytest.raises(CredentialError):
        door.access.identify("vk_wrong", "192.0.2.1")


def test_an_ipv6_client_is_its_network(door: Door) -> None:
    _made(door, "shop", "talk")
    for n in range(ATTEMPTS_A_MINUTE):
        with pytest.raises(CredentialError):
            door.access.identify("vk_wrong", f"2001:db8:1:2::{n:x}")
    with pytest.raises(LimitReachedError):
        door.access.identify("vk_wrong", "2001:db8:1:2:ffff::1")
    with pytest.raises(CredentialError):
        door.access.identify("vk_wrong", "2001:db8:1:3::1")


def test_addresses_do_not_fill_the_memory(door: Door) -> None:
    _made(door, "shop", "talk")
    for n in range(6000):
        with pytest.raises(CredentialError):
            door.access.identify("vk_wrong", f"10.0.{n >> 8}.{n & 255}")
    assert len(door.access._attempts) == 4096


_KEY = Grant("key_1", frozenset({"talk"}))
_TOKEN = Grant("key_1", frozenset({"talk"}), token_id="t1")
_VISITOR = Grant("key_1", frozenset({"talk"}), token_id="t2", person="p")


@pytest.mark.parametrize(
    ("asker", "opener", "may"),
    [
        (_KEY, _KEY, True),
        (_KEY, _TOKEN, True),
        (_TOKEN, _TOKEN, True),
        (_TOKEN, _KEY, False),
        (_TOKEN, _VISITOR, False),
        (_VISITOR, _TOKEN, False),
        (Grant("key_1", frozenset({"talk"}), token_id="t3", person="p"), _VISITOR, True),
        (Grant("key_1", frozenset({"talk"}), token_id="t3", person="q"), _VISITOR, False),
        (Grant("key_2", frozenset({"talk"})), _KEY, False),
        (Grant("key_2", frozenset({"talk"}), token_id="t2", person="p"), _VISITOR, False),
        (Grant("key_2", frozenset({"operate"})), _VISITOR, True),
        (LOCAL, LOCAL, True),
        (ANYBODY, _KEY, False),
    ],
)
async def test_who_may_end_what(door: Door, asker: Grant, opener: Grant, may: bool) -> None:
    lease = door.access.admit(opener)
    lease.opened("call_1", lambda *_: None)
    if may:
        door.access.require_end(asker, "call_1")
    else:
        with pytest.raises(ScopeError):
            door.access.require_end(asker, "call_1")
    lease.close()
    door.access.require_end(asker, "call_1")
    await door.access.close()


def test_a_secret_is_made_once_and_kept_to_its_owner(tmp_path: Path) -> None:
    keys, secret = tmp_path / "keys.json", tmp_path / "new" / "secret"
    single = "k" * 40
    first = open_access(keys, secret, single=single)
    token = first.issue(first.identify(single)).value
    assert open_access(keys, secret, single=single).identify(token).token_id
    assert secret.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in secret.parent.iterdir()] == ["secret"]
    secret.chmod(0o644)
    with pytest.raises(AccessValueError, match="chmod 600"):
        open_access(keys, secret)
    secret.chmod(0o600)
    secret.write_text("short")
    with pytest.raises(AccessValueError, match="32 bytes") as caught:
        open_access(keys, secret)
    assert "short" not in str(caught.value)


def test_where_nothing_can_be_written_tokens_end_with_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keys, secret = tmp_path / "keys.json", tmp_path / "file" / "secret"
    single = "k" * 40
    first = open_access(keys, secret, single=single)
    token = first.issue(first.identify(single)).value
    assert first.identify(token).token_id
    with pytest.raises(CredentialError):
        open_access(keys, secret, single=single).identify(token)
