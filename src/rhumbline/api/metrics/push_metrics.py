"""Events, their deliveries and their streams."""

from collections import Counter
from collections.abc import Callable, Iterator

from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from rhumbline.domain.webhook import PushStanding

OUTCOMES = ("delivered", "not_taken", "given_up", "skipped")


class PushMetrics(Collector):
    """Reads the counts at scrape time. ``count`` counts attempts of this process, ``note`` keeps the store's."""

    def __init__(self) -> None:
        self._attempts: Counter[str] = Counter()
        self._standing: PushStanding | None = None
        self._streams: Callable[[], int] | None = None

    def count(self, outcome: str, /) -> None:
        self._attempts[outcome] += 1

    def note(self, standing: PushStanding, /) -> None:
        self._standing = standing

    def watch_streams(self, count: Callable[[], int]) -> None:
        """Report how many streams of events are open."""
        self._streams = count

    def collect(self) -> Iterator[Metric]:
        attempts = CounterMetricFamily(
            "rhumbline_webhook_attempts", "Attempts to deliver an event, by how they ended.", labels=["outcome"]
        )
        for outcome in OUTCOMES:
            attempts.add_metric([outcome], self._attempts[outcome])
        yield attempts
        if self._streams is not None:
            yield GaugeMetricFamily("rhumbline_streams_open", "Open streams of events.", self._streams())
        found = self._standing
        if found is None:
            return
        yield CounterMetricFamily("rhumbline_events_written", "Events that the store has ever written.", found.written)
        yield GaugeMetricFamily("rhumbline_events_unqueued", "Events without deliveries yet.", found.unqueued)
        yield GaugeMetricFamily("rhumbline_webhook_waiting", "Deliveries that wait for an attempt.", found.waiting)
        yield GaugeMetricFamily("rhumbline_webhook_oldest_seconds", "For how long the oldest waits.", found.oldest_s)
        endpoints = GaugeMetricFamily("rhumbline_webhooks", "Endpoints by their state.", labels=["state"])
        for state in ("working", "failing", "off"):
            endpoints.add_metric([state], getattr(found, state))
        yield endpoints
