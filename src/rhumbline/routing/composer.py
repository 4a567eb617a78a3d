"""The interface between the neutral flow of a quote and the composers of each chain type."""

from collections.abc import Sequence
from typing import Any, Protocol

from rhumbline.domain.adapter import Adapter, Binder
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.permit import Permit
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
    """Makes what a wallet signs on one chain type. The origin's type decides which composer is used."""

    async def settle(
        self, request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int, /
    ) -> tuple[Form, ...]:
        """Return one or more ways to ask, the better one first; ``deadline`` in Unix seconds. Raise InvalidRequest."""
        ...

    async def objection(self, request: RouteRequest, /) -> RhumblineError | None:
        """Return what prevents any answer on these chains; checked while the adapters are asked."""
        ...

    def composed(
        self, context: QuoteContext, adapters: Sequence[Adapter[Any]], listed: Listed, notes: CallNotes, /
    ) -> tuple[Ask, ...]:
        """Return further questions across chains, for transactions that combine the calls of several upstreams.

        ``listed`` finds listed tokens by coin key, ``notes`` record the calls.
        """
        ...

    async def price(self, chain: Chain, /) -> NetworkPrice | None:
        """Return the present network price; None if no node answers in time."""
        ...

    async def finish(
        self, context: QuoteContext, offer: Offer, upstream: UpstreamTransaction, /
    ) -> BuiltQuote | Refusal:
        """Return our transaction with the upstream's in it and the quote's minimum; or why there is none."""
        ...

    def limited(self, built: BuiltQuote, simulation: Simulation | None, /) -> BuiltQuote:
        """Return the transaction with the limits that its simulation implies.

        A different object is a different transaction, which must be simulated before it is answered.
        """
        ...

    def fit(self, built: BuiltQuote, simulation: Simulation | None, /) -> BuiltQuote:
        """Return the same after its last run, with what that showed to be needed beside it, and remarks about it."""
        ...

    async def permit(self, context: QuoteContext, built: BuiltQuote, /) -> Permit | None:
        """Return the signature that may replace the approvals of an answer; None where there is none."""
        ...

    async def bind(
        self, context: QuoteContext, built: BuiltQuote, adapter: Binder[Any], least: int, /
    ) -> BuiltQuote | Refusal:
        """Return the same, which reverts unless the bridge takes ``least`` (raw units of what its deposit names)."""
        ...
