"""`vivant bench room`: a live room with a replayed chat, measured question by question."""

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.applications import Starlette
from tqdm import tqdm

from agents.rundown.document import Rundown
from agents.shop.product import Shop
from agents.shop.sample import sample_shop
from agents.shop.truth import FigureCheck
from agents.show.viewers import ViewerEvent
from pipeline.building import build_engine
from pipeline.clock import SystemClock
from pipeline.configuration import (
    Configuration,
    EgressSettings,
    KnowledgeSettings,
    RoomsSettings,
    load_configuration,
)
from pipeline.engine import LiveEngine
from pipeline.rooms.commands import Start, Stop
from pipeline.rooms.hosts import RoomHosts
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.seeds import ROOM
from pipeline.rooms.service import HistoryKind
from pipeline.rooms.state import LineView, RoomSpec, RoomState
from pipeline.store.on_air import open_rooms_store
from transport.calls import Calls
from transport.chat.player import Player
from transport.chat.sender import Sender
from transport.nat import DIRECT
from web.app import create_app
from web.bench.answers import (
    QUESTIONS,
    SHOP,
    Question,
    ask_all,
    read_questions,
    read_shop,
    summary,
)
from web.bench.chatter import Chatter, make_log
from web.bench.measures import Witness, false_figures, measures
from web.command.outcome import note
from web.command.progress import told
from web.command.rooms import open_house
from web.rooms import House
from web.streams import Broadcasting, open_broadcasting

# After the last question: those that wait have their answers by then, or never.
GRACE_S: Final = 45.0
ON_AIR_S: Final = 120.0
KINDS: Final[tuple[HistoryKind, ...]] = ("chat", "lines", "decisions", "metrics")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured.

    Attributes:
        minutes, rate: of the replayed log, at `rate` questions a second; 0 minutes leave the room
            off air, and have the questions asked alone.
        quick: without a picture.
        keep: folder for the recording and the history of the room; None keeps nothing.
        questions, shop: the set asked about another shop; None asks none.
        bandit: whether the learnt policy is measured in simulated rooms.
    """

    minutes: float = 10.0
    rate: float = 2.0
    quick: bool = False
    keep: Path | None = None
    questions: Path | None = QUESTIONS
    shop: Path | None = SHOP
    bandit: bool = True


@dataclass(slots=True)
class Stage:
    """A server of its own in this process, with the room that a fresh server has."""

    configuration: Configuration
    engine: LiveEngine
    broadcasting: Broadcasting
    house: House
    app: Starlette
    brought: dict[str, float] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    false: dict[str, list[str]] = field(default_factory=dict)


def run(plan: Plan, config: Path | None = None) -> dict[str, Any]:
    """Replay a log into a room on air, and measure; then have its host asked the questions about
    another shop.

    Raises:
        CommandError: the set of questions cannot be read.
    """
    asked = _held_out(plan)
    with tempfile.TemporaryDirectory(prefix="vivant-room-") as folder:
        configuration = _configured(load_configuration(config), Path(folder), plan.quick)
        note("loading the models")
        engine = build_engine(configuration, progress=note)
        report = asyncio.run(_run(configuration, engine, plan, asked))
    return report | _bandit_gain() if plan.bandit else report


def _held_out(plan: Plan) -> tuple[Shop, list[Question]] | None:
    if plan.questions is None or plan.shop is None:
        return None
    if not (plan.questions.is_file() and plan.shop.is_file()):
        note(f"no questions are asked: {plan.questions.name} or {plan.shop.name} is missing")
        return None
    return read_shop(plan.shop), read_questions(plan.questions)


async def _run(
    configuration: Configuration,
    engine: LiveEngine,
    plan: Plan,
    held_out: tuple[Shop, list[Question]] | None,
) -> dict[str, Any]:
    measured: dict[str, Any] = {}
    asked: dict[str, Any] = {}
    async with staged(configuration, engine) as stage:
        if plan.minutes:
            measured = await _perform(stage, plan)
        if held_out is not None:
            asked = await _ask(stage, *held_out)
    false = [each.pop("false_figures", 0) for each in (measured, asked)]
    return {
        "question_to_answer_p95_s": measured.pop("question_to_answer_p95_s", None),
        "answered_correctly": asked.pop("answered_correctly", None),
        "false_figures": sum(false),
        "bandit_gain": None,
        "minutes": plan.minutes,
        "rate": plan.rate,
        **measured,
        "held_out": asked,
    }


@asynccontextmanager
async def staged(configuration: Configuration, engine: LiveEngine) -> AsyncIterator[Stage]:
    """Serve live rooms in this process while the context lasts."""
    store = open_rooms_store(configuration)
    broadcasting = open_broadcasting(engine, DIRECT, configuration.egress)
    house = open_house(configuration, engine, broadcasting, store)
    app = create_app(
        engine, Calls(engine, DIRECT), looks=engine.looks, streams=broadcasting, house=house
    )
    async with app.router.lifespan_context(app):
        yield Stage(configuration, engine, broadcasting, house, app)


async def _perform(stage: Stage, plan: Plan) -> dict[str, Any]:
    rooms = stage.house.rooms
    spec = next(spec for spec in await rooms.specs() if spec.id == ROOM)
    note(f"the room {ROOM!r} goes on air with {spec.shop!r}")
    await rooms.command(ROOM, Start(), "bench")
    await _on_air(stage)
    witness = Witness()
    stage.broadcasting.streams.get(ROOM).add_output(witness)
    if plan.keep is not None:
        await rooms.record(ROOM, True)
    began = time.time()
    listening = asyncio.create_task(_listen(stage, spec), name="listen")
    await _replay(stage, spec, plan)
    await _settle(GRACE_S)
    listening.cancel()
    await asyncio.wait({listening})
    state = await rooms.state(ROOM)
    if plan.keep is not None:
        await rooms.record(ROOM, False)
    await rooms.command(ROOM, Stop(), "bench")
    history = {str(kind): await _history(stage, kind) for kind in KINDS}
    if plan.keep is not None:
        await asyncio.to_thread(_keep, plan.keep, history, stage.configuration)
    fixed = _fixed(await rooms.rundowns.get(spec.rundown))
    told = measures(history, stage.brought, witness, stage.false, fixed, began)
    return {**told, "alerts": _alerts(state)}


def _alerts(state: RoomState) -> dict[str, dict[str, Any]]:
    """Return how often each alert sounded, and what was told last."""
    counts = Counter(alert.code for alert in state.alerts)
    last = {alert.code: alert.message for alert in state.alerts}
    return {code: {"times": times, "last": last[code]} for code, times in counts.items()}


async def _listen(stage: Stage, spec: RoomSpec) -> None:
    """Compare the figures of each line, as it begins, with the shop as it is at that moment."""
    rooms = stage.house.rooms
    async for change in rooms.watch(spec.id):
        line = change.line if isinstance(change, RoomState) else change.value
        if not isinstance(line, LineView) or line.ended_at is not None or line.heard:
            continue
        check = FigureCheck(await rooms.shops.get(spec.shop), time.time)
        names = [stage.names.get(event, "") for event in line.events]
        if found := false_figures(line.model_dump(), names, check):
            stage.false[line.text] = found


def _fixed(rundown: Rundown) -> set[str]:
    """Return the sentences that may be said again within the hour."""
    sentences = [sentence for item in rundown for sentence in item.script if sentence.fixed]
    return {wording for sentence in sentences for wording in sentence.wordings}


async def _replay(stage: Stage, spec: RoomSpec, plan: Plan) -> None:
    entries = make_log(sample_shop(), Chatter(minutes=plan.minutes, rate=plan.rate))
    secret = await stage.house.rooms.secret(spec.id)
    note(f"{len(entries)} events in {plan.minutes:g} minutes, {plan.rate:g} questions a second")
    transport = httpx.ASGITransport(stage.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        with tqdm(total=len(entries), unit="event", file=sys.stderr, leave=False) as bar:

            def brought(events: Sequence[ViewerEvent], _: float) -> None:
                bar.update(len(events))

            sender = Sender(client, spec.id, secret)

            async def bring(events: Sequence[ViewerEvent]) -> Any:
                at = time.time()
                stage.brought.update((event.id, at) for event in events)
                stage.names.update((event.id, event.name) for event in events)
                return await sender.bring(events)

            await Player(entries, bring, SystemClock(), brought=brought).play()


async def _on_air(stage: Stage) -> None:
    async with asyncio.timeout(ON_AIR_S):
        async for change in stage.house.rooms.watch(ROOM):
            del change
            state = await stage.house.rooms.state(ROOM)
            if state.status == "on_air" and state.line is not None:
                return


async def _settle(seconds: float) -> None:
    clock = SystemClock()
    await clock.sleep_until(clock.now() + seconds)


async def _history(stage: Stage, kind: HistoryKind) -> list[dict[str, Any]]:
    """Return all entries of a kind, oldest first, each as it was at last."""
    found: list[dict[str, Any]] = []
    before: str | None = None
    while True:
        page = await stage.house.rooms.history(ROOM, kind, before, 1000)
        found += [dict(entry) for entry in page]
        if len(page) < 1000:
            return found[::-1]
        before = str(page[-1].get("id", page[-1].get("at")))


async def _ask(stage: Stage, goods: Shop, asked: Sequence[Question]) -> dict[str, Any]:
    hosts = RoomHosts(stage.engine, stage.configuration.think.persona, RoomClock())
    spec = RoomSpec(id="held-out", title="Held out", shop=goods.id, rundown="none")
    host = await asyncio.to_thread(hosts.make, spec, goods, lambda _: None)
    note(f"{len(asked)} questions about {len(goods.products)} products")
    with tqdm(total=len(asked), unit="question", file=sys.stderr, leave=False) as bar:
        outcomes = await ask_all(host, asked, FigureCheck(goods, time.time), bar.update)
    return summary(outcomes)


def _bandit_gain() -> dict[str, object]:
    from agents.brain.experiment import bandit_gain

    note("the learnt policy against the rules, in simulated rooms")
    with told() as tell:
        found = bandit_gain(tell=lambda share: tell("rooms", share))
    gain = found.pop("bandit_gain")
    return {"bandit_gain": gain, "bandit": found}


def _configured(configuration: Configuration, folder: Path, quick: bool) -> Configuration:
    """Return the configuration with everything that is kept in a folder of the measurement."""
    draw = replace(configuration.draw, renderer="none") if quick else configuration.draw
    return replace(
        configuration,
        draw=draw,
        egress=EgressSettings(folder / "egress"),
        rooms=RoomsSettings(
            f"sqlite:///{folder / 'rooms.db'}", "VIVANT_BENCH_DATABASE", folder / "rooms"
        ),
        knowledge=KnowledgeSettings(folder / "knowledge.db"),
    )


def _keep(
    folder: Path, history: Mapping[str, list[dict[str, Any]]], configuration: Configuration
) -> None:
    """Write the history as lines of JSON, and move the recording beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, entries in history.items():
        text = "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
        (folder / f"{kind}.jsonl").write_text(text, "utf-8")
    recordings = (configuration.egress.folder or folder) / "recordings"
    for film in sorted(recordings.glob("*.mp4")) if recordings.is_dir() else ():
        (folder / film.name).write_bytes(film.read_bytes())
