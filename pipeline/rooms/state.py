"""What a live room is set to be, and how it stands: what operators see, and all of them the same.

Times are seconds since the epoch by the room's clock.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.clause import Language
from agents.rundown.document import Kind
from agents.show.line import LineKind
from agents.show.pace import Pace
from agents.show.viewers import ViewerKind

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
Status = Literal["off", "starting", "on_air", "stopping", "failed"]
Autopilot = Literal["off", "rules", "learnt"]
Takeover = Literal["voice"]
# What became of what a viewer said: it waits, is being answered aloud, was answered aloud or in
# writing, was joined to another of the same meaning, needs no answer, was refused, or nobody knows.
ChatStatus = Literal[
    "waiting", "answering", "spoken", "written", "merged", "none", "refused", "unanswered"
]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Model):
    """What the merchant allows, whatever the operations brain would like.

    Attributes:
        offers_per_hour: offers announced, 0 to 60.
        most_discount_percent: an offer that lowers the price by more is not announced, 0 to 100.
        least_item_s: seconds an item is on air before the brain may switch, 0 to 3600.
        questions_per_minute: of one viewer that are answered, 1 to 60.
    """

    offers_per_hour: int = Field(default=12, ge=0, le=60)
    most_discount_percent: float = Field(default=50.0, ge=0, le=100)
    least_item_s: float = Field(default=30.0, ge=0, le=3600)
    questions_per_minute: int = Field(default=4, ge=1, le=60)


class RoomSpec(_Model):
    """What an operator sets.

    Attributes:
        shop, rundown: ids of what is stored.
        language: what the room speaks when nobody asks in another one.
        voice, avatar, scene, style: as of a session; None is the server's choice.
        autopilot: who decides what comes next but the rundown: nobody, rules, or the learnt policy
            where one has passed its estimate.
        banned: words never spoken here, beside those of the shop and of the law.
        greets: whether viewers are greeted and thanked.
        writes: whether questions that cannot be answered aloud in time are answered in writing.
        holding: what the holding card says.
        size: of the picture, as "540x960"; None is the server's.
    """

    id: Id
    title: str = Field(min_length=1, max_length=80)
    shop: Id
    rundown: Id
    language: Language = "en"
    voice: str | None = None
    avatar: str | None = None
    scene: str | None = None
    style: str | None = None
    size: str | None = None
    autopilot: Autopilot = "rules"
    limits: Limits = Limits()
    banned: tuple[str, ...] = Field(default=(), max_length=200)
    greets: bool = True
    writes: bool = True
    holding: str = Field(default="", max_length=120)


class ItemView(_Model):
    """An item of the rundown; `seconds`: how long it has been on air; `lasts`: None for as long
    as its script.
    """

    id: str
    kind: Kind
    title: str
    product: str | None = None
    seconds: float = 0.0
    lasts: float | None = None
    sentence: int = 0
    sentences: int = 0


class LineView(_Model):
    """A line that is heard or was; `heard`: the words sent, all of them when `whole`."""

    id: str
    kind: LineKind
    text: str
    language: Language
    item: str | None = None
    sentence: int | None = None
    product: str | None = None
    events: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    began_at: float = 0.0
    ended_at: float | None = None
    heard: str = ""
    whole: bool = False


class ChatView(_Model):
    """What a viewer did. `answer`: what was said or written to it; `merged_with`: an event's id;
    `waited_s`: from its coming to the first sound of its answer.
    """

    id: str
    kind: ViewerKind
    name: str
    text: str
    at: float
    platform: str = ""
    product: str | None = None
    amount: float = 1.0
    gift: str = ""
    status: ChatStatus = "none"
    answer: str = ""
    line: str | None = None
    merged_with: str | None = None
    waited_s: float | None = None


class DecisionView(_Model):
    """What the operations brain decided, and why.

    Attributes:
        action: "keep", "switch", "offer", "pace", "repeat" or "thank".
        detail: what of it, such as {"product": "p1"} or {"pace": "quick"}.
        by: "rules", "learnt" or "operator".
        policy: name and version of the policy.
        propensity: probability with which the policy takes this action here.
        reason: {"en": ..., "zh": ...}.
        context: the figures it was decided on.
        reward: what came of it, None before it is known.
        done: whether it was carried out; `refused`: which limit forbade it.
    """

    id: str
    at: float
    action: str
    detail: dict[str, str | float] = {}
    by: Literal["rules", "learnt", "operator"] = "rules"
    policy: str = ""
    propensity: float = 1.0
    reason: dict[Language, str] = {}
    context: dict[str, float] = {}
    reward: float | None = None
    done: bool = True
    refused: str = ""


class ProductView(_Model):
    """A product as operators see it. Prices are decimal texts in `currency`."""

    id: str
    name: str
    price: str | None = None
    list_price: str | None = None
    offer_price: str | None = None
    currency: str = "USD"
    stock: int | None = None
    picture: str = ""
    on_air: bool = False
    pinned: bool = False
    clicks: int = 0
    orders: int = 0


class MetricPoint(_Model):
    """What was measured over some seconds.

    Attributes:
        viewers: in the room, as the platform tells (joins less leaves where it tells nothing).
        watching: connected to the picture here.
        dwell_s: mean time viewers have been in the room.
        questions, clicks, orders, gifts, likes: a minute.
        answer_p95_s: question to first sound of its answer, of the last 5 minutes; None for none.
        on_time: share of pictures sent in time.
        pictures: a second.
        level_db: loudest 20 ms, dB of full scale, -90 for silence.
    """

    at: float
    viewers: int = 0
    watching: int = 0
    dwell_s: float = 0.0
    questions: float = 0.0
    clicks: float = 0.0
    orders: float = 0.0
    gifts: float = 0.0
    likes: float = 0.0
    answer_p95_s: float | None = None
    on_time: float = 1.0
    pictures: float = 0.0
    level_db: float = -90.0


class AlertView(_Model):
    """Something operators must know. `code` is fixed, `values` fill the console's own words."""

    id: str
    at: float
    level: Literal["info", "warning", "error"]
    code: str
    message: str
    values: dict[str, str | float] = {}
    ended_at: float | None = None


class RoomState(_Model):
    """How a room stands.

    Attributes:
        stream: name of the stream that viewers watch; empty while off.
        muted: whether the sound is silence.
        cut: whether the holding card is shown and nothing is said.
        held: whether the rundown stands still at the current item.
        pinned: the product that stays shown.
        pace: how fast the host speaks.
        takeover: how an operator speaks through the host just now.
        recording: name of the recording that is being made; empty for none.
        loop: how often the rundown has begun, from 1.
        waiting: questions that wait for an answer.
        chat, lines, decisions, metrics, alerts: the newest, oldest first, at most 200 of each
            (of metrics 720: an hour).
    """

    room: RoomSpec
    status: Status = "off"
    at: float = 0.0
    since: float | None = None
    stream: str = ""
    muted: bool = False
    cut: bool = False
    held: bool = False
    pinned: str | None = None
    pace: Pace = "usual"
    takeover: Takeover | None = None
    recording: str = ""
    loop: int = 0
    viewers: int = 0
    waiting: int = 0
    current: ItemView | None = None
    next: ItemView | None = None
    line: LineView | None = None
    products: tuple[ProductView, ...] = ()
    chat: tuple[ChatView, ...] = ()
    lines: tuple[LineView, ...] = ()
    decisions: tuple[DecisionView, ...] = ()
    metrics: tuple[MetricPoint, ...] = ()
    alerts: tuple[AlertView, ...] = ()
    policy: str = ""
    learning: str = ""


class RoomChange(_Model):
    """One change of a room's state. `number` grows by one; `field` is of `RoomState`, or, with
    `key`, one entry of that list, added or replaced by its id (`metrics`: appended).
    """

    number: int
    field: str
    key: str | None = None
    value: object = None
