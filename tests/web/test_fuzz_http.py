"""Whatever is asked over HTTP, the server answers as its OpenAPI document says, and stays well."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

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
from starlette.applications import Starlette

from pipeline.configuration import Configuration, PrivacySettings
from pipeline.looks import Looks
from pipeline.privacy import Line, open_holdings, open_keeper
from tests.fakes.engine import FakeEngine
from tests.transport.offers import CANDIDATE, VP8, audio_section, sdp, video_section
from tests.web.server import running
from transport.calls import Calls
from web.app import create_app
from web.openapi import document

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    unsupported_method,
]


def fuzzed_app(folder: Path) -> Starlette:
    """Return an application with everything it can have, and somebody of whom things are kept."""
    configuration = Configuration(
        cache=folder / "cache",
        privacy=PrivacySettings("transcripts", folder=folder / "people"),
    )
    line = Line(datetime.now(UTC), "sess_1", "item_1", "person", "hello", "en")
    open_holdings(configuration).transcripts.add("ann", line)
    engine = FakeEngine()
    return create_app(
        engine,
        Calls(engine, connect_timeout_s=1.0),
        looks=Looks(configuration.cache),
        keeper=open_keeper(configuration),
    )


@st.composite
def offers(draw: st.DrawFn) -> bytes:
    """Return an offer that is answered, or one with lines lost, doubled, torn or foreign."""
    lines = sdp(audio_section(CANDIDATE), video_section(VP8)).splitlines()
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(fuzzed_app(tmp_path_factory.mktemp("fuzz"))) as url:
        yield url


seen: set[tuple[str, int]] = set()

_config = SchemathesisConfig()
_config.projects.default.generation.deterministic = True
schema = schemathesis.openapi.from_dict(
    document(fuzzed_app(Path("no such folder")).routes), config=_config
)


@schema.parametrize()
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_is_documented(case: "schemathesis.Case[APIOperation]", server: str) -> None:
    answer = case.call(base_url=server)
    seen.add((case.operation.label, answer.status_code))
    assert answer.status_code < 500 or answer.status_code == 503
    case.validate_response(answer, checks=CHECKS)


def test_what_was_asked_reached_what_lies_behind() -> None:
    """Else the test above would have seen nothing but refusals."""
    assert {
        ("POST /v1/realtime/calls", 201),
        ("POST /v1/realtime/calls", 400),
        ("GET /v1/people/{person}/data", 200),
    } <= seen


def test_the_server_is_well_afterwards(server: str) -> None:
    assert httpx.get(f"{server}/healthz").json()["status"] in ("ok", "full")
