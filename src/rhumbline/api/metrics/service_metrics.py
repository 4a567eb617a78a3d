"""The Prometheus metrics of this process, served on a separate port.

Labels are route templates, methods, status codes, adapters' and chains' keys: never a path as it was asked, a URL, an
address or a secret. https://prometheus.io/docs/practices/naming (read 2026-11)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from rhumbline.accounts.admission import Admission
from rhumbline.api.http.connections import Places
from rhumbline.api.metrics.call_tally import CallTally
from rhumbline.api.metrics.followed_chain_metrics import FollowedChainMetrics
from rhumbline.api.metrics.pause_metrics import PauseMetrics
from rhumbline.api.metrics.push_metrics import PushMetrics
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.gateways.loop_watch import LoopWatch

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NODE_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_HTTP_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_SHORTFALL_BUCKETS = (0.1, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0, 500.0)


class ServiceMetrics:
    """The metrics of one service, in a registry of their own, so several services in a process do not mix.

    What it records for floors below HTTP is described by ``Metrics``.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        Info("rhumbline_build", "What runs.", registry=registry).info({"version": version("rhumbline")})
        self._requests = Counter(
            "rhumbline_http_requests",
            "Requests answered, by route template.",
            ("route", "method", "status"),
            registry=registry,
        )
        self._latency = Histogram(
            "rhumbline_http_request_seconds",
            "Time to the end of the answer.",
            ("route",),
            buckets=_HTTP_BUCKETS,
            registry=registry,
        )
        self._in_flight = 0
        Gauge("rhumbline_http_requests_in_flight", "Requests that are being answered.", registry=registry).set_function(
            lambda: self._in_flight
        )
        # By route, method and status: finding a metric by its labels takes longer than counting.
        self._found: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        calls = CallTally()
        registry.register(calls)
        self.called = calls.add
        self._spared = Counter(
            "rhumbline_upstream_calls_spared",
            "Calls that an upstream's guard did not let through.",
            ("upstream", "call", "why"),
            registry=registry,
        )
        self._shortfalls = Histogram(
            "rhumbline_output_shortfall_bps",
            "By how much less than promised was measured, where it was less.",
            ("adapter", "chain"),
            buckets=_SHORTFALL_BUCKETS,
            registry=registry,
        )
        self._chains = FollowedChainMetrics()
        registry.register(self._chains)
        self._node_calls = Counter(
            "rhumbline_node_calls",
            "Calls of nodes, each of a batch, by chain, endpoint, method, what for, and how they ended.",
            ("chain", "node", "method", "purpose", "outcome"),
            registry=registry,
        )
        self._node_seconds = Histogram(
            "rhumbline_node_request_seconds",
            "Time that requests to nodes took.",
            ("chain", "node", "purpose"),
            buckets=_NODE_BUCKETS,
            registry=registry,
        )
        self._found_calls: dict[tuple[str, ...], Counter] = {}
        self._node_head = Gauge(
            "rhumbline_node_head_block", "The newest block of an endpoint.", ("chain", "node"), registry=registry
        )
        self._node_asked = Gauge(
            "rhumbline_node_asked",
            "Whether an endpoint is asked, 0 if set aside.",
            ("chain", "node"),
            registry=registry,
        )
        description = "Transfers whose end is not known yet."
        self._awaited = Gauge("rhumbline_transfers_pending", description, ("adapter",), registry=registry)
        pauses, push = PauseMetrics(), PushMetrics()
        registry.register(pauses)
        self.watch_pauses = pauses.watch
        registry.register(push)
        self.pushed, self.push_stands, self.watch_streams = push.count, push.note, push.watch_streams
        self._passed_over = Counter(
            "rhumbline_tracking_passed_over",
            "Transactions that named what is followed, and have no record.",
            ("chain", "why"),
            registry=registry,
        )
        self._gaps = Counter(
            "rhumbline_tracking_gap",
            "Events and transactions that a node had left out, found by another look.",
            ("chain",),
            registry=registry,
        )

    def entered(self) -> None:
        self._in_flight += 1

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Note that a request has ended."""
        self._in_flight -= 1
        self.passed(route, method, status, seconds)

    def passed(self, route: str, method: str, status: int, seconds: float) -> None:
        """Note a request that was answered at once, without ever being in flight."""
        key = (route, method if method in _METHODS else "OTHER", status)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = (self._requests.labels(*key), self._latency.labels(route))
        found[0].inc()
        found[1].observe(seconds)

    def spared(self, upstream: str, call: str, why: str, /) -> None:
        self._spared.labels(upstream, call, why).inc()

    def watch_chains(self, process: str, read: Callable[[], Mapping[str, FollowedChain]]) -> None:
        """Report who follows each chain, and how far, as ``read`` returns it; ``process`` is this process's name.

        Earlier samples of endpoints are dropped: there may be others now.
        """
        self._node_head.clear()
        self._node_asked.clear()
        self._chains.watch(process, read)

    def watch_clock(self, off_s: Callable[[], float]) -> None:
        """Report how far this process's clock is ahead of the store's."""
        description = "How far the process's own clock is ahead of the store's; negative where it is behind."
        Gauge("rhumbline_clock_off_seconds", description, registry=self.registry).set_function(off_s)

    def watch_dependencies(self, up: Mapping[str, Callable[[], bool]], store: Mapping[str, Callable[[], int]]) -> None:
        """Report whether each dependency answered last, and the store's connections by their use."""
        description = "Whether a dependency answered when it was asked last."
        each = Gauge("rhumbline_dependency_up", description, ("dependency",), registry=self.registry)
        for name, answers in up.items():
            each.labels(name).set_function(answers)
        description = "Connections of the store's pool: in use, and at rest."
        pool = Gauge("rhumbline_store_connections", description, ("use",), registry=self.registry)
        for name, count in store.items():
            pool.labels(name).set_function(count)

    def watch_trails(self, dropped: Callable[[], int]) -> None:
        self.registry.register(_Dropped(dropped))

    def watch_scores(self, lost: Callable[[], int], uncounted: Callable[[], int]) -> None:
        self.registry.register(_Scores(lost, uncounted))

    def watch(self, places: Places, /) -> None:
        self.registry.register(_Connections(places))

    def watch_load(self, admission: Admission, loop: LoopWatch, /) -> None:
        self.registry.register(_Load(admission, loop))

    def asked_node(
        self, chain: str, node: str, methods: Sequence[str], purpose: str, outcome: str, seconds: float, /
    ) -> None:
        """Note one request to a node of a chain: ``answered``, ``refused``, ``failed``, or ``late`` for its asker."""
        for method in methods:
            key = (chain, node, method, purpose, outcome)
            count = self._found_calls.get(key)
            if count is None:
                count = self._found_calls[key] = self._node_calls.labels(*key)
            count.inc()
        self._node_seconds.labels(chain, node, purpose).observe(seconds)

    def compared_node(self, chain: str, node: str, head: int | None, is_asked: bool, /) -> None:
        """Note the newest block of a node, None while unknown, and whether it is used."""
        if head is not None:
            self._node_head.labels(chain, node).set(head)
        self._node_asked.labels(chain, node).set(is_asked)

    def followed(self, chain: str, head: int, next_block: int, /) -> None:
        self._chains.note(chain, head, next_block)

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        self._passed_over.labels(chain, why).inc(count)

    def found_gap(self, chain: str, count: int, /) -> None:
        self._gaps.labels(chain).inc(count)

    def awaited(self, transfers: Mapping[str, int], /) -> None:
        self._awaited.clear()
        for adapter, count in transfers.items():
            self._awaited.labels(adapter).set(count)

    def fell_short(self, adapter: str, chain: str, bps: float, /) -> None:
        self._shortfalls.labels(adapter, chain).observe(bps)


class _Connections(Collector):
    """Reads the counts at their source, so connections cost nothing extra."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("rhumbline_http_connections", "Open connections.", self._places.open)
        refused = CounterMetricFamily(
            "rhumbline_http_connections_refused", "Connections refused, by the bound that they met.", labels=["bound"]
        )
        for bound, number in self._places.refused.items():
            refused.add_metric([bound], number)
        yield refused
        yield CounterMetricFamily(
            "rhumbline_http_connections_made_room",
            "Idle connections ended to make place for others.",
            self._places.closed_idle,
        )


class _Dropped(Collector):
    """Reads how many trails were dropped, where they are counted."""

    def __init__(self, dropped: Callable[[], int]) -> None:
        self._dropped = dropped

    def collect(self) -> Iterator[Metric]:
        description = "Requests of which nothing was kept to explain them, because the store was too slow."
        yield CounterMetricFamily("rhumbline_trails_dropped", description, self._dropped())


class _Scores(Collector):
    """Reads what scorecards lack, where it is counted."""

    def __init__(self, lost: Callable[[], int], uncounted: Callable[[], int]) -> None:
        self._lost = lost
        self._uncounted = uncounted

    def collect(self) -> Iterator[Metric]:
        description = "Counts and promises that scorecards lack, because the store was too slow."
        yield CounterMetricFamily("rhumbline_scores_lost", description, self._lost())
        description = "Requests beyond what one caller adds to scorecards in a day."
        yield CounterMetricFamily("rhumbline_scores_uncounted", description, self._uncounted())


class _Load(Collector):
    """Reads the load, and the event loop's delay, at their source."""

    def __init__(self, admission: Admission, loop: LoopWatch) -> None:
        self._admission = admission
        self._loop = loop

    def collect(self) -> Iterator[Metric]:
        admission, loop = self._admission, self._loop
        description = (
            "Quotes, routes and streams: in progress, waiting for a place, and the most that may be in progress."
        )
        work = GaugeMetricFamily("rhumbline_quotes", description, labels=["state"])
        for state, number in (
            ("in_progress", admission.in_progress),
            ("waiting", admission.waiting),
            ("bound", admission.bound),
        ):
            work.add_metric([state], number)
        yield work
        ended = CounterMetricFamily("rhumbline_quotes_entered", "Those let in, or refused.", labels=["outcome"])
        ended.add_metric(["admitted"], admission.admitted)
        ended.add_metric(["refused"], admission.refused)
        yield ended
        yield GaugeMetricFamily(
            "rhumbline_loop_late_seconds", "The least lateness of the last half second.", loop.late_s
        )
        yield CounterMetricFamily("rhumbline_loop_held_up_seconds", "Time in which it stood still.", loop.held_up_s)
