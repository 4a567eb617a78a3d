"""What floors below HTTP tell an operator. Words become labels: of small fixed sets, no secret, URL or address."""

from typing import Protocol


class Metrics(Protocol):
    """Takes note at once and never fails. Methods that are not written take none."""

    def called(self, adapter: str, call: str, outcome: str, seconds: float, /) -> None:
        """Note one call of an adapter: its key, ``quote``, ``build`` or ``status``, and how it ended."""
        return

    def spared(self, upstream: str, call: str, why: str, /) -> None:
        """Note one call that an upstream's guard did not let through: ``paused``, ``resting`` or ``used_up``."""
        return

    def followed(self, chain: str, head: int, next_block: int, /) -> None:
        """Note how far a chain, by its key, has come, and which of its blocks is to be read next."""
        return

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        """Note transactions that named what is followed on a chain: ``stranger``, or ``unreadable`` and given up."""
        return

    def fell_short(self, adapter: str, chain: str, bps: float, /) -> None:
        """Note that a run on a chain, by its key, gave less than an adapter had promised, by so many basis points."""
        return


class NoMetrics(Metrics):
    """Takes no note: for commands and tests that nobody watches."""
