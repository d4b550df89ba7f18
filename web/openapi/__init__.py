"""The HTTP interface as an OpenAPI 3.1 document, built from one table of operations."""

from web.openapi.document import PATH, describe, document, document_route
from web.openapi.operation import Answer, Body, Operation, Parameter
from web.openapi.operations import OPERATIONS

__all__ = [
    "OPERATIONS",
    "PATH",
    "Answer",
    "Body",
    "Operation",
    "Parameter",
    "describe",
    "document",
    "document_route",
]
