"""Offers of adapters: each quote with its context and its finished transaction."""

from dataclasses import dataclass, replace
from typing import Any

from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RouteWarning
from rhumbline.domain.simulation import SimulationTask
from rhumbline.domain.solana_terms import SolanaCosts
from rhumbline.domain.trail import CallNote
from rhumbline.domain.transaction import EvmTransaction, Transaction, UpstreamTransaction
from rhumbline.routing.quote_context import Form, QuoteContext
from rhumbline.routing.selection import Ask
from rhumbline.routing.slippage import least_output, permitted_loss, promisable


@dataclass(frozen=True, slots=True)
class Offer:
    """A quote and the form in which it was requested. ``least`` is the smallest output that may be promised.

    ``fixed``: the upstream fixed its minimum when it quoted.
    """

    quote: Quote[Any]
    form: Form
    least: int
    fixed: bool = False

    @property
    def minimum(self) -> int:
        """The guaranteed output: the upstream's minimum if fixed, else the least that may be promised."""
        return self.least if self.quote.min_output_amount is None else self.quote.min_output_amount

    @property
    def assured(self) -> int:
        """The output that counts by a pinned party's guarantee: the upstream's own, else the minimum."""
        assured = self.quote.assured_output
        return self.minimum if assured is None else min(assured, self.quote.output_amount)


def offer_of(context: QuoteContext, quote: Quote[Any]) -> Offer:
    """Return a quote as it is offered: it promises no more than a minimum that its upstream has rounded permits."""
    form = context.form_of(quote.request)
    loss = permitted_loss(context.request, context.pair.kind, quote.price_impact_bps)
    fixed, output = quote.min_output_amount, quote.output_amount
    if fixed is not None:
        output = promisable(output, fixed, loss)
    if output != quote.output_amount:
        quote = replace(quote, output_amount=output)
    least = least_output(output, loss)
    if context.request.wanted_output is not None:
        least = _least_of_wanted(least, output, context.request.wanted_output)
    return Offer(quote, form, least, fixed is not None)


def expect_native_there(quote: Quote[Any], least: int) -> None:
    """Raise UpstreamFailed unless the receiver is to have so much native of the destination, in wei, at least."""
    if quote.gas_on_arrival is None or quote.gas_on_arrival.minimum < least:
        raise UpstreamFailed("brings less native of the destination than was asked for")


def least_of(context: QuoteContext, quote: Quote[Any]) -> int:
    """Return the smallest output that may be promised of a quote; the permitted loss is rounded down."""
    loss = permitted_loss(context.request, context.pair.kind, quote.price_impact_bps)
    least, wanted = least_output(quote.output_amount, loss), context.request.wanted_output
    return least if wanted is None else _least_of_wanted(least, quote.output_amount, wanted)


def _least_of_wanted(least: int, output: int, wanted: int) -> int:
    """Return the minimum of an output: no less than what is wanted, if there is so much."""
    return least if wanted > output else max(least, wanted)


@dataclass(frozen=True, slots=True)
class Offers:
    """The adapters' answers to one context; ``asks`` are the requests to them, ``calls`` what is kept of those."""

    context: QuoteContext
    offers: tuple[Offer, ...]
    refusals: tuple[Refusal, ...]
    network: NetworkPrice | None
    asks: tuple[Ask, ...]
    calls: list[CallNote] | None = None

    def gross_for(self, adapter: str, net: int) -> int:
        """Return the amount before fees that leaves ``net`` for an adapter, in the form of its request."""
        quote_request = next((ask.request for ask in self.asks if ask.adapter.info.key == adapter), None)
        form = self.context.forms[0] if quote_request is None else self.context.form_of(quote_request)
        return form.gross_for(net)


@dataclass(frozen=True, slots=True)
class BuiltQuote:
    """An offer with its transaction. ``task`` simulates it, None if nothing can; ``id`` is for tracking.

    ``upstream`` is the adapter's own transaction, ``deadline`` the Unix second until which ours may run.
    ``wallet_call`` means that no event of ours will show it, so it must be stored when it is answered. ``sent`` is a
    token and its raw amount that the bridge takes, if that is not part of the input. ``approvals`` precede the
    transaction, in order, and are built when it is answered. ``destination_call`` is the call that the bridge makes on
    the destination, under this ID. ``network_fee`` is the sender's network fee, in raw units of the native asset; None
    if the transaction does not determine it. ``most_rent`` is the largest possible rent of accounts that it creates,
    stated if no simulation shows the actual one. ``solana`` are the costs of a transaction of a caller's own choices,
    ``asked_fee`` is the priority fee in lamports that it was asked to have at most, None without.
    ``sponsored_accounts`` are those that its fee payer makes and that stay.
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
    solana: SolanaCosts | None = None
    asked_fee: int | None = None
    sponsored_accounts: frozenset[str] = frozenset()
