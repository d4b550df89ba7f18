"""Figures that are built while others talk: once, apart, and only so long waited for."""

import asyncio
import os
from pathlib import Path
from threading import Event

import pytest

from pipeline.errors import AssetError, AvatarPreparingError, ConfigurationError
from pipeline.folders import body_folder
from pipeline.library import avatars
from pipeline.looks import Looks
from pipeline.options import SessionOptions, VideoFormat
from pipeline.prepared import is_prepared
from pipeline.preparing import Preparing


def note_and_keep(cache: Path, name: str) -> None:
    """Stand in for the builder: note who was built by which process, and how gently."""
    with (cache / "built").open("a", encoding="utf-8") as file:
        file.write(f"{name} {os.getpid()} {os.nice(0)}\n")


def refuse(cache: Path, name: str) -> None:
    """Fail as the builder does, until there is a file `may`."""
    if not (cache / "may").exists():
        raise AssetError(f"{name} has no head")


def die(_cache: Path, _name: str) -> None:
    """End as a process that ran out of memory does."""
    os._exit(9)


def wait(cache: Path, _name: str) -> None:
    """Take for ever, and tell by the pipe `began` that it does."""
    (cache / "began").write_text("now", "utf-8")
    Event().wait()


def _built(cache: Path) -> list[list[str]]:
    return [line.split() for line in (cache / "built").read_text("utf-8").splitlines()]


async def test_many_wait_for_one_figure_built_elsewhere(tmp_path: Path) -> None:
    preparing = Preparing(tmp_path, note_and_keep)
    await asyncio.gather(*(preparing.ready(name) for name in ("ben", "lin", "ben", "ben")))
    built = _built(tmp_path)
    assert sorted(name for name, *_ in built) == ["ben", "lin"]
    assert all(int(process) != os.getpid() for _, process, _ in built)
    assert all(gentle == "19" for *_, gentle in built)
    assert os.nice(0) < 19
    await preparing.close()


async def test_the_event_loop_goes_on_meanwhile(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "began")
    preparing = Preparing(tmp_path, wait)
    waiting = asyncio.create_task(preparing.ready("ben"))
    await asyncio.to_thread((tmp_path / "began").read_text)
    assert not waiting.done()
    await preparing.close()
    with pytest.raises(AssetError, match="its process ended"):
        await waiting


async def test_a_caller_waits_so_long_and_the_work_goes_on(tmp_path: Path) -> None:
    preparing = Preparing(tmp_path, note_and_keep, longest_s=0.0)
    with pytest.raises(AvatarPreparingError, match="'ben' is being prepared; try again in 5"):
        await preparing.ready("ben")
    (work,) = (task for task in asyncio.all_tasks() if task.get_name() == "prepare-ben")
    await work
    assert len(_built(tmp_path)) == 1


async def test_what_went_wrong_is_told_and_the_next_tries_anew(tmp_path: Path) -> None:
    preparing = Preparing(tmp_path, refuse)
    told = await asyncio.gather(*(preparing.ready("ben") for _ in range(2)), return_exceptions=True)
    assert [str(error) for error in told] == [
        "avatar 'ben' cannot be prepared: ben has no head"
    ] * 2
    (tmp_path / "may").touch()
    await preparing.ready("ben")


async def test_a_builder_that_dies(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="its process ended before it was done"):
        await Preparing(tmp_path, die).ready("ben")


async def test_who_still_queues_when_the_server_closes_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "began")
    preparing = Preparing(tmp_path, wait)
    first = asyncio.create_task(preparing.ready("ben"))
    second = asyncio.create_task(preparing.ready("lin"))
    await asyncio.to_thread((tmp_path / "began").read_text)
    await preparing.close()
    with pytest.raises(AssetError, match="its process ended"):
        await first
    with pytest.raises(AssetError, match="'lin' cannot be prepared: the server closes"):
        await second
    await preparing.close()


async def test_only_a_figure_that_is_drawn_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def ready_of(_: Preparing, name: str) -> None:
        asked.append(name)

    monkeypatch.setattr(Preparing, "ready", ready_of)
    seen = SessionOptions(avatar="kofi", video=VideoFormat())
    await Looks(tmp_path).prepare(seen)
    looks = Looks(tmp_path, drawn=True)
    await looks.prepare(SessionOptions(avatar="kofi"))  # sound alone
    assert not asked
    await looks.prepare(seen)
    assert asked == ["kofi"]
    with pytest.raises(ConfigurationError, match="avatar is 'nobody'; accepted: mia"):
        await looks.prepare(SessionOptions(avatar="nobody", video=VideoFormat()))


async def test_a_host_nobody_has_seen_can_be_called_after_the_wait(
    tmp_path: Path, anny_cache: Path
) -> None:
    body_folder(tmp_path).symlink_to(anny_cache)
    avatars(tmp_path).copy("kofi", "own")
    looks = Looks(tmp_path, drawn=True)
    options = SessionOptions(avatar="own", video=VideoFormat())
    with pytest.raises(ConfigurationError, match="'own' has not been prepared"):
        looks.look(options)
    await looks.prepare(options)
    assert looks.look(options).avatar.name == "own"
    assert is_prepared(looks.avatars.get("own"), tmp_path)
    assert looks.still("own") is not None
    await looks.close()
