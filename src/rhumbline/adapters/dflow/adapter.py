"""Quotes and transactions of DFlow."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal, InvalidOperation

from rhumbline.adapters.dflow.actions import WHOLE
from rhumbline.adapters.dflow.checking import Checked, Wanted, check_holdings, check_message, others
from rhumbline.adapters.dflow.client import find_order, mint
from rhumbline.adapters.dflow.deployments import Deployment
from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import MAX_SVM, share_down
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import (
    BelowMinimum,
    NodeRefused,
    NodeUnavailable,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.expectations import expect, expect_at_least, expect_within
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmSealed
from rhumbline.domain.unowned_addresses import is_placeholder
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiling import Decompiled, Unreadable, decompile
from rhumbline.gateways.svm.instructions import CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.lookup_tables import NoLookupTable
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "DFLOW"
LOGO = "https://dflow.net/favicon.ico"
UNPROVABLE = (
    "DFlow's program fails below the minimum, but does not tie the output to the wallet's account: that it arrives "
    "there is asserted at the transaction's end. What has no room for that, or is signed by others, is believed by the "
    "run alone, and is not offered without one.",
    "Which programs the route calls with the wallet's signature is DFlow's choice among its venues: its program is "
    "pinned, theirs are not. What they do shows in the run; what is left to the wallet is asserted where there is "
    "room.",
    "How much goes into a route's first venues is read; what goes into the later ones is named in forms that only "
    "DFlow knows. Other accounts in which the wallet holds tokens are kept out of the transaction.",
)


@dataclass(frozen=True, slots=True)
class DflowAdapter:
    """The ``Adapter`` of DFlow: swaps on Solana, by the wallet itself, to anybody."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "DFlow", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one Solana chain with a deployment, but wrapping; a wallet that can sign calls."""
        origin = request.origin
        if origin.id not in self.context.deployments or origin.type is not ChainType.SVM:
            return False
        return request.taker == request.sender and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Order]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the transaction says, ``output_amount`` what DFlow expects. The transaction is
        read here already, with what the chain says of it: a plan of several steps would begin with an offer that cannot
        be handed out.
        """
        self._place(request)
        if not 0 < request.amount <= MAX_SVM:
            raise RequestRejected("amount: it must be positive, and fit into 64 bits")
        if is_placeholder(ChainType.SVM, request.sender):
            raise NoRoute("serves wallets that can sign only")
        slippage = min(share_down(WHOLE, request.slippage), WHOLE)
        found = await find_order(self.context.http, request, slippage)
        minimum = _minimum(found, request, slippage)
        quote = Quote(
            self.context.key,
            request,
            found.out_amount,
            found,
            min_output_amount=minimum,
            gas_units=found.compute_unit_limit,
            price_impact_bps=_impact_bps(found.price_impact_pct),
        )
        await self._checked(quote)
        return quote

    async def build(self, quote: Quote[Order], /) -> SvmDraft | SvmSealed:
        """Return the quote's own transaction, read back with what the chain says of it; it asks nothing of DFlow.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        place, least = self._place(quote.request), quote.min_output_amount
        if least is None or not 0 < least <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        message, checked = await self._checked(quote)
        expect("quoted output", checked.swap.quoted, quote.payload.out_amount)
        if checked.swap.minimum < least:
            raise SlippageTooTight("guarantees less than the minimum")
        return _handed_out(message, checked, place, quote)

    async def _checked(self, quote: Quote[Order]) -> tuple[Decompiled, Checked]:
        request = quote.request
        rpc = self.context.svm_rpcs.get(request.origin.id)
        if rpc is None:
            raise UpstreamFailed("cannot be checked: no node of the chain is known")
        try:
            return await _read(rpc, self._place(request), quote)
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed("cannot be checked: the node does not answer") from error

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]


def _minimum(found: Order, request: QuoteRequest, slippage_bps: int) -> int:
    """Return what an answer guarantees, rounded down; raise an AdapterError unless it is about the request."""
    expect("input token", found.input_mint, mint(request.origin_token))
    expect("output token", found.output_mint, mint(request.destination_token))
    expect("amount", found.in_amount, request.amount)
    expect("slippage", found.slippage_bps, slippage_bps)
    expect("execution mode", found.execution_mode, "sync")
    expect("platform fee", found.platform_fee, None)
    if found.compute_unit_limit is not None:
        expect_within("limit of compute units", found.compute_unit_limit, 0, MOST_UNITS)
    minimum = found.out_amount * (WHOLE - slippage_bps) // WHOLE
    if minimum == 0:
        raise BelowMinimum("gives too little for a minimum", None)
    expect_at_least("minimum", found.min_out_amount, minimum)
    expect_at_least("output", found.out_amount, found.min_out_amount)
    return minimum


async def _read(rpc: SvmRpc, place: Deployment, quote: Quote[Order]) -> tuple[Decompiled, Checked]:
    """Read a transaction with the lookup tables as they are on the chain; raise an AdapterError unless it is sound."""
    request, order, state = quote.request, quote.payload, SvmState(rpc)
    mints = mint(request.origin_token), mint(request.destination_token)
    found = await state.mints(mints)
    programs = [None if each is None else each.program for each in (found[name] for name in mints)]
    if programs[0] is None or programs[1] is None:
        raise NoRoute("trades what is no token on this chain")
    wanted = Wanted(request, place.program, mints, (programs[0], programs[1]))
    try:
        message = decompile(order.transaction, await state.tables(_tables(order)))
    except (Unreadable, NoLookupTable) as error:
        raise UpstreamFailed(f"answered a transaction that cannot be used: {error}") from error
    checked = check_message(message, wanted)
    wrapped = () if wanted.wrapped is None else (wanted.wrapped,)
    accounts = await state.token_accounts((*others(message, wanted), *wrapped))
    check_holdings(message, wanted, accounts)
    held = accounts.get(wanted.wrapped or "")
    if checked.unwraps and wanted.wrapped is not None and held is not None and held.amount:
        # DFlow closes the account of wrapped SOL, whatever was in it: nobody asked to unwrap that.
        made = CreateTokenAccount.of(request.sender, request.sender, WRAPPED_SOL, SPL).encode()
        again = (made, *wrap_sol(request.sender, wanted.wrapped, held.amount))
        checked = replace(checked, instructions=(*checked.instructions, *again))
    return message, checked


def _handed_out(message: Decompiled, checked: Checked, place: Deployment, quote: Quote[Order]) -> SvmDraft | SvmSealed:
    """Return the transaction in the form that its signers leave; raise UpstreamFailed where one is missing."""
    sender, order, chain = quote.request.sender, quote.payload, quote.request.origin.id
    programs = frozenset({place.program})
    if message.forged or message.missing != (sender,):
        raise UpstreamFailed("answered a transaction that somebody else has yet to sign")
    if message.signatures:
        # Somebody signed all of it already: a changed one would be worth nothing.
        return SvmSealed(
            chain, place.program, message.message, message.signatures, programs, order.last_valid_block_height
        )
    if checked.swap.sponsored:
        raise UpstreamFailed("answered a swap with a sponsor that nobody asked for")
    budget = _budget(message)
    return SvmDraft(
        chain, place.program, checked.instructions, programs, tuple(_tables(order)), budget.units, budget.heap
    )


def _budget(message: Decompiled) -> ComputeBudget:
    try:
        return read_budget(message.instructions)
    except ValueError as error:
        raise UpstreamFailed(f"answered a transaction that cannot be used: {error}") from error


def _tables(order: Order) -> Sequence[str]:
    return tuple(dict.fromkeys(table.address for table in order.address_lookup_tables or ()))


def _impact_bps(said: object) -> int | None:
    """Read a price impact, a share of one in digits, as bps rounded up; None when it is none."""
    try:
        share = Decimal(said) if isinstance(said, str) and len(said) <= 40 else None
    except InvalidOperation:
        return None
    if share is None or not share.is_finite() or not 0 <= share <= 1:
        return None
    return int((share * WHOLE).to_integral_value(ROUND_CEILING))
