"""What an adapter is: a translator between our words and one upstream's."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import Transaction


class Capability(StrEnum):
    """What an adapter can do: same-chain swaps, transfers across chains, or both."""

    EXCHANGE = "exchange"
    BRIDGE = "bridge"
    MULTI = "multi"


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """An adapter's entry in the list of tools: ``chains`` are the IDs it can quote on with the present settings."""

    key: str
    name: str
    logo_uri: str
    capability: Capability
    chains: tuple[int, ...]


P = TypeVar("P")


class Adapter(Protocol[P]):
    """Translates between our words and one upstream's; decides nothing, remembers nothing."""

    @property
    def info(self) -> AdapterInfo:
        """Who the adapter is."""
        ...

    def supports(self, request: QuoteRequest, /) -> bool:
        """Tell, without I/O, whether asking makes sense."""
        ...

    async def quote(self, request: QuoteRequest, /) -> Quote[P]:
        """Ask the upstream; raise an AdapterError when there is no answer."""
        ...

    async def build(self, quote: Quote[P], /) -> Transaction:
        """Make the transaction of a quote that won, checked against what was asked; raise an AdapterError if not."""
        ...
