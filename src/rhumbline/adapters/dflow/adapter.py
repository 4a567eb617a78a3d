"""Quotes and transactions of DFlow."""

from dataclasses import replace

from rhumbline.adapters.dflow.checking import Checked, Wanted, check_holdings, check_message, check_order, others
from rhumbline.adapters.dflow.client import find_order
from rhumbline.adapters.dflow.deployments import Deployment
from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import MAX_SVM, slippage_bps
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmSealed
from rhumbline.domain.unowned_addresses import is_placeholder
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.decompiler import Decompiled
from rhumbline.gateways.svm.instructions import CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.estimates import SHARE, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter
from rhumbline.gateways.upstreams.svm.transaction import budget_of, read_transaction

LOGO = "https://dflow.net/favicon.ico"
TRUST_ASSUMPTIONS = (
    "DFlow's program fails below the minimum, but does not tie the output to the wallet's account: that it arrives "
    "there is asserted at the transaction's end. What has no room for that, or is signed by others, is believed by the "
    "run alone, and is not offered without one.",
    "Which programs the route calls with the wallet's signature is DFlow's choice among its venues: its program is "
    "pinned, theirs are not. What they do shows in the run; what is left to the wallet is asserted where there is "
    "room.",
    "How much goes into a route's first venues is read; what goes into the later ones is named in forms that only "
    "DFlow knows. Other accounts in which the wallet holds tokens are kept out of the transaction.",
)


class DflowAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of DFlow: swaps on Solana, by the wallet itself, to anybody."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "DFlow", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(context, info)

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
        self.deployment(request)
        request.expect_amount(MAX_SVM)
        if is_placeholder(ChainType.SVM, request.sender):
            raise NoRoute("serves wallets that can sign only")
        slippage = slippage_bps(request.slippage)
        found = await find_order(self.context.http, request, slippage)
        minimum = check_order(found, request, slippage)
        await self._checked(request, found)
        return Quote(
            self.info.key,
            request,
            found.out_amount,
            found,
            min_output_amount=minimum,
            gas_units=found.compute_unit_limit,
            price_impact_bps=price_impact_bps(found.price_impact_pct, SHARE),
        )

    async def build(self, quote: Quote[Order], /) -> SvmDraft | SvmSealed:
        """Return the quote's own transaction, read back with what the chain says of it; it asks nothing of DFlow.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        place, minimum = self.deployment(quote.request), quote.required_minimum()
        message, checked = await self._checked(quote.request, quote.payload)
        expect("quoted output", checked.swap.quoted, quote.payload.out_amount)
        if checked.swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        return _handed_out(message, checked, place, quote)

    async def _checked(self, request: QuoteRequest, order: Order) -> tuple[Decompiled, Checked]:
        """Return an answer's transaction and what it does; raise an AdapterError unless that is what was asked."""
        program, rpc = self.deployment(request).program, self.context.svm_node(request.origin.id)
        try:
            return await _read(rpc, program, request, order)
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed("cannot be checked: the node does not answer") from error


async def _read(rpc: SvmRpc, program: str, request: QuoteRequest, order: Order) -> tuple[Decompiled, Checked]:
    state, mints = SharedState(rpc), request.pair(WRAPPED_SOL)
    found = await state.mints(mints)
    sold, bought = (found[mint] for mint in mints)
    if sold is None or bought is None:
        raise NoRoute("trades what is no token on this chain")
    wanted = Wanted(request, program, mints, (sold.program, bought.program))
    message = await read_transaction(rpc, order.transaction, _tables_of(order))
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
    budget = budget_of(message.instructions)
    return SvmDraft(chain, place.program, checked.instructions, programs, _tables_of(order), budget.units, budget.heap)


def _tables_of(order: Order) -> tuple[str, ...]:
    """Return the lookup tables of an answer, each once."""
    return tuple(dict.fromkeys(table.address for table in order.address_lookup_tables or ()))
