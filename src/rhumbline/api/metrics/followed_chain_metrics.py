"""Who follows each chain and how far: the same in every process."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import Metric
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from rhumbline.domain.followed_chain import FollowedChain


class FollowedChainMetrics(Collector):
    """Reads the chains at scrape time: those that this process follows, and the store's data about others."""

    def __init__(self) -> None:
        self._noted: dict[str, tuple[int, int]] = {}
        self._process = ""
        self._read: Callable[[], Mapping[str, FollowedChain]] = dict

    def note(self, chain: str, head: int, next_block: int) -> None:
        """Note how far a chain has come that this process follows, by its key."""
        self._noted[chain] = head, next_block

    def watch(self, process: str, read: Callable[[], Mapping[str, FollowedChain]]) -> None:
        """Report all chains as ``read`` returns them; ``process`` is this process's name among their leaders."""
        self._process, self._read = process, read

    def collect(self) -> Iterator[Metric]:
        chains = self._read()
        head = GaugeMetricFamily("rhumbline_chain_head_block", "The chain's latest block.", labels=["chain"])
        following = GaugeMetricFamily(
            "rhumbline_tracking_next_block", "The block that is to be read next.", labels=["chain"]
        )
        still = GaugeMetricFamily(
            "rhumbline_chain_still_seconds", "For how long neither block has moved.", labels=["chain"]
        )
        leader = GaugeMetricFamily(
            "rhumbline_chain_leader",
            "1 where a process follows the chain, by its name; 0 without a name where none does.",
            labels=["chain", "leader"],
        )
        leads = GaugeMetricFamily("rhumbline_chain_leads", "Whether this process follows the chain.", labels=["chain"])
        for key in sorted({*chains, *self._noted}):
            chain, noted = chains.get(key), self._noted.get(key)
            is_own = chain is None or chain.leader == self._process
            places = noted if is_own and noted is not None else _places(chain)
            for family, value in zip((head, following), places, strict=True):
                if value is not None:
                    family.add_metric([key], value)
            if chain is None:
                continue
            if chain.still_s is not None:
                still.add_metric([key], chain.still_s)
            leader.add_metric([key, chain.leader or ""], 0 if chain.leader is None else 1)
            leads.add_metric([key], 1 if chain.leader == self._process else 0)
        yield from (head, following, still, leader, leads)


def _places(chain: FollowedChain | None) -> tuple[int | None, int | None]:
    return (None, None) if chain is None else (chain.head, chain.next_block)
