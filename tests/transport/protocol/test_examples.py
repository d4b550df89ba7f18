"""Every event has an example, and every example is one."""

from typing import Any

import jsonschema_rs
import pytest
from pydantic import BaseModel

from transport.protocol.examples import client_example, server_example
from transport.protocol.schema import (
    CLIENT_EVENTS,
    SERVER_EVENTS,
    json_schema,
    read_client_event,
    read_server_event,
)


def validator(side: str) -> jsonschema_rs.Validator:
    """Return what checks the events of one side by the published schema."""
    return jsonschema_rs.validator_for({**json_schema(), "$ref": f"#/$defs/{side}"})


@pytest.mark.parametrize("kind", sorted(CLIENT_EVENTS))
def test_an_example_of_a_client_event_is_accepted(kind: str) -> None:
    example = client_example(kind)
    assert isinstance(read_client_event(example), CLIENT_EVENTS[kind])
    validator("ClientEvent").validate(example)


@pytest.mark.parametrize("kind", sorted(SERVER_EVENTS))
def test_an_example_of_a_server_event_has_the_fields_that_are_told(kind: str) -> None:
    example = server_example(kind)
    event = read_server_event(example)
    assert isinstance(event, SERVER_EVENTS[kind])
    assert list(_unknown(event)) == []
    validator("ServerEvent").validate(example)


@pytest.mark.parametrize("kind", sorted(CLIENT_EVENTS))
def test_a_field_nobody_knows_is_in_no_schema(kind: str) -> None:
    assert not validator("ClientEvent").is_valid({**client_example(kind), "foreign": 1})


def _unknown(value: Any) -> list[str]:
    """Return the fields within a value that its models do not have."""
    if isinstance(value, BaseModel):
        own = list(value.model_extra or {})
        return own + [name for each in dict(value).values() for name in _unknown(each)]
    if isinstance(value, list):
        return [name for each in value for name in _unknown(each)]
    return []
