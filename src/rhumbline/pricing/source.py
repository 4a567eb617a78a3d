"""The interface of a price source."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rhumbline.domain.price import PriceKey, PriceQuote


class SourceUnavailable(Exception):
    """A source has no answer now. The text may be logged; ``retry_after_s`` is how long it asks to be left alone."""

    def __init__(self, why: str, retry_after_s: float | None = None) -> None:
        """Keep the reason, which holds no address and no key."""
        super().__init__(why)
        self.retry_after_s = retry_after_s


class PriceSource(Protocol):
    """Tells prices of many tokens of one chain at once."""

    @property
    def name(self) -> str:
        """The label, a short word in lower case."""
        ...

    @property
    def batch_size(self) -> int:
        """The most tokens of one call."""
        ...

    @property
    def interval_s(self) -> float:
        """Seconds from one call to the next."""
        ...

    def covers(self, chain_id: int, /) -> bool:
        """Return whether the source knows the chain."""
        ...

    async def prices(self, tokens: Sequence[PriceKey], /) -> Mapping[PriceKey, PriceQuote]:
        """Return the prices of at most ``batch_size`` tokens, all of one covered chain; unknown ones are absent.

        Raise SourceUnavailable if the source cannot be asked, or its answer is invalid.
        """
        ...
