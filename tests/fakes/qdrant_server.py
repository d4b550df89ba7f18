"""Stands in the place of a Qdrant server: its HTTP API, as far as we speak it, in front of the
local mode of Qdrant's client. What a real server does beyond that is not tested here.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

_COLLECTION = re.compile(r"/collections/([\w-]+)(/.*)?")


class _Api:
    """The calls, one after the other. `indexes`: which payload indexes were asked for."""

    def __init__(self) -> None:
        self._client = QdrantClient(":memory:")
        self._lock = threading.Lock()
        self.indexes: list[str] = []

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Any:
        with self._lock:
            if path == "/aliases":
                return self._client.get_aliases()
            if path == "/collections" and method == "GET":
                return self._client.get_collections()
            if path == "/collections/aliases":
                operations = models.ChangeAliasesOperation.model_validate(body).actions
                return self._client.update_collection_aliases(operations)
            match = _COLLECTION.fullmatch(path)
            if match is None:
                raise KeyError(path)
            return self._collection(method, match[1], match[2] or "", body)

    def _collection(self, method: str, name: str, rest: str, body: dict[str, Any]) -> Any:
        client, done = self._client, {"operation_id": 1, "status": "completed"}
        match (method, rest):
            case ("GET", ""):
                return client.get_collection(name)
            case ("DELETE", ""):
                return client.delete_collection(name)
            case ("PUT", ""):
                wanted = models.CreateCollection.model_validate(body)
                return client.create_collection(
                    name,
                    vectors_config=wanted.vectors,
                    sparse_vectors_config=wanted.sparse_vectors,
                )
            case ("PUT", "/index"):
                self.indexes.append(f"{body['field_name']}:{body['field_schema']}")
            case ("PUT", "/points"):
                client.upsert(name, models.PointsList.model_validate(body).points)
            case ("POST", "/points/delete"):
                client.delete(name, models.FilterSelector.model_validate(body))
            case ("PUT", "/points/vectors"):
                client.update_vectors(name, models.UpdateVectors.model_validate(body).points)
            case ("POST", "/points/payload"):
                client.set_payload(name, body["payload"], points=body["points"])
            case _:
                return self._read(name, rest, body)
        return done

    def _read(self, name: str, rest: str, body: dict[str, Any]) -> Any:
        client = self._client
        if rest == "/points":
            asked = models.PointRequest.model_validate(body)
            return client.retrieve(name, asked.ids, with_payload=asked.with_payload or True)
        if rest == "/points/count":
            return client.count(name, _filter(body))
        if rest == "/points/scroll":
            wanted = models.ScrollRequest.model_validate(body)
            points, offset = client.scroll(
                name, _filter(body), limit=wanted.limit or 10, offset=wanted.offset
            )
            return {"points": [_plain(point) for point in points], "next_page_offset": offset}
        if rest == "/points/query/batch":
            requests = models.QueryRequestBatch.model_validate(body).searches
            return client.query_batch_points(name, requests)
        raise KeyError(rest)


def _filter(body: dict[str, Any]) -> models.Filter | None:
    return models.Filter.model_validate(body["filter"]) if body.get("filter") else None


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


@contextmanager
def qdrant_server() -> Iterator[tuple[str, list[str]]]:
    """Run one; give its URL and the payload indexes it was asked for."""
    api = _Api()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            path = self.path.partition("?")[0]
            try:
                status, answer = 200, {"result": _plain(api.answer(self.command, path, body))}
            except (KeyError, ValueError) as error:
                status, answer = 400, {"status": {"error": f"{type(error).__name__}: {error}"}}
            data = json.dumps({"time": 0.0, "status": "ok", **answer}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="qdrant")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", api.indexes
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
