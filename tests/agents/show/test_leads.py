"""A lead names what the answer is about, and nothing else."""

import pytest

from agents.clause import Clause
from agents.show.asking import Asked
from agents.show.speaking import _told
from agents.show.waiting import Entry


@pytest.mark.parametrize(
    ("attribute", "citations", "told"),
    [
        ("price", ("lamp.price",), "price"),
        ("price", ("lamp.offer",), "price"),
        ("price", ("lamp.charging",), None),
        ("shipping", ("policy:shipping",), "shipping"),
        ("shipping", ("policy:shipping_cost",), "shipping"),
        ("returns", (), "returns"),
    ],
)
def test_what_was_asked_for_is_named_if_it_is_told_of(
    attribute: str, citations: tuple[str, ...], told: str | None
) -> None:
    entry = _entry(attribute, citations)
    assert _told(entry) == told


def _entry(attribute: str, citations: tuple[str, ...]) -> Entry:
    clauses = (Clause("It is so.", "en"),)
    return Entry(
        id="1", kind="question", language="en", at=0.0, clauses=clauses,
        asked=Asked("lamp", attribute), citations=citations,
    )  # fmt: skip
