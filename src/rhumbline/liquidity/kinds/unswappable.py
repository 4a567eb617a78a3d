"""Why a pool has no answer."""


class Unswappable(Exception):
    """The contract would revert, or take only a part."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TicksUnknown(Unswappable):
    """The amount reaches ticks that were not given."""
