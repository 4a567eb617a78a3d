"""The guards of all hosts, found by whom a URL leads to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

from yarl import URL

from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.service_status import UpstreamState
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.gateways.upstreams.guard.shared import SharedBudgets


@dataclass(slots=True, eq=False)
class UpstreamGuards:
    """One guard a host, made when it is first asked for; ``rules`` are by ``host_and_port``, else the usual ones."""

    rules: Mapping[str, GuardRules] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=NoMetrics)
    shared: SharedBudgets | None = None
    now: Callable[[], float] = monotonic
    _guards: dict[str, UpstreamGuard] = field(default_factory=dict, init=False)
    _named: dict[str, set[UpstreamGuard]] = field(default_factory=dict, init=False)

    def of(self, url: str, name: str) -> UpstreamGuard:
        """Return the guard of a URL's host; the first caller's ``name`` is shown for it."""
        host = host_and_port(url)
        guard = self._guards.get(host)
        if guard is None:
            rules = self.rules.get(host, GuardRules())
            guard = self._guards[host] = UpstreamGuard(
                name, rules, now=self.now, metrics=self.metrics, shared=self.shared, key=host
            )
        self._named.setdefault(name, set()).add(guard)
        return guard

    def states(self, name: str) -> frozenset[UpstreamState]:
        """Return the states of the hosts that were requested under a name; none if it has no host."""
        return frozenset(guard.state for guard in self._named.get(name, ()))


def host_and_port(url: str) -> str:
    """Return host and port of a URL, by which guards are kept; raise ValueError for one without a host."""
    here = URL(url)
    if here.host is None:
        raise ValueError("a URL without a host")
    return f"{here.host}:{here.port}"
