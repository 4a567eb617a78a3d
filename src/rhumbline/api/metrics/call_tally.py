"""Counts adapter calls for Prometheus in batches, because a metric's lock takes longer than counting."""

from bisect import bisect_left
from collections.abc import Iterable

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.2, 2.0, 4.0)
"""Upper bounds in seconds; longer calls are in a bucket of their own."""


class CallTally(Collector):
    """Counts adapter calls by outcome, with their duration. Used on one thread."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, str, str], int] = {}
        self._times: dict[tuple[str, str], tuple[list[int], list[float]]] = {}

    def add(self, adapter: str, call: str, outcome: str, seconds: float) -> None:
        """Note one call of an adapter: its key, ``quote``, ``build`` or ``status``, and how it ended."""
        end = (adapter, call, outcome)
        self._ends[end] = self._ends.get(end, 0) + 1
        times = self._times.get((adapter, call))
        if times is None:
            times = self._times[(adapter, call)] = ([0] * (len(BUCKETS) + 1), [0.0])
        times[0][bisect_left(BUCKETS, seconds)] += 1
        times[1][0] += seconds

    def collect(self) -> Iterable[Metric]:
        ends = CounterMetricFamily(
            "rhumbline_adapter_calls", "Calls of adapters, by how they ended.", labels=("adapter", "call", "outcome")
        )
        for labels, number in tuple(self._ends.items()):
            ends.add_metric(labels, number)
        times = HistogramMetricFamily(
            "rhumbline_adapter_call_seconds", "Time that adapters took.", labels=("adapter", "call")
        )
        for place, (counts, total) in tuple(self._times.items()):
            sums, buckets = 0, []
            for bound, number in zip((*map(str, BUCKETS), "+Inf"), tuple(counts), strict=True):
                sums += number
                buckets.append((bound, sums))
            times.add_metric(place, buckets, total[0])
        return ends, times
