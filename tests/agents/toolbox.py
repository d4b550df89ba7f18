"""Tools a merchant may give a host."""

from collections.abc import Sequence
from typing import Any

from agents.tools import Tool


def described(required: Sequence[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object."""
    return {"type": "object", "properties": properties, "required": list(required)}


def text(description: str = "", **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def one_of(*values: str, description: str = "") -> dict[str, Any]:
    """Return the schema of one of some values."""
    return {"type": "string", "enum": list(values), "description": description}


TRACK = Tool(
    "track_order",
    "Look up where an order is by its number.",
    described(["order_id"], order_id=text("The order number, like A1234")),
)
CANCEL = Tool(
    "cancel_order",
    "Cancel an order that is not yet shipped.",
    described(["order_id"], order_id=text("The order number"), reason=text("Why")),
)
WEATHER = Tool(
    "get_weather",
    "Get the current weather for a city.",
    described(["location"], location=text("City name"), unit=one_of("celsius", "fahrenheit")),
)
STOCK = Tool(
    "check_stock",
    "Check whether a product is in stock.",
    described(
        ["product"],
        product=text("Name of the product"),
        size=text("Size, if said"),
        color=text("Colour, if said"),
    ),
)
BOOK = Tool(
    "book_table",
    "Reserve a table at the restaurant.",
    described(
        ["party_size", "date", "time"],
        party_size={
            "type": "integer", "minimum": 1, "maximum": 20, "description": "Number of guests",
        },
        date=text("The day"),
        time=text("The time"),
        name=text("Name for the booking"),
        outdoor={"type": "boolean", "description": "Whether to sit outside"},
    ),
)  # fmt: skip
ORDER = Tool(
    "place_order",
    "Place an order for a pizza.",
    described(
        ["size", "quantity"],
        size=one_of("small", "medium", "large", description="Which size"),
        quantity={"type": "integer", "minimum": 1, "description": "How many"},
        topping={"type": "array", "items": one_of("mushroom", "onion", "extra cheese")},
        method=one_of("pickup", "delivery"),
    ),
)
FLIGHT = Tool(
    "search_flights",
    "Search flights.",
    described(["origin", "destination", "date"], origin=text(), destination=text(), date=text()),
)
SEARCH = Tool(
    "searchProducts",
    "Search the product catalogue.",
    described(
        ["query"],
        query=text("What to look for"),
        max_price={"type": "number", "description": "Highest price"},
    ),
)
HUMAN = Tool("transfer_to_human", "Transfer the caller to a human agent.")
LIGHT = Tool(
    "set_light",
    "Turn the lights on or off.",
    described(
        ["room", "on"],
        room=one_of("kitchen", "living_room", "bedroom"),
        on={"type": "boolean", "description": "Whether on"},
    ),
)
RECEIPT = Tool(
    "send_receipt",
    "Send the receipt by email.",
    described(["email"], email=text("Email address", format="email")),
)
NOTE = Tool(
    "leave_message", "Leave a message for the shop.", described(["message"], message=text("What"))
)

TOOLS = (
    TRACK, CANCEL, WEATHER, STOCK, BOOK, ORDER, FLIGHT, SEARCH, HUMAN, LIGHT, RECEIPT, NOTE,
)  # fmt: skip
