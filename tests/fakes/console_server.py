"""Serves the console over a fake room in which much happens: python -m tests.fakes.console_server

Nothing is spoken and the picture is a counter; everything else is as `vivant serve` has it.
"""

import argparse
import asyncio
import contextlib
import random
import tempfile
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from agents.show.viewers import ViewerEvent
from pipeline.atelier import Atelier
from pipeline.configuration import Configuration, EgressSettings
from pipeline.looks import Looks
from pipeline.options import SessionOptions, VideoFormat
from pipeline.rooms import commands
from pipeline.rooms.state import AlertView, DecisionView, MetricPoint
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.rooms import FakeRoom, FakeRooms
from transport.calls import Calls
from transport.line import Lines
from transport.nat import DIRECT
from transport.recordings import Recordings
from transport.streams import Streams
from web.app import create_app
from web.rooms import House
from web.streams import open_broadcasting

NAMES = ("Mei", "小雨", "Tom", "阿杰", "Lena", "海边的风", "Priya", "老王")
QUESTIONS = (
    "How much is the bag?",
    "这个包多少钱？",
    "does it come in blue??",
    "有蓝色的吗？",
    "when does it ship",
    "能装下电脑吗？",
    "Is the scarf still there?",
    "What are you wearing?",
)
SMALL_TALK = ("hi everyone", "主播好", "so pretty", "哈哈哈", "first time here", "666")


class LivelyRooms(FakeRooms):
    """Rooms in which viewers come, ask, buy, and are answered; on air a stream runs too."""

    def __init__(self, streams: Streams, seed: int = 7) -> None:
        super().__init__()
        self._streams = streams
        self._random = random.Random(seed)
        self._count = 0

    async def command(self, room_id: str, command: commands.Command, by: str) -> None:
        await super().command(room_id, command, by)
        names = [stream.name for stream in self._streams]
        if isinstance(command, commands.Start) and room_id not in names:
            options = SessionOptions(voice="tone", video=VideoFormat("h264", 270, 480, 400_000))
            self._streams.open(room_id, options)
        elif isinstance(command, commands.Stop) and room_id in names:
            await self._streams.end(room_id)

    async def live(self) -> None:
        """Let things happen, four times a second."""
        while True:
            await asyncio.sleep(0.25)
            self._count += 1
            for room in list(self.rooms.values()):
                if room.state.status == "on_air":
                    await self._happen(room)

    async def _happen(self, room: FakeRoom) -> None:
        draw = self._random
        if draw.random() < 0.35:
            await self.hear(room.state.room.id, [self._event()])
        if self._count % 8 == 0:
            self._answer_one(room)
        if self._count % 12 == 0 and not room.state.held and not room.state.cut:
            self._go_on(room)
        if self._count % 4 == 0:
            self._measure(room)
        if self._count % 40 == 0:
            self._decide(room)
        if self._count % 160 == 0:
            room.add(
                "alerts",
                AlertView(
                    id=f"alert-{self._count}",
                    at=self.now(),
                    level="warning",
                    code="model_away",
                    message="the language model does not answer; answers come from the catalogue",
                ),
            )

    def _event(self) -> ViewerEvent:
        draw = self._random
        self._count += 1
        name = draw.choice(NAMES)
        base = ViewerEvent(f"e{self._count}", "chat", f"v-{name}", name, platform="demo")
        fields = {each: getattr(base, each) for each in ("id", "viewer", "name", "platform")}
        match draw.choices(("ask", "talk", "join", "gift", "order", "like"), (5, 3, 4, 1, 1, 2))[0]:
            case "ask":
                return ViewerEvent(kind="chat", text=draw.choice(QUESTIONS), **fields)
            case "talk":
                return ViewerEvent(kind="chat", text=draw.choice(SMALL_TALK), **fields)
            case "gift":
                return ViewerEvent(kind="gift", gift="rose", amount=5, **fields)
            case "order":
                return ViewerEvent(kind="order", product="canvas-bag", amount=1, **fields)
            case "like":
                return ViewerEvent(kind="like", amount=draw.randint(1, 30), **fields)
            case _:
                return ViewerEvent(kind="join", **fields)

    def _answer_one(self, room: FakeRoom) -> None:
        waiting = [each for each in room.state.chat if each.status == "waiting"]
        if not waiting:
            return
        chat = waiting[0]
        spoken = self._random.random() < 0.7
        text = "It is ninety-nine yuan today." if spoken else "它今天九十九元。"
        line = self.speak(room, text, kind="answer") if spoken else None
        told = {
            "status": "spoken" if spoken else "written",
            "answer": text,
            "line": line.id if line else None,
            "waited_s": round(self.now() - chat.at, 2),
        }
        room.add("chat", chat.model_copy(update=told))
        room.change(waiting=len(waiting) - 1)

    def _go_on(self, room: FakeRoom) -> None:
        current = room.state.current
        items = self.rundown(room)
        if current is None:
            return
        item = items.item(current.id)
        after = current.sentence + 1
        if after >= max(1, len(item.script)):
            self.go_to(room, self.place(room) + 1)
            return
        room.change(current=current.model_copy(update={"sentence": after}))
        self.speak(room, item.script[after].wordings[0], item=item.id)

    def _measure(self, room: FakeRoom) -> None:
        draw = self._random
        before = room.state.metrics[-1].viewers if room.state.metrics else 40
        viewers = max(0, before + draw.randint(-3, 4))
        point = MetricPoint(
            at=self.now(),
            viewers=viewers,
            watching=1,
            dwell_s=90 + draw.random() * 40,
            questions=draw.random() * 30,
            clicks=draw.random() * 12,
            orders=draw.random() * 4,
            gifts=draw.random() * 2,
            likes=draw.random() * 60,
            answer_p95_s=2 + draw.random() * 3,
            on_time=0.97 + draw.random() * 0.03,
            pictures=24 + draw.random(),
            level_db=-30 + draw.random() * 20,
        )
        room.add("metrics", point, 720)
        room.change(viewers=viewers, at=self.now())

    def _decide(self, room: FakeRoom) -> None:
        action = self._random.choice(("keep", "switch", "offer", "pace", "repeat", "thank"))
        room.add(
            "decisions",
            DecisionView(
                id=f"d{self._count}",
                at=self.now(),
                action=action,
                detail={"product": "canvas-bag"} if action in ("switch", "offer") else {},
                by="rules",
                policy="rules-1",
                propensity=1.0,
                reason={
                    "en": "Clicks on the bag rose by a third in two minutes.",
                    "zh": "两分钟内帆布包的点击上升了三分之一。",
                },
                context={"viewers": float(room.state.viewers), "clicks": 9.5},
            ),
        )


def lively_app(folder: Path, cache: Path | None = None) -> tuple[Starlette, LivelyRooms]:
    """Return the application, and the rooms whose `live` is to run; `cache`: of built figures."""
    engine = FakeEngine([FakeScript(always=True)], limit=8)
    lines = Lines(engine)
    broadcasting = open_broadcasting(engine, DIRECT, EgressSettings(folder / "egress"))
    rooms = LivelyRooms(broadcasting.streams)
    configuration = Configuration(cache=cache or folder / "cache")
    looks = Looks(configuration.cache)
    recordings = Recordings(folder / "egress" / "recordings")
    app = create_app(
        engine,
        Calls(engine, lines=lines),
        lines=lines,
        languages={"tone": ("en", "zh"), "hum": ("en",)},
        looks=looks,
        streams=broadcasting,
        house=House(rooms, configuration, Atelier(configuration, looks), recordings),
    )
    return app, rooms


async def _serve(port: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app, rooms = lively_app(Path(folder), Configuration().cache)
        settings = uvicorn.Config(app, port=port, log_level="info", lifespan="on")
        living = asyncio.create_task(rooms.live(), name="living")
        try:
            await uvicorn.Server(settings).serve()
        finally:
            living.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await living


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8099)
    asyncio.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
