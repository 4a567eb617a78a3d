"""What the operator has paused."""

from collections.abc import Callable, Iterable, Iterator

from prometheus_client import Metric
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from rhumbline.domain.pauses import PauseKind


class PauseMetrics(Collector):
    """Reads the pauses at scrape time, by kind and name. Quoting as a whole is there as 0 as well."""

    def __init__(self) -> None:
        self._read: Callable[[], Iterable[tuple[PauseKind, str]]] | None = None

    def watch(self, read: Callable[[], Iterable[tuple[PauseKind, str]]]) -> None:
        self._read = read

    def collect(self) -> Iterator[Metric]:
        if self._read is None:
            return
        paused = GaugeMetricFamily("rhumbline_paused", "1 for what the operator has paused.", labels=["kind", "name"])
        found = list(self._read())
        if all(kind is not PauseKind.QUOTING for kind, _ in found):
            paused.add_metric([PauseKind.QUOTING, "all"], 0)
        for kind, name in found:
            paused.add_metric([kind, name], 1)
        yield paused
