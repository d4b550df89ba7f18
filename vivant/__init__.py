"""Vivant's client SDK: hold a conversation with a digital human.

    async with vivant.connect() as conversation:
        reply = await conversation.ask("When do you open?")
        print(await reply.text())

`docs/python-sdk.md` is its guide, `examples/` shows it at work. The server's events are described
in `transport.protocol.server`.
"""

from transport.client import (
    AudioChunk,
    ClientError,
    ClientValueError,
    ConnectionFailedError,
    ConnectionRefusedByServerError,
    Conversation,
    ConversationClosedError,
    Disconnected,
    Dropped,
    Event,
    MotionFormat,
    MotionFrame,
    Reconnect,
    Reply,
    ReplyLostError,
    RequestRefusedError,
    Resumed,
    SessionLostError,
    SlowConsumerError,
    TextChunk,
    UnknownEvent,
    VideoPacket,
    connect,
)
from transport.protocol import server as events

__all__ = [
    "AudioChunk",
    "ClientError",
    "ClientValueError",
    "ConnectionFailedError",
    "ConnectionRefusedByServerError",
    "Conversation",
    "ConversationClosedError",
    "Disconnected",
    "Dropped",
    "Event",
    "MotionFormat",
    "MotionFrame",
    "Reconnect",
    "Reply",
    "ReplyLostError",
    "RequestRefusedError",
    "Resumed",
    "SessionLostError",
    "SlowConsumerError",
    "TextChunk",
    "UnknownEvent",
    "VideoPacket",
    "connect",
    "events",
]
