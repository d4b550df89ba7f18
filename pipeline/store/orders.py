"""What viewers bought."""

from typing import Any, Final

from agents.show.viewers import ViewerEvent
from pipeline.store.tables import Journal

ORDERS: Final = Journal("orders")


def order_document(event: ViewerEvent) -> dict[str, Any]:
    """Return an order as it is kept and shown."""
    return {
        "id": event.id,
        "at": event.at,
        "product": event.product,
        "amount": event.amount,
        "viewer": event.viewer,
        "name": event.name,
        "platform": event.platform,
    }
