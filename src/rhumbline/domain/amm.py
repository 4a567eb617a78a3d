"""Why a constant-product or concentrated-liquidity pool has no answer."""


class Unswappable(Exception):
    """The contract would revert or take only a part; ``ceiling`` is the most raw units out, None where unknown."""

    def __init__(self, reason: str, ceiling: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.ceiling = ceiling


class TicksUnknown(Exception):
    """The amount reaches ticks that were not given; the exact output is at most ``bound`` (raw units)."""

    def __init__(self, bound: int) -> None:
        super().__init__("the amount reaches beyond the known ticks")
        self.bound = bound
