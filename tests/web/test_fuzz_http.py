"""Whatever is asked over HTTP, the server answers as its OpenAPI document says, and stays well."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.fakes.engine import FakeEngine
from tests.transport.offers import (
    CANDIDATE,
    CONSTRAINED,
    VP8,
    audio_section,
    sdp,
    video_section,
)
from tests.web.server import running
from tests.web.whole import PERSON, whole_app
from web.openapi import OPERATIONS, describe
from web.openapi.broadcast import FRAGMENT

STREAM = "live"
AnyCase: TypeAlias = "schemathesis.Case[Any]"
CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    unsupported_method,
]


@st.composite
def offers(draw: st.DrawFn) -> bytes:
    """Return an offer that is answered, or one with lines lost, doubled, torn or foreign."""
    video = draw(st.sampled_from((VP8, CONSTRAINED)))
    # To talk, to watch, to publish.
    ways = (("sendrecv", "recvonly"), ("recvonly", "recvonly"), ("sendonly", "sendonly"))
    heard, shown = draw(st.sampled_from(ways))
    audio = audio_section(CANDIDATE, direction=heard)
    lines = sdp(audio, video_section(video, direction=shown)).splitlines()
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        tear = draw(st.integers(0, len(lines[at])))
        change = draw(st.sampled_from(("lose", "double", "tear", "foreign")))
        if change == "lose":
            lines[at] = ""
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "tear":
            lines[at] = lines[at][:tear]
        else:
            lines[at] = lines[at][:2] + draw(st.text(max_size=40))
    return "\r\n".join([*filter(None, lines), ""]).encode("utf-8", "surrogatepass")


schemathesis.openapi.media_type("application/sdp", offers() | st.binary(max_size=200))
schemathesis.openapi.media_type(
    FRAGMENT,
    st.sampled_from((f"a=ice-ufrag:abcd\r\na=mid:0\r\n{CANDIDATE}\r\n".encode(), b"a=x"))
    | st.binary(max_size=200),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = whole_app(tmp_path_factory.mktemp("fuzz"), FakeEngine(limit=8))
    with running(app) as url:
        assert httpx.post(f"{url}/v1/streams", json={"name": STREAM}).status_code == 201
        yield url


seen: list[tuple[str, int]] = []

_config = SchemathesisConfig()
_config.projects.default.generation.deterministic = True
schema = schemathesis.openapi.from_dict(describe(OPERATIONS), config=_config)


@schema.parametrize()
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_is_documented(case: AnyCase, server: str) -> None:
    known = {"stream": STREAM, "person": PERSON}
    if case.operation.label == "DELETE /v1/streams/{stream}":
        del known["stream"]  # the next ones need it
    for name in case.path_parameters.keys() & known.keys():
        if len(seen) % 2:  # what is made up is never there
            case.path_parameters[name] = known[name]
    answer = case.call(base_url=server)
    seen.append((case.operation.label, answer.status_code))
    assert answer.status_code < 500 or answer.status_code == 503
    case.validate_response(answer, checks=CHECKS)


def test_what_was_asked_reached_what_lies_behind() -> None:
    """Else the test above would have seen nothing but refusals."""
    served = {label for label, status in seen if status < 300}
    assert {"POST /v1/realtime/calls", "GET /v1/people/{person}/data"} <= served
    assert len(served) >= 20, served


def test_the_server_is_well_afterwards(server: str) -> None:
    assert httpx.get(f"{server}/healthz").json()["status"] in ("ok", "full")
