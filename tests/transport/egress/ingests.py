"""Ingests to publish to: FFmpeg, nginx, and some that do not do their part."""

import asyncio
import contextlib
import datetime
import getpass
import re
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

KEY = "stream-key-0123"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def url(port: int, scheme: str = "rtmp", host: str = "127.0.0.1") -> str:
    return f"{scheme}://{host}:{port}/live/{KEY}"


@contextlib.contextmanager
def running(*command: str, cwd: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program for as long as the block lasts."""
    with (cwd / "log").open("ab") as log:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def ffmpeg_listener(port: int, file: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Take one stream with FFmpeg and store it as it comes."""
    listen = ("-listen", "1", "-f", "flv", "-i", url(port))
    with running(
        *("ffmpeg", "-v", "warning", *listen, "-c", "copy", "-y", str(file)), cwd=file.parent
    ) as process:
        yield process


@contextlib.contextmanager
def nginx(port: int, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Take streams with nginx; each connection is stored as a file of its own in `folder`."""
    folder.mkdir(exist_ok=True)
    told = subprocess.run(["nginx", "-V"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"--modules-path=(\S+)", told)
    assert found is not None
    (folder / "nginx.conf").write_text(
        f"""
        load_module {found[1]}/ngx_rtmp_module.so;
        daemon off;
        user {getpass.getuser()};
        worker_processes 1;
        pid {folder}/pid;
        error_log {folder}/log warn;
        events {{ worker_connections 64; }}
        rtmp {{
            access_log off;
            server {{
                listen 127.0.0.1:{port};
                application live {{
                    live on; record all; record_path {folder};
                    record_unique on; record_suffix -%s.flv;
                }}
            }}
        }}
        """
    )
    conf, log = str(folder / "nginx.conf"), str(folder / "log")
    with running("nginx", "-p", str(folder), "-c", conf, "-e", log, cwd=folder) as process:
        yield process


def recorded(folder: Path) -> list[Path]:
    """Return what nginx has stored, oldest first."""
    return sorted(folder.glob("*.flv"), key=lambda path: path.stat().st_mtime)


@contextlib.contextmanager
def silent_ingest() -> Iterator[int]:
    """Accept connections (the system does) and never say a word. Yields the port."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as server:
        yield int(server.getsockname()[1])


@contextlib.contextmanager
def black_hole() -> Iterator[int]:
    """Leave connections unanswered, since those before fill the queue. Yields the port."""
    with contextlib.ExitStack() as kept:
        server = kept.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        port = int(server.getsockname()[1])
        for _ in range(4):
            filler = kept.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        yield port


@contextlib.asynccontextmanager
async def relay(port: int, tls: ssl.SSLContext | None = None) -> AsyncIterator["Relay"]:
    """Stand before an ingest at `port`, with TLS where asked for."""
    ingest = Relay(port)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that it is soon full
    server = await asyncio.start_server(ingest.serve, sock=listening, ssl=tls, limit=4096)
    ingest.port = int(listening.getsockname()[1])
    async with server:
        yield ingest
        await ingest.hang_up()


class Relay:
    """Passes on what comes until it is told to stop reading or to hang up.

    Attributes:
        port: where it listens.
        reads: whether it reads on; clear it and the publisher finds no taker.
        names: the server names that TLS clients asked for.
    """

    def __init__(self, behind: int) -> None:
        self._behind = behind
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.port = 0
        self.reads = asyncio.Event()
        self.reads.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        self._writers += [writer, inner_writer]
        self._tasks += [
            asyncio.create_task(self._pass(reader, inner_writer)),
            asyncio.create_task(self._pass(inner_reader, writer)),
        ]

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                await self.reads.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    async def hang_up(self) -> None:
        """Break all connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        self._tasks, self._writers = [], []


def certificate(folder: Path, host: str) -> tuple[ssl.SSLContext, Path]:
    """Return a server's TLS context with a certificate for `host`, and the file to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    trusted = folder / "certificate.pem"
    trusted.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    private = folder / "key.pem"
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted, private)
    return context, trusted
