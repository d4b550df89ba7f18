"""The OpenAPI document: valid, and of exactly what is served."""

import json
import re
from pathlib import Path

import httpx
import jsonschema_rs

from tests.web.whole import whole_app
from web.access import rule_of
from web.openapi import OPERATIONS, document
from web.openapi.document import described, served_operations
from web.openapi.operations import TAGS


async def test_every_route_is_described_and_every_description_has_a_route(tmp_path: Path) -> None:
    served = set(served_operations(whole_app(tmp_path).routes))
    assert described(OPERATIONS) == served
    assert len(OPERATIONS) == len(described(OPERATIONS))


async def test_an_application_without_looks_describes_none(client: httpx.AsyncClient) -> None:
    shown = (await client.get("/openapi.json")).json()
    assert "/v1/realtime/calls" in shown["paths"]
    assert "/v1/looks" not in shown["paths"]
    assert "post" in shown["paths"]["/v1/realtime/calls"]


def test_what_stands_in_a_path_is_a_parameter_of_it() -> None:
    for operation in OPERATIONS:
        named = {each.name for each in operation.parameters if each.where == "path"}
        assert named == set(re.findall(r"\{(\w+)\}", operation.path)), operation


def test_the_door_asks_for_the_scope_that_is_told() -> None:
    for operation in OPERATIONS:
        path = re.sub(r"\{\w+\}", "x", operation.path)
        assert rule_of(path, operation.method).need == operation.scope, operation.path


def test_who_may_not_come_in_is_answered_as_documented() -> None:
    for operation in OPERATIONS:
        told = {int(status) for status in operation.as_openapi()["responses"]}
        assert ({401, 403, 429} <= told) == (operation.scope is not None), operation.path
        assert operation.method in ("GET", "OPTIONS") or 403 in told, operation.path


def test_it_reads_well() -> None:
    for operation in OPERATIONS:
        assert operation.summary[0].isupper(), operation
        assert operation.summary.endswith("."), operation
        assert operation.tag in dict(TAGS), operation


def test_every_schema_is_a_schema_and_every_reference_leads_somewhere(tmp_path: Path) -> None:
    shown = document(whole_app(tmp_path).routes)
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(shown)))
    assert references <= set(shown["components"]["schemas"])
    seen = 0
    for methods in shown["paths"].values():
        for operation in methods.values():
            for each in operation.get("parameters", []):
                assert jsonschema_rs.meta.is_valid(each["schema"]), each
                seen += 1
            for answer in operation["responses"].values():
                for content in answer.get("content", {}).values():
                    assert jsonschema_rs.meta.is_valid(content["schema"]), content
                    seen += 1
    assert seen > 30
