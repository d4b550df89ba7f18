"""Stores: what is acknowledged is there, the rest is not; both databases alike."""

import asyncio
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from pipeline.errors import ConfigurationError, StoreError
from pipeline.store import Store, open_store, rooms
from pipeline.store.chat import CHAT, settle, take_in, waiting
from pipeline.store.database import Database
from pipeline.store.lines import LINES
from pipeline.store.policies import POLICIES
from pipeline.store.schema import STEPS, migrate
from pipeline.store.shops import SHOPS, products, put_product, put_shop, remove_product
from pipeline.store.writer import Committer, Write, Writer
from tests.pipeline.store.postgresql import Cluster

ROW = rooms.RoomRow({"id": "a", "title": "一"}, "whsec_x", on_air=False)


async def with_room(store: Store, *names: str) -> None:
    for name in names or ("a",):
        await store.write(partial(rooms.add, room=name, row=ROW))


async def test_what_is_written_is_read_after_opening_again(url: str) -> None:
    first = open_store(url)
    await with_room(first)
    await first.write(lambda c: rooms.set_cursor(c, "a", 1.0, {"sentence": 3}))
    await first.write(lambda c: rooms.set_cursor(c, "a", 2.0, {"sentence": 4}))
    await first.write(lambda c: rooms.mark(c, "a", on_air=True))
    await first.close()
    again = open_store(url)
    assert await again.read(lambda c: rooms.cursor(c, "a")) == {"sentence": 4}
    assert await again.read(rooms.everything) == [rooms.RoomRow(ROW.spec, ROW.secret, True)]
    await again.close()


async def test_a_write_that_fails_undoes_itself_and_nobody_else(store: Store) -> None:
    await with_room(store)

    def half(connection: Connection) -> None:
        LINES.add(connection, "a", "1", 0.0, {"id": "1"})
        LINES.add(connection, "a", "1", 0.0, {"id": "1"})

    def whole(connection: Connection) -> None:
        LINES.add(connection, "a", "2", 0.0, {"id": "2"})

    results = await asyncio.gather(store.write(half), store.write(whole), return_exceptions=True)
    assert isinstance(results[0], IntegrityError)
    assert results[1] is None
    assert await store.read(lambda c: LINES.newest(c, "a", 9)) == [{"id": "2"}]
    assert store.trouble is None


async def test_a_journal_has_pages_and_is_swept(store: Store) -> None:
    await with_room(store, "a", "b")

    def fill(connection: Connection) -> None:
        for number in range(20):
            LINES.add(connection, "a", f"l{number}", float(number), {"id": f"l{number}"})
        LINES.add(connection, "b", "l0", 0.0, {"id": "of b"})
        LINES.put(connection, "a", "l19", 0.0, {"id": "l19", "whole": True})

    await store.write(fill)
    first = await store.read(lambda c: LINES.newest(c, "a", 2))
    assert first == [{"id": "l19", "whole": True}, {"id": "l18"}]
    then = await store.read(lambda c: LINES.newest(c, "a", 2, before="l18"))
    assert then == [{"id": "l17"}, {"id": "l16"}]
    assert await store.write(lambda c: LINES.sweep(c, "a", 5.0, 10)) == 10
    assert await store.read(lambda c: LINES.newest(c, "a", 1, before="l11")) == [{"id": "l10"}]
    assert await store.write(lambda c: LINES.sweep(c, "a", 15.0, 10)) == 5
    assert await store.read(lambda c: (LINES.count(c, "a"), LINES.count(c, "b"))) == (5, 1)


async def test_events_wait_until_they_are_settled(store: Store) -> None:
    await with_room(store)

    def happen(connection: Connection) -> None:
        for number in range(3):
            view = {"id": f"e{number}", "status": "waiting"}
            take_in(connection, "a", float(number), view, {"id": f"e{number}", "text": "多少钱"})

    await store.write(happen)
    await store.write(lambda c: settle(c, "a", {"id": "e1", "status": "spoken"}, waits=False))
    left = await store.read(lambda c: waiting(c, "a", 1.0))
    assert left == [{"id": "e2", "text": "多少钱"}]
    newest = await store.read(lambda c: CHAT.newest(c, "a", 2))
    assert [each["status"] for each in newest] == ["waiting", "spoken"]
    assert await store.read(lambda c: CHAT.known(c, "a", ["e1", "e7"])) == {"e1"}


async def test_products_keep_their_order_and_go_with_their_shop(store: Store) -> None:
    goods = [{"id": "z"}, {"id": "a"}]
    await store.write(lambda c: put_shop(c, "s", {"id": "s"}, goods))
    await store.write(lambda c: put_product(c, "s", {"id": "z", "stock": 3}))
    await store.write(lambda c: put_product(c, "s", {"id": "m"}))
    assert await store.read(lambda c: products(c, "s")) == [
        {"id": "z", "stock": 3}, {"id": "a"}, {"id": "m"},
    ]  # fmt: skip
    assert await store.write(lambda c: remove_product(c, "s", "a"))
    assert not await store.write(lambda c: remove_product(c, "s", "a"))
    assert await store.write(lambda c: SHOPS.remove(c, "s"))
    assert await store.read(lambda c: products(c, "s")) == []


async def test_what_a_room_did_goes_with_it(store: Store) -> None:
    await with_room(store)
    await store.write(lambda c: LINES.add(c, "a", "1", 0.0, {}))
    await store.write(lambda c: rooms.set_cursor(c, "a", 0.0, {}))
    await store.write(lambda c: rooms.remove(c, "a"))
    assert await store.read(lambda c: LINES.count(c, "a")) == 0
    assert await store.read(lambda c: rooms.cursor(c, "a")) is None


async def test_journals_are_of_rooms_there_are(store: Store) -> None:
    with pytest.raises(DBAPIError):
        await store.write(lambda c: LINES.add(c, "nobody", "1", 0.0, {}))


def test_an_older_database_is_brought_up_to_date(url: str) -> None:
    open_store(url).close_now()
    database = Database(url)

    def newer(connection: Connection) -> None:
        connection.execute(text("alter table rooms add column colour text"))

    with database.writing() as connection:
        migrate(connection, (*STEPS, newer))
    with database.writing() as connection:
        migrate(connection, (*STEPS, newer))  # has been brought up to date, and stays
        assert connection.execute(text("select colour from rooms")).all() == []
    with (
        pytest.raises(ConfigurationError, match="version 2; accepted: up to 1"),
        database.writing() as connection,
    ):
        migrate(connection)
    database.close()


def test_one_server_has_a_database(url: str) -> None:
    store = open_store(url)
    other = f"from pipeline.store import open_store; open_store({url!r})"
    made = subprocess.run(
        [sys.executable, "-c", other], capture_output=True, text=True, check=False
    )
    assert "in use by another server" in made.stderr
    store.close_now()
    subprocess.run([sys.executable, "-c", other + ".close_now()"], check=True, cwd=Path.cwd())


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "rooms.db", "postgresql://a/b"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="accepted: sqlite:///PATH or"):
        open_store(url)


def test_a_password_is_not_told() -> None:
    with pytest.raises(ConfigurationError) as refused:
        open_store("postgresql://me:hunter2@host/b")
    assert "hunter2" not in str(refused.value)


async def test_a_full_inbox_refuses(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/rooms.db")
    writer = Writer(database, inbox=1)
    gate, began = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(_: Connection) -> None:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()

    running = asyncio.wrap_future(writer.submit(slow))
    await began.wait()
    waiting = asyncio.wrap_future(writer.submit(lambda _: "second"))
    with pytest.raises(StoreError, match="1 writes wait"):
        writer.submit(lambda _: "third")
    gate.set()
    await running
    assert await waiting == "second"
    await asyncio.to_thread(writer.close)
    with pytest.raises(StoreError, match="closed"):
        writer.submit(lambda _: None)
    database.close()


async def test_a_full_disk_refuses_until_there_is_room(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/rooms.db")
    await with_room(store)
    pages = await store.read(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one())
    await store.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(StoreError, match="full; nothing was kept"):
        await store.write(lambda c: LINES.add(c, "a", "1", 0.0, "x" * 100_000))
    assert store.trouble == "full"
    assert await store.read(lambda c: LINES.count(c, "a")) == 0
    await store.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count=100000"))
    await store.write(lambda c: LINES.add(c, "a", "1", 0.0, "x" * 100_000))
    assert store.trouble is None
    await store.close()


def test_a_limit_of_the_system_refuses_too(tmp_path: Path) -> None:
    """A file system that takes no more, as a limit of file sizes has it."""
    script = f"""
import asyncio, resource, signal
from pipeline.errors import StoreError
from pipeline.store import open_store, rooms
from pipeline.store.lines import LINES
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

async def main():
    store = open_store("sqlite:///{tmp_path}/rooms.db")
    await store.write(lambda c: rooms.add(c, "a", rooms.RoomRow({{}}, "", False)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    kept = 0
    try:
        while True:
            await store.write(lambda c: LINES.add(c, "a", str(kept), 0.0, "x" * 50_000))
            kept += 1
    except StoreError as error:
        print(store.trouble, error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await store.write(lambda c: LINES.add(c, "a", "later", 0.0, ""))
    assert await store.read(lambda c: LINES.count(c, "a")) == kept + 1 > 1
    print(store.trouble)
    await store.close()

asyncio.run(main())
"""
    made = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert made.stdout == "full the disk of the database is full; nothing was kept\nNone\n", (
        made.stderr
    )


async def test_a_lost_server_refuses_until_it_is_back(cluster: Cluster) -> None:
    store = open_store(cluster.create("lost"))
    await with_room(store)
    cluster.stop()
    for _ in range(2):
        with pytest.raises(StoreError, match="cannot be reached; nothing was kept"):
            await store.write(lambda c: LINES.add(c, "a", "1", 0.0, {}))
    assert store.trouble == "lost"
    with pytest.raises(StoreError, match="cannot be reached"):
        await store.read(lambda c: LINES.count(c, "a"))
    cluster.start()
    await store.write(lambda c: LINES.add(c, "a", "1", 0.0, {}))
    assert await store.read(lambda c: LINES.count(c, "a")) == 1
    assert store.trouble is None
    await store.close()


def test_a_killed_process_has_kept_what_it_acknowledged(url: str) -> None:
    script = f"""
import asyncio
from pipeline.store import open_store, rooms
from pipeline.store.lines import LINES

async def add(store, number):
    await store.write(lambda c: LINES.add(c, "a", str(number), 0.0, {{}}))
    print(number, flush=True)

async def main():
    store = open_store({url!r})
    await store.write(lambda c: rooms.add(c, "a", rooms.RoomRow({{}}, "", True)))
    for start in range(0, 10**6, 20):
        await asyncio.gather(*(add(store, start + n) for n in range(20)))

asyncio.run(main())
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as doomed:
        assert doomed.stdout is not None
        told = [doomed.stdout.readline().strip() for _ in range(300)]
        os.kill(doomed.pid, signal.SIGKILL)
        told += doomed.stdout.read().split()
    database = Database(url)
    with database.reading() as connection:
        kept = LINES.known(connection, "a", told)
    assert kept == set(told)
    database.close()


async def test_many_writes_share_a_commit(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/rooms.db")
    with database.writing() as connection:
        migrate(connection)
    committer = Committer(database)
    writes = [Write(partial(POLICIES.put, key=str(n), document={"n": n})) for n in range(50)]
    writes[7].done.cancel()
    committer.commit(writes)
    assert all(write.done.done() for write in writes)
    with database.reading() as connection:
        assert len(POLICIES.everything(connection)) == 49
        assert POLICIES.get(connection, "7") is None
    database.close()
