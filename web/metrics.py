"""What the server counts, as Prometheus text."""

import time
from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.contract import Engine

# A client may send any word for a method; only these become labels.
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class ServerMetrics:
    """The application's own measurements, in a registry of their own or in the engine's.

    Names: vivant_sessions, vivant_sessions_limit, vivant_http_requests_total{route, method,
    status}, vivant_http_seconds{route}. A route is the pattern, so ids do not become labels; a
    method that HTTP has no name for is "other".
    """

    def __init__(self, engine: Engine, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        sessions = Gauge("vivant_sessions", "Sessions open now.", registry=self.registry)
        sessions.set_function(lambda: float(engine.sessions))
        limit = Gauge("vivant_sessions_limit", "Sessions at most.", registry=self.registry)
        limit.set_function(lambda: float(engine.limit))
        self._requests = Counter(
            "vivant_http_requests",
            "HTTP requests answered.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "vivant_http_seconds",
            "Time to the end of an HTTP response.",
            ("route",),
            registry=self.registry,
            buckets=(0.005, 0.02, 0.1, 0.5, 2.0, 10.0),
        )

    def record(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def show(self, _: Request) -> Response:
        """Answer `GET /metrics`."""
        return Response(
            generate_latest(self.registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )


class MetricsMiddleware:
    """Counts every request under the pattern of the route that took it."""

    def __init__(
        self, app: ASGIApp, metrics: ServerMetrics, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = self.clock(), 500

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            if route == "other":
                method = "any"
            self.metrics.record(route, method, status, self.clock() - started)
