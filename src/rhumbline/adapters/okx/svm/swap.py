"""Quotes and transactions of OKX DEX on Solana.

Tokens are always asked for as mints: of native SOL OKX would make accounts in forms of its own, and what wraps and
unwraps is made here. The newest program's source is not published, so what arrives is measured in the run, and only
the older one's minimum counts as enforced.
"""

from dataclasses import dataclass

from rhumbline.adapters.okx.client import SWAP_INSTRUCTION, call, slippage_percent
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.svm.checking import Terms, check_answer
from rhumbline.adapters.okx.svm.wire import SolanaSwap
from rhumbline.domain.amount import MAX_SVM, slippage_bps
from rhumbline.domain.errors import BelowMinimum, NoRoute, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, read_answer
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts, read_swap_accounts, with_accounts
from rhumbline.gateways.upstreams.upstream import Upstream

MOST_BYTES, MOST_ACCOUNTS = 900, 40
"""What OKX may take of a transaction's 1,232 bytes and 64 accounts: budget, fees and tracking take 233 bytes, wrapping
and accounts for the output up to a hundred."""
_MOST_BPS = 9_999
"""On Solana less than all must be asked to be saved."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer, and the token programs of both tokens when it came."""

    found: SolanaSwap
    programs: tuple[str, str]


def supports(request: QuoteRequest) -> bool:
    """Accept what the wallet itself calls for, but native output to others."""
    paid = not request.buys_native or request.payout_address == request.sender
    return request.taker == request.sender and paid


async def quote(context: AdapterContext[Deployment], request: QuoteRequest) -> Quote[Offer]:
    """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError."""
    request.expect_amount(MAX_SVM)
    accounts = await _read(context, request)
    terms = _terms(request, context.deployments[request.origin.id], accounts)
    found = await _find(context.http, terms)
    route = check_answer(found, terms).route
    if route.minimum == 0:
        raise BelowMinimum("gives too little for a minimum")
    impact = price_impact_bps(found.router_result.price_impact_percent, NEGATIVE_PERCENT)
    return Quote(
        context.key, request, route.expected, Offer(found, accounts.programs), min_output_amount=route.minimum,
        price_impact_bps=impact,
    )  # fmt: skip


async def build(context: AdapterContext[Deployment], quote: Quote[Offer], minimum: int) -> SvmDraft:
    """Return the quote's own swap, checked once more; it asks nothing of OKX.

    Raise SlippageTooTight when less is guaranteed than ``minimum``.
    """
    request = quote.request
    accounts = await _read(context, request)
    accounts.expect_programs(quote.payload.programs)
    terms = _terms(request, context.deployments[request.origin.id], accounts)
    swap = check_answer(quote.payload.found, terms)
    if swap.route.minimum < minimum:
        raise SlippageTooTight("guarantees less than the minimum")
    return SvmDraft(
        request.origin.id,
        swap.swap.program,
        with_accounts(swap.swap, request, accounts, swap.making),
        frozenset({swap.swap.program}),
        swap.tables,
        compute_limit=swap.budget.units,
        heap_frame=swap.budget.heap,
        enforces_minimum=swap.enforces,
        bounds_input=swap.enforces,
    )


async def _find(http: Upstream, terms: Terms) -> SolanaSwap:
    query = {
        "chainIndex": terms.index,
        "amount": str(terms.amount),
        "swapMode": "exactIn",
        "fromTokenAddress": terms.mint_in,
        "toTokenAddress": terms.mint_out,
        "slippagePercent": slippage_percent(terms.slippage_bps),
        "userWalletAddress": terms.user,
        "maxCalldataSize": str(MOST_BYTES),
        "maxAccounts": str(MOST_ACCOUNTS),
    }
    if terms.receiver != terms.user:
        query["swapReceiverAddress"] = terms.receiver
    answer = await call(http, SWAP_INSTRUCTION, query)
    data = answer.get("data")
    if not data:
        raise NoRoute("has no route")
    if isinstance(data, list):
        if len(data) != 1:
            raise UpstreamFailed("answered several swaps at once")
        data = data[0]
    return read_answer(SolanaSwap, data)


async def _read(context: AdapterContext[Deployment], request: QuoteRequest) -> SwapAccounts:
    rpc = context.svm_node(request.origin.id)
    return await read_swap_accounts(rpc, request.sender, *request.pair(WRAPPED_SOL))


def _terms(request: QuoteRequest, place: Deployment, accounts: SwapAccounts) -> Terms:
    return Terms(
        frozenset(place.routers), place.index or str(request.origin.id), request.sender, request.payout_address,
        *request.pair(WRAPPED_SOL), *accounts.programs, request.amount, slippage_bps(request.slippage, _MOST_BPS),
    )  # fmt: skip
