"""What operators were warned of: `AlertView`s."""

from typing import Final

from pipeline.store.tables import Journal

ALERTS: Final = Journal("alerts")
