"""The printed reference: up to date, complete, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from pipeline.rooms.commands import COMMAND_TYPES
from transport.protocol.schema import CLIENT_EVENTS, SERVER_EVENTS
from web.body import BODY_LIMIT
from web.openapi import OPERATIONS
from web.openapi.reference import pages
from web.rooms.chat import CHAT_LIMIT
from web.rooms.knowledge import DOCUMENT_LIMIT
from web.rooms.replay import LOG_LIMIT
from web.rooms.rundowns import RUNDOWN_LIMIT
from web.rooms.shops import SHOP_LIMIT

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "protocol"


@pytest.mark.parametrize("name", sorted(pages()))
def test_a_page_is_what_the_generator_prints(name: str) -> None:
    told = f"docs/protocol/{name} is not what the models say; run scripts/protocol-reference"
    assert (FOLDER / name).read_text("utf-8") == pages()[name], told


def test_every_event_and_every_operation_has_its_place() -> None:
    text = pages()
    for kind in (*CLIENT_EVENTS, *SERVER_EVENTS):
        page = "avatar.md" if kind.startswith("avatar.") else "realtime.md"
        wanted = (kind in CLIENT_EVENTS) + (kind in SERVER_EVENTS)
        assert len(re.findall(rf"(?m)^### {re.escape(kind)}$", text[page])) == wanted, kind
    for operation in OPERATIONS:
        assert f"### {operation.method} {operation.path}\n" in text["http.md"]


def test_every_command_has_a_row_with_its_fields() -> None:
    text = pages()["http.md"]
    for kind, model in COMMAND_TYPES.items():
        (row,) = re.findall(rf'(?m)^\| `"{kind}"` \| (.*) \|$', text)
        for name in set(model.model_fields) - {"type"}:
            assert f"`{name}`: " in row, (kind, name)


@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("POST", "/v1/rooms", BODY_LIMIT),
        ("POST", "/v1/rooms/{room}/chat", CHAT_LIMIT),
        ("POST", "/v1/rooms/{room}/replay", LOG_LIMIT),
        ("PUT", "/v1/shops/{shop}", SHOP_LIMIT),
        ("PUT", "/v1/rundowns/{rundown}", RUNDOWN_LIMIT),
        ("POST", "/v1/rundowns/check", RUNDOWN_LIMIT),
        ("PUT", "/v1/knowledge/{collection}/{document}", DOCUMENT_LIMIT),
    ],
)
def test_the_largest_body_is_told_as_it_is(method: str, path: str, limit: int) -> None:
    (found,) = (each for each in OPERATIONS if (each.method, each.path) == (method, path))
    size = f"{limit >> 20} MiB" if limit >> 20 else f"{limit >> 10} KiB"
    assert found.answers[413].text == f"the body is larger than {size}"


def test_every_link_leads_to_a_heading() -> None:
    anchors = {name: _anchors(text) for name, text in pages().items()}
    seen = 0
    for name, text in pages().items():
        for page, anchor in re.findall(r"\]\(([\w.]*)#?([\w-]*)\)", text):
            assert not page or page in anchors, page
            assert not anchor or anchor in anchors[page or name], (name, page, anchor)
            seen += 1
    assert seen > 100


def _anchors(text: str) -> set[str]:
    """Return the anchors of headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"(?m)^#+ (.+)$", text):
        anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-1")
    return found
