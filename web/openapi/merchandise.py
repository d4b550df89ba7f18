"""Operations of what rooms sell and say: shops, products, rundowns, knowledge."""

from typing import Any, Final

from web.openapi.broadcast import BODY, body_answers
from web.openapi.models import DELETED, OUTDATED, listed, with_example
from web.openapi.operation import (
    JSON,
    TEXT,
    Answer,
    Body,
    Operation,
    Schema,
    found,
    in_path,
    parameter,
    record,
    refused,
)
from web.openapi.rooms import IF_MATCH, NOT_KEPT, VERSION
from web.openapi.talking import NAME

TAGS: Final = (
    ("shops", "What there is to sell, and all that may be said of it."),
    ("rundowns", "What a host goes through on air."),
    ("knowledge", "Documents that hosts and drafts draw on, found by words and by meaning."),
)

_SHOP: Final = in_path("shop", "the shop's id", pattern=NAME)
_PRODUCT: Final = in_path("product", "the product's id", pattern=NAME)
_RUNDOWN: Final = in_path("rundown", "the rundown's id", pattern=NAME)
_COLLECTION: Final = in_path("collection", "which", enum=["products", "styling", "craft", "cases"])
_DOCUMENT: Final = in_path("document", "the document's id", maxLength=80)
_WORDS: Final = {
    "type": "object",
    "description": 'a text for each language: `{"en": …, "zh": …}`',
}
_COUNT: Final = {"type": "integer", "minimum": 0}
_PICTURES: Final = dict.fromkeys(("image/jpeg", "image/png", "image/webp"), TEXT)
_LANGUAGE: Final = parameter("language", "of the documents; any where absent", enum=["en", "zh"])

PRODUCT: Final[Schema] = record(
    ("id", "name"),
    id={"type": "string", "pattern": NAME},
    name=_WORDS,
    category=TEXT,
    price={"type": ["string", "null"], "description": "a decimal, as text"},
    currency={"type": "string", "description": "ISO 4217"},
    list_price={"type": ["string", "null"], "description": "before a reduction that stands"},
    stock={"type": ["integer", "null"], "minimum": 0},
    aliases={"type": "object", "description": "other names, a list for each language"},
    attributes={"type": "object", "description": "by name, texts by language"},
    points={"type": "object", "description": "selling points, a list for each language"},
    description=_WORDS,
    questions={"type": "array", "items": {"type": "object"}},
    offer={
        "type": ["object", "null"],
        "description": "`price`, and `condition`, `until` (ISO 8601 with a zone), `stock`",
    },
    picture=TEXT,
    link=TEXT,
)
_PRODUCT_EXAMPLE: Final = {
    "id": "canvas-bag",
    "name": {"en": "Canvas bag", "zh": "帆布包"},
    "price": "128.00",
    "currency": "CNY",
    "stock": 42,
    "attributes": {"colour": {"en": "sand, navy", "zh": "沙色、藏青"}},
    "offer": {"price": "99.00", "condition": {"en": "today only"}},
}
SHOP: Final[Schema] = record(
    ("id", "name"),
    id={"type": "string", "pattern": NAME},
    name=_WORDS,
    products={"type": "array", "items": PRODUCT},
    policies={"type": "object", "description": "by name, texts by language"},
    banned={"type": "array", "items": TEXT},
)
_SHOP_EXAMPLE: Final = {
    "id": "harbour",
    "name": {"en": "Harbour Goods"},
    "products": [_PRODUCT_EXAMPLE],
    "policies": {"shipping": {"en": "Ships within 48 hours."}},
}
RUNDOWN: Final[Schema] = record(
    ("id", "title", "language", "items"),
    id={"type": "string", "pattern": NAME},
    title=TEXT,
    language={"enum": ["en", "zh"]},
    loops={"type": "boolean"},
    items={
        "type": "array",
        "items": record(
            ("id", "kind"),
            id={"type": "string", "pattern": NAME},
            kind={"enum": ["opening", "product", "offer", "questions", "closing"]},
            script={
                "type": "array",
                "description": "sentences: a text, or `{wordings, fixed}`",
                "items": {"type": ["string", "object"]},
            },
            brief=TEXT,
            product={"type": ["string", "null"]},
            action=TEXT,
            duration={"type": ["number", "null"], "description": "seconds, 5 to 3600"},
            hook=TEXT,
        ),
    },
)
_RUNDOWN_EXAMPLE: Final = {
    "id": "evening",
    "title": "An evening",
    "language": "en",
    "items": [
        {"id": "hello", "kind": "opening", "script": ["Welcome!", "Good to see you."]},
        {"id": "bag", "kind": "product", "product": "canvas-bag", "brief": "That it stands."},
    ],
}
DOCUMENT: Final[Schema] = record(
    ("id", "title", "text", "language"),
    id=TEXT,
    collection=TEXT,
    title=TEXT,
    text=TEXT,
    language={"enum": ["en", "zh"]},
    metadata={"type": "object", "additionalProperties": TEXT},
    source=TEXT,
)
_DOCUMENT_EXAMPLE: Final = {
    "title": "Openers",
    "text": "Greet whoever comes in by name.",
    "language": "en",
    "metadata": {"kind": "opener"},
}
_PROBLEMS: Final = {
    "type": "array",
    "description": "what was not taken, by row and column; row 0 is the file as a whole",
    "items": record(row={"type": "integer"}, column=TEXT, value=TEXT, message=TEXT),
}
_BODIES: Final = {
    "shop": body_answers("8 MiB"),
    "product": BODY,
    "rundown": body_answers("2 MiB"),
    "document": body_answers("512 KiB"),
}
_FORM: Final = record(file={"type": "string", "contentMediaType": "application/octet-stream"})
_UPLOAD: Final = {408: BODY[408], 413: refused("the file is larger than 10 MiB"), 415: BODY[415]}


def _kept(kind: str, schema: Schema) -> dict[int, Answer]:
    return {
        200: Answer(f"the {kind} as it is now", {JSON: schema}, VERSION),
        400: refused("a field is not accepted"),
        404: refused(f"there is no such {kind}"),
        409: refused("a room on air cannot go on with it"),
        412: OUTDATED,
        503: NOT_KEPT,
        **_BODIES[kind],
    }


def _documents(
    kind: str,
    path: str,
    tag: str,
    schema: Schema,
    summary: Schema,
    example: Any,
) -> tuple[Operation, ...]:
    """Return the operations that shops and rundowns share."""
    place = f"{path}/{{{kind}}}"
    which = (in_path(kind, f"the {kind}'s id", pattern=NAME),)
    body = Body(f"the {kind}", {JSON: with_example(schema, example)})
    loose = Body(f"the {kind}, whole; `id` may be left out", {JSON: {"type": "object"}})
    return (
        Operation(
            "GET",
            path,
            f"List the {kind}s.",
            {200: found("all of them", listed(summary)), 503: NOT_KEPT},
            tag,
            scope="operate",
        ),
        Operation(
            "POST",
            path,
            f"Keep a new {kind}.",
            {
                201: Answer("it is kept", {JSON: schema}, {**VERSION, "Location": "its address"}),
                400: refused("a field is not accepted"),
                409: refused(f"there is a {kind} of that id"),
                503: NOT_KEPT,
                **_BODIES[kind],
            },
            tag,
            body=body,
            scope="operate",
        ),
        Operation(
            "GET",
            place,
            f"Show a {kind}.",
            {200: Answer(f"the {kind}", {JSON: schema}, VERSION), 404: refused("there is none")},
            tag,
            parameters=which,
            scope="operate",
        ),
        Operation(
            "PUT",
            place,
            f"Change a {kind}; rooms on air take it up at once.",
            _kept(kind, schema),
            tag,
            parameters=(*which, IF_MATCH),
            body=loose,
            scope="operate",
        ),
        Operation(
            "DELETE",
            place,
            f"Delete a {kind}.",
            {
                200: found("it is gone", DELETED),
                404: refused("there is none"),
                409: refused("a room is set to it"),
                412: OUTDATED,
                503: NOT_KEPT,
            },
            tag,
            parameters=(*which, IF_MATCH),
            scope="operate",
        ),
    )


_PRODUCTS: Final = (
    Operation(
        "GET",
        "/v1/shops/{shop}/products",
        "List a shop's products.",
        {200: found("all of them", listed(PRODUCT)), 404: refused("there is no such shop")},
        "shops",
        parameters=(_SHOP,),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/shops/{shop}/products/{product}",
        "Show a product.",
        {200: Answer("it", {JSON: PRODUCT}, VERSION), 404: refused("there is no such product")},
        "shops",
        parameters=(_SHOP, _PRODUCT),
        scope="operate",
    ),
    Operation(
        "PUT",
        "/v1/shops/{shop}/products/{product}",
        "Keep a product, in the place of the one of its id or as a new one.",
        {**_kept("product", PRODUCT), 201: Answer("it is new", {JSON: PRODUCT}, VERSION)},
        "shops",
        parameters=(_SHOP, _PRODUCT, IF_MATCH),
        body=Body("all of it; `id` may be left out", {JSON: {"type": "object"}}),
        scope="operate",
    ),
    Operation(
        "PATCH",
        "/v1/shops/{shop}/products/{product}",
        "Change some fields of a product: its stock, its price, its offer.",
        _kept("product", PRODUCT),
        "shops",
        parameters=(_SHOP, _PRODUCT, IF_MATCH),
        body=Body(
            "the fields; null takes one away",
            {JSON: with_example({"type": "object"}, {"stock": 12, "offer": None})},
        ),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/shops/{shop}/products/{product}",
        "Delete a product.",
        {
            200: found("it is gone", DELETED),
            404: refused("there is no such product"),
            409: refused("a room needs it"),
            412: OUTDATED,
            503: NOT_KEPT,
        },
        "shops",
        parameters=(_SHOP, _PRODUCT, IF_MATCH),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/shops/{shop}/products/{product}/picture",
        "See a product.",
        {
            200: Answer("the picture", _PICTURES, {"ETag": "for `If-None-Match`"}),
            304: Answer("it has not changed since it was sent"),
            404: refused("there is no such product, or no picture of it"),
        },
        "shops",
        parameters=(_SHOP, _PRODUCT),
    ),
    Operation(
        "PUT",
        "/v1/shops/{shop}/products/{product}/picture",
        "Keep a product's picture.",
        {
            200: found(
                "it is kept",
                record(object={"const": "picture"}, product=TEXT, bytes=_COUNT),
            ),
            400: refused("it is no picture that is taken"),
            404: refused("there is no such product"),
            408: BODY[408],
            413: refused("it is larger than 8 MiB"),
            415: BODY[415],
            503: NOT_KEPT,
        },
        "shops",
        parameters=(_SHOP, _PRODUCT),
        body=Body("the picture", _PICTURES),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/shops/{shop}/import",
        "Import a merchant's file: CSV, XLSX, Markdown or PDF, at most 10 MiB.",
        {
            200: found(
                "what it brought; a row with a problem is left out",
                record(
                    object={"const": "import"},
                    dry_run={"type": "boolean"},
                    imported={**_COUNT, "description": "new products"},
                    changed=_COUNT,
                    products={"type": "array", "items": TEXT},
                    policies={"type": "array", "items": TEXT},
                    problems=_PROBLEMS,
                ),
            ),
            400: refused("the form has no file, or a parameter is not accepted"),
            404: refused("there is no such shop"),
            409: refused("a room on air cannot go on with it"),
            503: NOT_KEPT,
            **_UPLOAD,
        },
        "shops",
        parameters=(
            _SHOP,
            parameter("dry_run", "tell what it would bring, and keep nothing", type="boolean"),
            parameter("zone", "of times that name none, such as `Asia/Shanghai`"),
        ),
        body=Body("the file", {"multipart/form-data": _FORM}),
        scope="operate",
    ),
)

_DRAFTS: Final = (
    Operation(
        "POST",
        "/v1/rundowns/draft",
        "Draft a rundown from a shop, and keep it.",
        {
            201: Answer("it", {JSON: RUNDOWN}, {**VERSION, "Location": "its address"}),
            400: refused("a field is not accepted, or the shop has nothing to sell"),
            404: refused("there is no such shop"),
            503: NOT_KEPT,
            **BODY,
        },
        "rundowns",
        body=Body(
            "of what",
            {
                JSON: with_example(
                    {
                        **record(
                            ("shop",),
                            shop=TEXT,
                            language={"enum": ["en", "zh"], "default": "en"},
                            title={"type": ["string", "null"], "maxLength": 80},
                        ),
                        "additionalProperties": False,
                    },
                    {"shop": "harbour", "language": "en"},
                )
            },
        ),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/rundowns/check",
        "Check a rundown without keeping it.",
        {
            200: found(
                "what is wrong with it, as spoken on air",
                record(
                    problems={
                        "type": "array",
                        "items": record(
                            item={"type": ["string", "null"]},
                            sentence={"type": ["integer", "null"]},
                            message=TEXT,
                        ),
                    }
                ),
            ),
            400: refused("it is no rundown, or `shop` is not accepted"),
            404: refused("there is no such shop"),
            **_BODIES["rundown"],
        },
        "rundowns",
        parameters=(parameter("shop", "whose products it names", pattern=NAME),),
        body=Body("the rundown", {JSON: with_example(RUNDOWN, _RUNDOWN_EXAMPLE)}),
        scope="operate",
    ),
)

_KNOWLEDGE: Final = (
    Operation(
        "GET",
        "/v1/knowledge/{collection}",
        "Find documents, or list them.",
        {
            200: found(
                "the best first, each with its `passage` and `citation`; without `query` by id",
                listed(DOCUMENT),
            ),
            400: refused("a parameter is not accepted"),
            404: refused("there is no such collection"),
        },
        "knowledge",
        parameters=(
            _COLLECTION,
            parameter("query", "what about; all documents where absent", maxLength=1000),
            _LANGUAGE,
            parameter("limit", "how many", type="integer", minimum=1, maximum=100, default=20),
            parameter("after", "the id that the list goes on after"),
        ),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/knowledge/{collection}/{document}",
        "Show a document.",
        {200: Answer("it", {JSON: DOCUMENT}, VERSION), 404: refused("there is none")},
        "knowledge",
        parameters=(_COLLECTION, _DOCUMENT),
        scope="operate",
    ),
    Operation(
        "PUT",
        "/v1/knowledge/{collection}/{document}",
        "Keep a document; it is found at once.",
        {
            200: Answer("it is changed", {JSON: DOCUMENT}, VERSION),
            201: Answer("it is new", {JSON: DOCUMENT}, VERSION),
            400: refused("a field is not accepted"),
            404: refused("there is no such collection"),
            412: OUTDATED,
            **_BODIES["document"],
        },
        "knowledge",
        parameters=(_COLLECTION, _DOCUMENT, IF_MATCH),
        body=Body("the document", {JSON: with_example({"type": "object"}, _DOCUMENT_EXAMPLE)}),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/knowledge/{collection}/{document}",
        "Delete a document.",
        {200: found("it is gone", DELETED), 404: refused("there is none"), 412: OUTDATED},
        "knowledge",
        parameters=(_COLLECTION, _DOCUMENT, IF_MATCH),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/knowledge/{collection}/import",
        "Import documents from Markdown, text, PDF, CSV or XLSX.",
        {
            200: found(
                "what it brought",
                record(
                    object={"const": "import"},
                    imported=_COUNT,
                    documents={"type": "array", "items": TEXT},
                    problems=_PROBLEMS,
                ),
            ),
            400: refused("the form has no file, or one that cannot be read"),
            404: refused("there is no such collection"),
            **_UPLOAD,
        },
        "knowledge",
        parameters=(_COLLECTION, _LANGUAGE),
        body=Body("the file", {"multipart/form-data": _FORM}),
        scope="operate",
    ),
)

OPERATIONS: Final = (
    *_documents(
        "shop",
        "/v1/shops",
        "shops",
        SHOP,
        record(id=TEXT, name=_WORDS, products=_COUNT),
        _SHOP_EXAMPLE,
    ),
    *_PRODUCTS,
    *_documents(
        "rundown",
        "/v1/rundowns",
        "rundowns",
        RUNDOWN,
        record(id=TEXT, title=TEXT, language=TEXT, loops={"type": "boolean"}, items=_COUNT),
        _RUNDOWN_EXAMPLE,
    ),
    *_DRAFTS,
    *_KNOWLEDGE,
)
