"""The guide's nginx in front: pages, calls and WebSockets over TLS."""

import contextlib
import datetime
import getpass
import ipaddress
import json
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.client import connect

from tests.web.socket_server import served
from transport.caller import Caller, HttpSignalling
from transport.microphone import Microphone

GUIDE = Path(__file__).parents[2] / "docs" / "network.md"
ADDRESS = "127.0.0.1"
START_SECONDS = 5.0
# What the guide leaves to the distribution.
_AROUND = """
daemon off;
pid {folder}/pid;
user {user};
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


@pytest.fixture
def trusting(tmp_path: Path) -> ssl.SSLContext:
    """Return what trusts a certificate made here, which lies in `tmp_path`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "talk.example")])
    now = datetime.datetime.now(datetime.UTC)
    addresses = [x509.IPAddress(ipaddress.ip_address(ADDRESS))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (tmp_path / "talk.pem").write_bytes(certificate.public_bytes(pem))
    (tmp_path / "talk.key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return ssl.create_default_context(cafile=tmp_path / "talk.pem")


@contextlib.contextmanager
def proxy(folder: Path, server_port: int) -> Iterator[str]:
    """Serve as the guide says, on a free port before `server_port`; give host and port."""
    (server,) = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port = probe.getsockname()[1]
    for written, meant in (
        ("listen 443 ssl", f"listen {ADDRESS}:{port} ssl"),
        ("/etc/ssl", str(folder)),
        ("127.0.0.1:8080", f"127.0.0.1:{server_port}"),
    ):
        assert written in server
        server = server.replace(written, meant)
    conf, log = folder / "nginx.conf", folder / "nginx.log"
    conf.write_text(_AROUND.format(folder=folder, user=getpass.getuser(), server=server))
    with subprocess.Popen(["nginx", "-p", folder, "-c", conf, "-e", log]) as process:
        try:
            _await_port(process, port)
            yield f"{ADDRESS}:{port}"
        finally:
            process.terminate()


def _await_port(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection((ADDRESS, port), 1):
            return
    raise AssertionError("nginx did not start; its words are in the log beside its settings")


class OverTls(HttpSignalling):
    """Calls as a page of the proxy's own name does."""

    def __init__(self, host: str, trusting: ssl.SSLContext) -> None:
        super().__init__(f"https://{host}")
        self._trusting = trusting
        self._host = host

    def _client(self) -> httpx.AsyncClient:
        origin = {"Origin": f"https://{self._host}"}
        return httpx.AsyncClient(verify=self._trusting, trust_env=False, headers=origin)


async def test_a_call_through_the_guides_proxy(tmp_path: Path, trusting: ssl.SSLContext) -> None:
    async with served() as server:
        with proxy(tmp_path, server.port) as host:
            async with httpx.AsyncClient(verify=trusting, trust_env=False) as client:
                page = await client.get(f"https://{host}/")
                other = await client.post(
                    f"https://{host}/v1/realtime/calls",
                    headers={"Origin": "https://elsewhere.example"},
                )
            async with Caller(Microphone(), video=False) as caller:
                await caller.connect(OverTls(host, trusting))
                await caller.until(lambda: caller.sounds[10:] or None, 5, "sound")
        await server.calls.empty()
    assert page.status_code == 200
    assert "<html" in page.text
    assert other.status_code == 403, "the proxy hides no page of another site"


async def test_a_socket_through_the_guides_proxy(tmp_path: Path, trusting: ssl.SSLContext) -> None:
    async with served() as server:
        with proxy(tmp_path, server.port) as host:
            url = f"wss://{host}/v1/realtime?model=vivant"
            async with connect(url, ssl=trusting) as sock:
                created = json.loads(await sock.recv())
    assert created["type"] == "session.created"
