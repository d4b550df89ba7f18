"""Payloads of platforms become events; whatever else comes becomes none, and breaks nothing."""

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transport.chat.adapters import ADAPTERS
from transport.chat.adapters.fields import text_at
from transport.chat.events import MOST_NAME, MOST_TEXT, read_event, written
from transport.errors import EventError, PayloadError

YOUTUBE = {
    "kind": "youtube#liveChatMessageListResponse",
    "items": [
        {
            "id": "LCC.1",
            "snippet": {
                "type": "textMessageEvent",
                "authorChannelId": "UC1",
                "displayMessage": "how much is it?",
                "textMessageDetails": {"messageText": "how much is it?"},
            },
            "authorDetails": {"channelId": "UC1", "displayName": "Lena"},
        },
        {
            "id": "LCC.2",
            "snippet": {
                "type": "superChatEvent",
                "authorChannelId": "UC2",
                "superChatDetails": {
                    "amountMicros": "5000000",
                    "amountDisplayString": "€5.00",
                    "userComment": "does it float?",
                },
            },
            "authorDetails": {"displayName": "Tom"},
        },
        {"id": "LCC.3", "snippet": {"type": "newSponsorEvent", "authorChannelId": "UC3"}},
        {"id": "LCC.4", "snippet": {"type": "chatEndedEvent"}},
    ],
}
TWITCH = {
    "metadata": {"message_type": "notification", "subscription_type": "channel.chat.message"},
    "payload": {
        "subscription": {"type": "channel.chat.message"},
        "event": {
            "chatter_user_id": "42",
            "chatter_user_name": "Mo",
            "message_id": "cc-1",
            "message": {"text": "hello :)", "fragments": []},
        },
    },
}
TWITCH_HOOK = {
    "subscription": {"type": "channel.cheer"},
    "event": {"user_id": "7", "user_name": "Bo", "bits": 100, "message": "cheer100"},
}
TWITCH_LINES = {
    "lines": [
        "@badge-info=;display-name=Ann\\sB;id=m-9;user-id=5 :ann!ann@ann.tmi.twitch.tv PRIVMSG "
        "#shop :what colours: red?\r\n",
        ":tim!tim@tim.tmi.twitch.tv JOIN #shop",
        "PING :tmi.twitch.tv",
        17,
    ]
}
TIKTOK = {
    "messages": [
        {
            "event": "chat",
            "data": {"msgId": "71", "userId": "9", "nickname": "Kim", "comment": "size?"},
        },
        {
            "event": "gift",
            "data": {
                "msgId": "72",
                "user": {"userId": "9", "nickname": "Kim"},
                "giftName": "Rose",
                "giftType": 1,
                "repeatEnd": True,
                "repeatCount": 5,
                "diamondCount": 2,
            },
        },
        {"event": "gift", "data": {"msgId": "73", "giftType": 1, "repeatEnd": False}},
        {"event": "like", "data": {"userId": "9", "likeCount": 15}},
        {"event": "social", "data": {"userId": "9", "displayType": "pm_main_follow_message"}},
        {"event": "roomUser", "data": {"viewerCount": 900}},
    ]
}
BILIBILI = {
    "messages": [
        {"cmd": "DANMU_MSG:4:0:2:2:2:0", "info": [[0, 1], "这个多少钱", [123, "小雨", 0]]},
        {
            "cmd": "SEND_GIFT",
            "data": {"uid": 5, "uname": "阿杰", "giftName": "小花花", "num": 3, "price": 100},
        },
        {"cmd": "INTERACT_WORD", "data": {"uid": 6, "uname": "新人", "msg_type": 1}},
        {"cmd": "INTERACT_WORD", "data": {"uid": 6, "uname": "新人", "msg_type": 2}},
        {
            "cmd": "LIVE_OPEN_PLATFORM_DM",
            "data": {"msg_id": "d-1", "open_id": "o1", "uname": "海", "msg": "有蓝色吗"},
        },
        {"cmd": "ONLINE_RANK_COUNT", "data": {"count": 20}},
    ]
}
DOUYIN = {
    "msg_type": "live_comment",
    "payload": [
        {"msg_id": "1", "sec_openid": "s1", "nickname": "老王", "content": "能优惠吗"},
        {"msg_id": "2", "sec_openid": "s2", "nickname": "空", "content": "  "},
    ],
}
DOUYIN_PACKED = {
    "msg_type": "live_gift",
    "payload": '[{"msg_id": "9", "sec_openid": "s1", "nickname": "老王", "gift_value": 12}]',
}


@pytest.mark.parametrize(
    ("name", "payload", "told"),
    [
        (
            "youtube",
            YOUTUBE,
            [
                ("youtube-LCC.1", "chat", "Lena", "how much is it?", 1.0),
                ("youtube-LCC.2", "gift", "Tom", "", 5.0),
                ("youtube-LCC.2-text", "chat", "Tom", "does it float?", 1.0),
                ("youtube-LCC.3", "follow", "", "", 1.0),
            ],
        ),
        ("twitch", TWITCH, [("twitch-cc-1", "chat", "Mo", "hello :)", 1.0)]),
        ("twitch", TWITCH_HOOK, [(None, "gift", "Bo", "", 100.0)]),
        (
            "twitch",
            TWITCH_LINES,
            [
                ("twitch-m-9", "chat", "Ann B", "what colours: red?", 1.0),
                (None, "join", "tim", "", 1.0),
            ],
        ),
        (
            "tiktok",
            TIKTOK,
            [
                ("tiktok-71", "chat", "Kim", "size?", 1.0),
                ("tiktok-72", "gift", "Kim", "", 10.0),
                (None, "like", "", "", 15.0),
                (None, "follow", "", "", 1.0),
            ],
        ),
        (
            "bilibili",
            BILIBILI,
            [
                (None, "chat", "小雨", "这个多少钱", 1.0),
                (None, "gift", "阿杰", "", 300.0),
                (None, "join", "新人", "", 1.0),
                (None, "follow", "新人", "", 1.0),
                ("bilibili-d-1", "chat", "海", "有蓝色吗", 1.0),
            ],
        ),
        ("douyin", DOUYIN, [("douyin-1", "chat", "老王", "能优惠吗", 1.0)]),
        ("douyin", DOUYIN_PACKED, [("douyin-9", "gift", "老王", "", 12.0)]),
    ],
)
def test_what_a_platform_sends(name: str, payload: object, told: list[tuple[Any, ...]]) -> None:
    events = ADAPTERS[name](payload)
    assert [(e.kind, e.name, e.text, e.amount) for e in events] == [each[1:] for each in told]
    for event, (wanted, *_) in zip(events, told, strict=True):
        assert wanted is None or event.id == wanted
        assert event.platform == name
        assert event.id.startswith(f"{name}-")
    assert ADAPTERS[name](payload) == events  # sent again it is the same
    assert len({event.id for event in events}) == len(events)


_WORDS = (
    ("items", "snippet", "type", "textMessageEvent", "event", "data", "cmd", "DANMU_MSG", "info"),
    ("msg_type", "live_comment", "payload", "lines", "messages", "chat", "comment", "gift"),
    ("user", "events", "id", "kind", "text", "SEND_GIFT", "amountMicros", "num", "repeatEnd"),
)
WORDS = st.sampled_from([word for words in _WORDS for word in words]) | st.text(max_size=12)
HOSTILE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -1, 2**63])
    | st.floats()
    | WORDS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=15,
)


@pytest.mark.parametrize("name", [each for each in ADAPTERS if each != "generic"])
@given(payload=HOSTILE)
@settings(max_examples=40)
def test_whatever_comes_breaks_nothing(name: str, payload: object) -> None:
    for event in ADAPTERS[name](payload):
        assert 0 < len(event.id) <= 120
        assert len(event.text) <= MOST_TEXT
        assert len(event.name) <= MOST_NAME
        assert 0 <= event.amount <= 1e9
        assert event.kind != "chat" or event.text.strip()
        assert read_event(written(event)) == event


@given(payload=HOSTILE)
@settings(max_examples=40)
def test_our_own_form_refuses_in_words(payload: object) -> None:
    with contextlib.suppress(EventError, PayloadError):
        assert ADAPTERS["generic"](payload)


def test_one_event_or_several_of_our_own_form() -> None:
    one = {"id": "a", "kind": "order", "product": "p1", "amount": 2}
    assert [event.amount for event in ADAPTERS["generic"](one)] == [2.0]
    both = ADAPTERS["generic"]({"events": [one, {"id": "b", "kind": "chat", "text": "hi"}]})
    assert [event.id for event in both] == ["a", "b"]
    with pytest.raises(EventError) as refused:
        ADAPTERS["generic"]({"events": [one, {"id": "b", "kind": "chat", "texts": "hi"}]})
    assert refused.value.param == "events.1.texts"
    with pytest.raises(PayloadError, match="1 to 100"):
        ADAPTERS["generic"]({"events": [one] * 101})


def test_a_flood_in_one_payload_is_cut() -> None:
    item = YOUTUBE["items"][0]
    assert len(ADAPTERS["youtube"]({"items": [item] * 5000})) <= 100
    long = {"cmd": "DANMU_MSG", "info": [[], "哈" * 100_000, [1, "x" * 100_000]]}
    event = ADAPTERS["bilibili"](long)[0]
    assert (len(event.text), len(event.name)) == (MOST_TEXT, MOST_NAME)


def test_of_an_order_it_is_told_how_many_and_not_how_much() -> None:
    order = {"id": "o-1", "kind": "order", "product": "bag", "amount": 2}
    assert read_event(order).amount == 2
    assert read_event({"id": "g-1", "kind": "gift", "amount": 1.5}).amount == 1.5
    with pytest.raises(EventError, match=r"amount is 1\.5; accepted: how many") as refused:
        read_event({**order, "amount": 1.5})
    assert refused.value.param == "amount"


def test_what_is_not_seen_is_left_out_of_texts_and_refused_in_ids() -> None:
    chat = {
        "id": "m",
        "kind": "chat",
        "text": " a\0b\u202e\nc\u3000👩\u200d🔧 ",
        "name": "\x1bLena\u2066",
    }
    event = read_event(chat)
    assert (event.text, event.name) == ("ab c\u3000👩\u200d🔧", "Lena")
    with pytest.raises(PayloadError, match="text is ''"):
        read_event({**chat, "text": "\0\u202e"})
    for field in ("id", "viewer", "product"):
        for value in ("a\0b", "a\n", "\u202ea", " a"):
            with pytest.raises(EventError, match="; accepted: no control characters") as refused:
                read_event({**chat, field: value})
            assert refused.value.param == field


def test_an_adapters_texts_are_as_clean_as_our_own() -> None:
    assert text_at({"a": "x\ny\0\u202e\u3000z"}, "a") == "x y\u3000z"
