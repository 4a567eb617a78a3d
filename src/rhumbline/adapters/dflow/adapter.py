"""The adapter of DFlow: quotes and transactions."""

from dataclasses import replace

from rhumbline.adapters.dflow.checking import Checked, Expected, check_holdings, check_message, check_order, others
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
    "DFlow's program fails below the minimum, but does not ensure that the output goes to the wallet's account. An "
    "assertion at the end of the transaction checks that. If there is no room for it, or others have signed the "
    "transaction, only the simulation shows it; without a simulation the quote is not offered.",
    "DFlow chooses the programs that the route calls with the wallet's signature. DFlow's own program is pinned; "
    "those are not. The simulation shows what they do, and assertions bound what is left to the wallet if there is "
    "room for them.",
    "The amount that goes into a route's first venues is read. The amounts for later venues are encoded in forms that "
    "only DFlow knows. Other accounts in which the wallet holds tokens are kept out of the transaction.",
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

        ``min_output_amount`` is the transaction's own, ``output_amount`` DFlow's expectation. The transaction is
        already decoded and checked against the chain here: otherwise a plan of several steps could begin with an offer
        that cannot be used.
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
        """Return the quote's own transaction, decoded again with the chain's data; DFlow is not asked.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        place, minimum = self.context.deployments[quote.request.origin.id], quote.required_minimum()
        message, checked = await self._checked(quote.request, quote.payload)
        expect("quoted output", checked.swap.quoted, quote.payload.out_amount)
        if checked.swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        return _handed_out(message, checked, place, quote)

    async def _checked(self, request: QuoteRequest, order: Order) -> tuple[Decompiled, Checked]:
        """Return an answer's transaction and its effect; raise an AdapterError unless that is what was requested."""
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
    expected = Expected(request, program, mints, (sold.program, bought.program))
    message = await read_transaction(rpc, order.transaction, _tables_of(order))
    checked = check_message(message, expected)
    wrapped = () if expected.wrapped is None else (expected.wrapped,)
    accounts = await state.token_accounts((*others(message, expected), *wrapped))
    check_holdings(message, expected, accounts)
    held = accounts.get(expected.wrapped or "")
    if checked.unwraps and expected.wrapped is not None and held is not None and held.amount:
        # DFlow closes the account of wrapped SOL with its whole balance: nobody asked to unwrap that.
        made = CreateTokenAccount.of(request.sender, request.sender, WRAPPED_SOL, SPL).encode()
        again = (made, *wrap_sol(request.sender, expected.wrapped, held.amount))
        checked = replace(checked, instructions=(*checked.instructions, *again))
    return message, checked


def _handed_out(message: Decompiled, checked: Checked, place: Deployment, quote: Quote[Order]) -> SvmDraft | SvmSealed:
    """Return the transaction in the form that its signers require; raise UpstreamFailed if a signer is missing."""
    sender, order, chain = quote.request.sender, quote.payload, quote.request.origin.id
    programs = frozenset({place.program})
    if message.forged or message.missing != (sender,):
        raise UpstreamFailed("answered a transaction that somebody else has yet to sign")
    if message.signatures:
        # It is already signed: a changed transaction would be worthless.
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
