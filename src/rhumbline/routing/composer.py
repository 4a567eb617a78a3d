"""The seam between what is decided about every quote and what is made of it on one type of chain."""

from collections.abc import Sequence
from typing import Any, Protocol

from rhumbline.domain.adapter import Adapter, Binder
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fees import FeeTerms
from rhumbline.routing.offer import BuiltQuote, Offer
from rhumbline.routing.quote_context import Form, QuoteContext, TokenPair
from rhumbline.routing.selection import Ask
from rhumbline.routing.shapes import Listed


class Composer(Protocol):
    """Makes what a wallet signs on one type of chain. Which one is settled once, by the type of the origin."""

    async def settle(
        self, request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int, /
    ) -> tuple[Form, ...]:
        """Return one or more ways to ask, the better one first; ``deadline`` in Unix seconds. Raise InvalidRequest."""
        ...

    async def objection(self, request: RouteRequest, /) -> RhumblineError | None:
        """Say what on the chains forbids any answer; looked up beside the adapters."""
        ...

    def composed(
        self, context: QuoteContext, adapters: Sequence[Adapter[Any]], listed: Listed, notes: CallNotes, /
    ) -> tuple[Ask, ...]:
        """Return questions beside the plain ones, for transactions that several upstreams' calls are put into.

        ``listed`` finds listed tokens by coin key, ``notes`` keep what is asked for them.
        """
        ...

    async def price(self, chain: Chain, /) -> NetworkPrice | None:
        """Return what the network takes now; None where nobody tells in time."""
        ...

    async def finish(
        self, context: QuoteContext, offer: Offer, upstream: UpstreamTransaction, /
    ) -> BuiltQuote | Refusal:
        """Return our transaction around the upstream's, with the quote's minimum; or why there is none."""
        ...

    def limited(self, built: BuiltQuote, simulation: Simulation | None, /) -> BuiltQuote:
        """Return the same after its run, with the limits that follow from what it used.

        Another object is another transaction, which must be run as it is before it is handed out.
        """
        ...

    def fit(self, built: BuiltQuote, simulation: Simulation | None, /) -> BuiltQuote:
        """Return the same after its last run, with what that showed to be needed beside it, and remarks about it."""
        ...

    async def bind(
        self, context: QuoteContext, built: BuiltQuote, adapter: Binder[Any], least: int, /
    ) -> BuiltQuote | Refusal:
        """Return the same, which reverts unless the bridge takes ``least`` (raw units of what its deposit names)."""
        ...
