"""Quotes and transactions of OKX DEX on Solana.

Tokens are always asked for as mints: of native SOL OKX would make accounts in forms of its own, and what wraps and
unwraps is made here. The newest program's source is not published, so what arrives is measured in the run, and only
the older one's minimum counts as enforced.
"""

from typing import TypeAlias

from rhumbline.adapters.okx.client import SWAP_INSTRUCTION, call, slippage_percent
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.svm.checking import MOST_BPS, check_answer
from rhumbline.adapters.okx.svm.wire import SolanaSwap
from rhumbline.domain.amount import MAX_SVM, slippage_bps
from rhumbline.domain.errors import BelowMinimum, NoRoute, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, read_answer
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts, read_swap_accounts, with_accounts
from rhumbline.gateways.upstreams.upstream import Upstream

MOST_BYTES, MOST_ACCOUNTS = 900, 40
"""The most bytes of 1,232 and accounts of 64 for OKX: budget, fees and tracking take 233 bytes, wrapping and output
accounts up to a hundred.
"""
Offer: TypeAlias = tuple[SolanaSwap, SwapAccounts]
"""An answer, and the state of both tokens on the chain when it came."""


def supports(request: QuoteRequest) -> bool:
    """Accept what the wallet itself calls for, but native output to others."""
    paid = not request.buys_native or request.payout_address == request.sender
    return request.taker == request.sender and paid


async def quote(context: AdapterContext[Deployment], request: QuoteRequest) -> Quote[Offer]:
    """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError."""
    request.expect_amount(MAX_SVM)
    place = context.deployments[request.origin.id]
    accounts = await read_swap_accounts(context.svm_node(request.origin.id), request)
    found = await _find(context.http, accounts, place)
    route = check_answer(found, accounts, place).route
    if route.minimum == 0:
        raise BelowMinimum("gives too little for any minimum")
    impact = price_impact_bps(found.router_result.price_impact_percent, NEGATIVE_PERCENT)
    return Quote(
        context.key, request, route.expected, (found, accounts), min_output_amount=route.minimum,
        price_impact_bps=impact,
    )  # fmt: skip


async def build(context: AdapterContext[Deployment], quote: Quote[Offer], minimum: int) -> SvmDraft:
    """Return the quote's own swap, checked once more; it asks nothing of OKX.

    Raise SlippageTooTight when less is guaranteed than ``minimum``.
    """
    request = quote.request
    found, accounts = quote.payload
    swap = check_answer(found, accounts, context.deployments[request.origin.id])
    if swap.route.minimum < minimum:
        raise SlippageTooTight("guarantees less than the minimum")
    return SvmDraft(
        request.origin.id,
        swap.swap.program,
        with_accounts(swap.swap, accounts, swap.making),
        frozenset({swap.swap.program}),
        swap.tables,
        compute_limit=swap.budget.units,
        heap_frame=swap.budget.heap,
        enforces_minimum=swap.enforces,
        bounds_input=swap.enforces,
    )


async def _find(http: Upstream, accounts: SwapAccounts, place: Deployment) -> SolanaSwap:
    request = accounts.request
    query = {
        "chainIndex": place.index or str(request.origin.id),
        "amount": str(request.amount),
        "swapMode": "exactIn",
        "fromTokenAddress": accounts.mints[0],
        "toTokenAddress": accounts.mints[1],
        "slippagePercent": slippage_percent(slippage_bps(request.slippage, MOST_BPS)),
        "userWalletAddress": request.sender,
        "maxCalldataSize": str(MOST_BYTES),
        "maxAccounts": str(MOST_ACCOUNTS),
    }
    if request.payout_address != request.sender:
        query["swapReceiverAddress"] = request.payout_address
    answer = await call(http, SWAP_INSTRUCTION, query)
    data = answer.get("data")
    if not data:
        raise NoRoute("has no route")
    if isinstance(data, list):
        if len(data) != 1:
            raise UpstreamFailed("answered several swaps at once")
        data = data[0]
    return read_answer(SolanaSwap, data)
