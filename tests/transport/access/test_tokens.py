"""Tokens: what is issued is read again, and nothing else is."""

import base64
import json
import string

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigurationError
from tests.names import NAMES
from transport.access.errors import EXPIRED, WRONG, AccessValueError, CredentialError
from transport.access.grant import SCOPES
from transport.access.secret import Secret
from transport.access.tokens import LONGEST_SESSION, LONGEST_TOKEN, Tokens

KEY = bytes(range(32))
NOW = 1_800_000_000.0
TOKENS = Tokens(Secret(KEY), lambda: NOW)
ISSUED = TOKENS.issue("key_1", ["talk"], person="visitor-7").value
_LETTERS = string.ascii_letters + string.digits + "-_.=+/ \x00é"


def _later(seconds: float) -> Tokens:
    return Tokens(Secret(KEY), lambda: NOW + seconds)


def _segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_claims_are_read_again() -> None:
    session = {"audio": {"output": {"voice": "lily"}}}
    token = TOKENS.issue(
        "key_1", ["watch", "talk"], seconds=60, person="p.1", stream="stage", session=session
    )
    grant = TOKENS.read(token.value)
    assert token.expires_at == NOW + 60
    assert token.value.startswith("ek_")
    assert (grant.key_id, set(grant.scopes)) == ("key_1", {"talk", "watch"})
    assert (grant.person, grant.stream, grant.session) == ("p.1", "stage", session)
    assert grant.token_id == token.id


def test_a_token_ends_at_its_second() -> None:
    token = TOKENS.issue("key_1", ["talk"], seconds=10).value
    assert _later(9.9).read(token).key_id == "key_1"
    with pytest.raises(CredentialError) as caught:
        _later(10).read(token)
    assert caught.value.code == EXPIRED


@given(data=st.data())
def test_no_changed_token_is_accepted(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(ISSUED) - 1))
    kind = data.draw(st.sampled_from(["change", "drop", "insert", "cut", "double"]))
    letter = data.draw(st.sampled_from(_LETTERS))
    changed = {
        "change": ISSUED[:place] + letter + ISSUED[place + 1 :],
        "drop": ISSUED[:place] + ISSUED[place + 1 :],
        "insert": ISSUED[:place] + letter + ISSUED[place:],
        "cut": ISSUED[:place],
        "double": ISSUED[:place] + ISSUED,
    }[kind]
    if changed == ISSUED:
        return
    with pytest.raises(CredentialError):
        TOKENS.read(changed)


def test_no_last_letter_but_its_own_is_accepted() -> None:
    """32 bytes leave two bits of the last letter open: four letters mean the same signature."""
    for letter in string.ascii_letters + string.digits + "-_":
        if letter != ISSUED[-1]:
            with pytest.raises(CredentialError):
                TOKENS.read(ISSUED[:-1] + letter)


@given(text=st.text(max_size=200))
def test_no_text_is_accepted(text: str) -> None:
    for form in (text, f"ek_{text}", f"ek_{text}.{text}.{text}"):
        with pytest.raises(CredentialError):
            TOKENS.read(form)


@given(
    claims=st.fixed_dictionaries(
        {},
        optional={
            "iss": st.sampled_from(["vivant", "other", 3]),
            "sub": st.sampled_from(["key_1", 3, None]),
            "iat": st.integers(0, 2**40),
            "exp": st.one_of(st.integers(0, 2**40), st.just("9999999999"), st.just(1e999)),
            "jti": st.sampled_from(["x", 3]),
            "scopes": st.sampled_from([["talk"], ["admin"], "talk", [], [3], None]),
            "nbf": st.just(2**40),
            "extra": st.just(1),
        },
    )
)
def test_signed_claims_are_whole_or_refused(claims: dict[str, object]) -> None:
    whole = {"iss": "vivant", "sub": "key_1", "jti": "x", "scopes": ["talk"]}
    good = (
        {k: v for k, v in claims.items() if k not in ("iat", "exp")} == whole
        and isinstance(claims.get("iat"), int)
        and isinstance(claims.get("exp"), int)
        and float(str(claims["exp"])) > NOW
    )
    value = "ek_" + jwt.api_jws.encode(json.dumps(claims).encode(), KEY, "HS256")
    if good:
        assert TOKENS.read(value).key_id == "key_1"
    else:
        with pytest.raises(CredentialError):
            TOKENS.read(value)


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none", "typ": "JWT"},
        {"alg": "HS512", "typ": "JWT"},
        {"alg": "HS256"},
        {"alg": "HS256", "typ": "JWT", "crit": ["x"]},
        {"alg": "HS256", "typ": "JWT", "kid": "../../dev/null"},
    ],
)
def test_no_other_header_is_read(header: dict[str, object]) -> None:
    payload = ISSUED.split(".")[1]
    signing = f"{_segment(header)}.{payload}"
    algorithm = jwt.get_algorithm_by_name("HS256")
    signature = base64.urlsafe_b64encode(algorithm.sign(signing.encode(), KEY)).rstrip(b"=")
    for last in ("", signature.decode()):
        with pytest.raises(CredentialError):
            TOKENS.read(f"ek_{signing}.{last}")


def test_a_header_of_any_depth_is_refused() -> None:
    deep = base64.urlsafe_b64encode(b"[" * 2500).rstrip(b"=").decode()
    parts = ISSUED.split(".")
    with pytest.raises(CredentialError):
        TOKENS.read(f"ek_{deep}.{parts[1]}.{parts[2]}")


def test_claims_of_any_depth_are_refused() -> None:
    algorithm = jwt.get_algorithm_by_name("HS256")
    deep = base64.urlsafe_b64encode(b"[" * 2500).rstrip(b"=").decode()
    signing = f"{ISSUED[3:].split('.')[0]}.{deep}"
    signature = base64.urlsafe_b64encode(algorithm.sign(signing.encode(), KEY)).rstrip(b"=")
    with pytest.raises(CredentialError):
        TOKENS.read(f"ek_{signing}.{signature.decode()}")


def test_another_servers_token_is_refused() -> None:
    other = Tokens(Secret(bytes(32)), lambda: NOW).issue("key_1", ["talk"]).value
    with pytest.raises(CredentialError) as caught:
        TOKENS.read(other)
    assert caught.value.code == WRONG
    assert other not in str(caught.value)


@pytest.mark.parametrize("seconds", [9, 7201, 0, -1, 10**12, True, 60.0, "60", None])
def test_a_lifetime_out_of_range(seconds: int) -> None:
    with pytest.raises(AccessValueError, match="10 to 7200"):
        TOKENS.issue("key_1", ["talk"], seconds=seconds)


@pytest.mark.parametrize("name", [*NAMES, 3, "a b", "ü"], ids=lambda name: ascii(name)[:24])
def test_bad_ids_of_persons_and_streams(name: str) -> None:
    if name not in ("Page.js", 3):  # fine ids, though no names of a stream
        with pytest.raises(ConfigurationError, match="person"):
            TOKENS.issue("key_1", ["talk"], person=name)
    with pytest.raises(AccessValueError, match="stream"):
        TOKENS.issue("key_1", ["watch"], stream=name)


def test_a_token_stays_short_enough_for_a_header() -> None:
    session = {"instructions": "é" * ((LONGEST_SESSION - 30) // 2)}
    value = TOKENS.issue(
        "key_0123456789ab", SCOPES, person="p" * 64, stream="s" * 40, session=session
    ).value
    assert TOKENS.read(value).session == session
    assert len(value) <= LONGEST_TOKEN
    with pytest.raises(AccessValueError, match="at most 2048"):
        TOKENS.issue("key_1", ["talk"], session={"instructions": "é" * 1025})


def test_nothing_of_a_token_is_shown() -> None:
    token = TOKENS.issue("key_1", ["talk"])
    assert token.value not in repr(token)
    assert KEY.hex() not in repr(Secret(KEY))
    assert repr(KEY) not in repr(Secret(KEY))
