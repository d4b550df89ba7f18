"""The client SDK: conversations with a Vivant server over its Realtime WebSocket.

Needs numpy, pydantic and websockets alone. Its users write `import vivant`.
"""

from transport.client.connecting import connect
from transport.client.conversation import Conversation, Dropped
from transport.client.errors import (
    ClientError,
    ClientValueError,
    ConnectionFailedError,
    ConnectionRefusedByServerError,
    ConversationClosedError,
    ReplyLostError,
    RequestRefusedError,
    SessionLostError,
    SlowConsumerError,
)
from transport.client.events import Disconnected, Event, Resumed, UnknownEvent
from transport.client.link import Reconnect
from transport.client.media import AudioChunk, MotionFormat, MotionFrame, TextChunk, VideoPacket
from transport.client.reply import Reply

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
]
