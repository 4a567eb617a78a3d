"""What adapters offer: each quote with what was settled when it was asked for, and its finished transaction."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RouteWarning
from rhumbline.domain.simulation import SimulationTask
from rhumbline.domain.transaction import EvmTransaction, Transaction, UpstreamTransaction
from rhumbline.routing.quote_context import Form, QuoteContext
from rhumbline.routing.selection import Ask
from rhumbline.routing.slippage import least_output, permitted_loss, promisable


@dataclass(frozen=True, slots=True)
class Offer:
    """A quote and the form in which it was asked for. ``least`` is the least that may be promised of its output.

    ``fixed`` tells that the upstream fixed its minimum when it quoted.
    """

    quote: Quote[Any]
    form: Form
    least: int
    fixed: bool = False

    @property
    def minimum(self) -> int:
        """What would be guaranteed: what the upstream has fixed, else the least that may be promised."""
        return self.least if self.quote.min_output_amount is None else self.quote.min_output_amount

    @property
    def assured(self) -> int:
        """How much of the output somebody pinned stands for: the upstream's own word, else what would be guaranteed."""
        assured = self.quote.assured_output
        return self.minimum if assured is None else min(assured, self.quote.output_amount)


def offer_of(context: QuoteContext, quote: Quote[Any]) -> Offer:
    """Return a quote as it is offered: it promises no more than a minimum that its upstream has rounded permits."""
    loss, fixed, output = _loss(context, quote), quote.min_output_amount, quote.output_amount
    if fixed is not None:
        output = promisable(output, fixed, loss)
    if output != quote.output_amount:
        quote = replace(quote, output_amount=output)
    return Offer(quote, context.form_of(quote.request), least_output(output, loss), fixed is not None)


def least_of(context: QuoteContext, quote: Quote[Any]) -> int:
    """Return the least that may be promised of a quote's output: what slippage permits to lose is rounded down."""
    return least_output(quote.output_amount, _loss(context, quote))


def _loss(context: QuoteContext, quote: Quote[Any]) -> Fraction:
    return permitted_loss(context.request, context.pair.kind, quote.price_impact_bps)


@dataclass(frozen=True, slots=True)
class Offers:
    """What adapters answered to one context; ``asks`` are the questions that they were asked."""

    context: QuoteContext
    offers: tuple[Offer, ...]
    refusals: tuple[Refusal, ...]
    network: NetworkPrice | None
    asks: tuple[Ask, ...]

    def gross_for(self, adapter: str, net: int) -> int:
        """Return the amount before fees of which an adapter gets ``net``, in the form in which it was asked."""
        asked = next((ask.request for ask in self.asks if ask.adapter.info.key == adapter), None)
        form = self.context.forms[0] if asked is None else self.context.form_of(asked)
        return form.gross_for(net)


@dataclass(frozen=True, slots=True)
class BuiltQuote:
    """What is offered, with its transaction. ``task`` is how to run it, None where nothing can; ``id`` is for tracking.

    ``upstream`` is the adapter's own transaction, ``deadline`` the Unix second until which ours may run.
    ``wallet_call`` tells that no event of ours will tell of it: what is handed out must be stored. ``sent`` is what the
    bridge takes where it is not of the input: a token, and raw units of it. ``approvals`` go before the transaction, in
    their order, and are made when it is handed out.
    ``destination_call`` is what the bridge has done where it pays, under this ID. ``network_fee`` is what the network
    takes of the sender, in raw units of the native asset; None where the transaction itself does not say that.
    ``most_rent`` is what accounts that it makes may cost at the most, stated where no run shows what they cost.
    """

    offer: Offer
    id: bytes
    upstream: UpstreamTransaction
    deadline: int
    min_output: int
    transaction: Transaction
    approval_address: str | None
    task: SimulationTask | None
    wallet_call: bool = False
    warnings: tuple[RouteWarning, ...] = ()
    sent: tuple[str, int] | None = None
    approvals: tuple[EvmTransaction, ...] = ()
    destination_call: DestinationCall | None = None
    network_fee: int | None = None
    most_rent: int = 0
