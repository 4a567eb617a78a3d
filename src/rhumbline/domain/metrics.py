"""What floors below HTTP tell an operator. Words become labels: of small fixed sets, no secret, URL or address."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Metrics(Protocol):
    """Takes note at once and never fails. Methods that are not written take none."""

    def called(self, adapter: str, call: str, outcome: str, seconds: float, /) -> None:
        """Note one call of an adapter: its key, ``quote``, ``build`` or ``status``, and how it ended."""
        return

    def spared(self, upstream: str, call: str, why: str, /) -> None:
        """Note one call that an upstream's guard did not let through: ``paused``, ``resting`` or ``used_up``."""
        return

    def asked_node(
        self, chain: str, node: str, methods: Sequence[str], purpose: str, outcome: str, seconds: float, /
    ) -> None:
        """Note one request to a node of a chain: ``answered``, ``refused``, ``failed``, or ``late`` for its asker."""
        return

    def compared_node(self, chain: str, node: str, head: int | None, is_asked: bool, /) -> None:
        """Note the newest block of a node, None while it told none, and whether it is asked at all."""
        return

    def followed(self, chain: str, head: int, next_block: int, /) -> None:
        """Note how far a chain, by its key, has come, and which of its blocks is to be read next."""
        return

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        """Note transactions that named what is followed on a chain: ``stranger``, or ``unreadable`` and given up."""
        return

    def found_gap(self, chain: str, count: int, /) -> None:
        """Note events or transactions of a chain that a node had left out, and another look has found."""
        return

    def awaited(self, transfers: Mapping[str, int], /) -> None:
        """Note how many transfers of each adapter have an end that is not known yet."""
        return

    def fell_short(self, adapter: str, chain: str, bps: float, /) -> None:
        """Note that a run on a chain, by its key, gave less than an adapter had promised, by so many basis points."""
        return


class NoMetrics(Metrics):
    """Takes no note: for commands and tests that nobody watches."""
