"""Knowledge over HTTP: documents that hosts and drafts draw on, found by words and by meaning."""

import asyncio
from dataclasses import asdict
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError
from agents.knowledge.document import (
    Collection,
    Document,
    check_collection,
    document_from_json,
    document_to_json,
)
from agents.knowledge.importing import ImportedDocuments, import_documents
from agents.knowledge.store import MOST_FOUND, Found, Knowledge
from pipeline.rooms.errors import RecordNotFoundError
from transport.strict_json import shown
from web.apart import Apart
from web.body import read_object
from web.errors import RequestRefusedError
from web.rooms.reading import UNKEPT, answer_deleted, answer_list, own_id, refusing
from web.rooms.uploads import read_upload
from web.rooms.versions import Versions, answer_document, check_version

COLLECTION: Final = "/v1/knowledge/{collection}"
DOCUMENT: Final = COLLECTION + "/{document}"
DOCUMENT_LIMIT: Final = 512 * 1024


def knowledge_routes(knowledge: Knowledge, versions: Versions, apart: Apart) -> list[Route]:
    """Return the routes of the four collections; files are read `apart`."""

    async def find(request: Request) -> JSONResponse:
        collection = _collection(request)
        query = request.query_params.get("query", "")
        language, limit = _language(request), _limit(request)
        with refusing():
            if query.strip():
                found = await asyncio.to_thread(
                    knowledge.search, query, collection=collection, language=language, limit=limit
                )
                return answer_list([_found(each) for each in found])
            after = request.query_params.get("after", "")
            documents = await asyncio.to_thread(
                knowledge.documents, collection, language=language, after=after, limit=limit
            )
            return answer_list([document_to_json(each) for each in documents])

    async def show(request: Request) -> JSONResponse:
        return answer_document(document_to_json(await _known(request)))

    async def put(request: Request) -> JSONResponse:
        collection, name = _collection(request), request.path_params["document"]
        body = await read_object(request, DOCUMENT_LIMIT)
        async with versions.changing:
            before = await _there(collection, name)
            if before is not None:
                check_version(request, document_to_json(before))
            with refusing():
                document = document_from_json({**own_id(body, name), "collection": collection})
                await asyncio.to_thread(knowledge.put, [document])
        return answer_document(document_to_json(document), 200 if before else 201)

    async def delete(request: Request) -> JSONResponse:
        document = await _known(request)
        async with versions.changing:
            check_version(request, document_to_json(document))
            await asyncio.to_thread(knowledge.delete, document.collection, [document.id])
        return answer_deleted("document", document.id)

    async def bring(request: Request) -> JSONResponse:
        collection, language = _collection(request), _language(request)
        upload = await read_upload(request)
        read: ImportedDocuments = await apart.read(
            import_documents, upload.name, upload.data, collection, language
        )
        if not read.documents and all(problem.row == 0 for problem in read.problems):
            wrong = "; ".join(f"{shown(each.value)} {each.message}" for each in read.problems)
            raise RequestRefusedError(400, wrong, param="file")
        if read.documents:
            await asyncio.to_thread(knowledge.put, list(read.documents))
        told = {
            "imported": len(read.documents),
            "documents": [document.id for document in read.documents],
            "problems": [asdict(problem) for problem in read.problems],
        }
        return JSONResponse({"object": "import", **told}, headers=UNKEPT)

    async def _there(collection: Collection, name: str) -> Document | None:
        try:
            return await asyncio.to_thread(knowledge.get, collection, name)
        except AgentValueError:
            return None

    async def _known(request: Request) -> Document:
        document = await _there(_collection(request), request.path_params["document"])
        if document is None:
            raise RecordNotFoundError("document", request.path_params["document"])
        return document

    return [
        Route(COLLECTION, find, methods=["GET"]),
        Route(COLLECTION + "/import", bring, methods=["POST"]),
        Route(DOCUMENT, show, methods=["GET"]),
        Route(DOCUMENT, put, methods=["PUT"]),
        Route(DOCUMENT, delete, methods=["DELETE"]),
    ]


def _collection(request: Request) -> Collection:
    try:
        return check_collection(request.path_params["collection"])
    except AgentValueError:
        raise RecordNotFoundError("collection", request.path_params["collection"]) from None


def _language(request: Request) -> Language | None:
    language = request.query_params.get("language") or None
    if language not in (None, *LANGUAGES):
        message = f"language is {shown(language)}; accepted: {', '.join(LANGUAGES)}"
        raise RequestRefusedError(400, message, param="language")
    return language


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", "20")
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= MOST_FOUND):
        message = f"limit is {shown(text)}; accepted: 1 to {MOST_FOUND}"
        raise RequestRefusedError(400, message, param="limit")
    return int(text)


def _found(found: Found) -> dict[str, Any]:
    return {
        **document_to_json(found.document),
        "passage": found.passage,
        "score": round(found.score, 5),
        "by_words": found.by_words,
        "citation": {**asdict(found.citation), "text": str(found.citation)},
    }
