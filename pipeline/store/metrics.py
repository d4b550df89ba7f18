"""What was measured: `MetricPoint`s; an entry's id is its `at`."""

from typing import Final

from pipeline.store.tables import Journal

METRICS: Final = Journal("metrics")
