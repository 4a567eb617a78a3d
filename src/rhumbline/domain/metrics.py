"""What lower floors report to the metrics. Labels are from small fixed sets, without secrets, URLs or addresses."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rhumbline.domain.webhook import PushStanding


class Metrics(Protocol):
    """Records metrics; never waits and never fails. A method that a subclass leaves out records nothing."""

    def called(self, adapter: str, call: str, outcome: str, seconds: float, /) -> None:
        """Note one call of an adapter: its key, ``quote``, ``build`` or ``status``, and how it ended."""
        return

    def spared(self, upstream: str, call: str, why: str, /) -> None:
        """Count a call that an upstream's guard did not let through: ``paused``, ``resting`` or ``used_up``."""
        return

    def asked_node(
        self, chain: str, node: str, methods: Sequence[str], purpose: str, outcome: str, seconds: float, /
    ) -> None:
        """Note one request to a node of a chain: ``answered``, ``refused``, ``failed``, or ``late`` for its asker."""
        return

    def compared_node(self, chain: str, node: str, head: int | None, is_asked: bool, /) -> None:
        """Note the newest block of a node, None while unknown, and whether it is used."""
        return

    def followed(self, chain: str, head: int, next_block: int, /) -> None:
        """Note how far a chain, by its key, has come, and which of its blocks is to be read next."""
        return

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        """Count unrecorded transactions that named a followed address: ``stranger``, or ``unreadable`` and given up."""
        return

    def found_gap(self, chain: str, count: int, /) -> None:
        """Note events or transactions of a chain that a node left out and a second read found."""
        return

    def awaited(self, transfers: Mapping[str, int], /) -> None:
        """Note how many transfers of each adapter have an end that is not known yet."""
        return

    def pushed(self, outcome: str, /) -> None:
        """Count an attempt to deliver an event: ``delivered``, ``not_taken``, ``given_up`` or ``skipped``."""
        return

    def push_stands(self, standing: PushStanding, /) -> None:
        """Note how all deliveries stand."""
        return

    def fell_short(self, adapter: str, chain: str, bps: float, /) -> None:
        """Note that a simulation on a chain, by its key, gave so many basis points less than an adapter promised."""
        return


class NoMetrics(Metrics):
    """Records nothing: for commands and tests."""
