"""Quotes and transactions of OKX DEX on Solana.

Tokens are always asked for as mints: of native SOL OKX would make accounts in forms of its own, and what wraps and
unwraps is made here. The newest program's source is not published, so what arrives is measured in the run, and only
the older one's minimum counts as enforced.
"""

from dataclasses import dataclass

from rhumbline.adapters.okx.client import SWAP_INSTRUCTION, call
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.percent import impact_bps, slippage_bps_of, slippage_percent
from rhumbline.adapters.okx.solana_checking import CheckedSwap, Terms, check_answer
from rhumbline.adapters.okx.solana_wire import SolanaSwap
from rhumbline.domain.amount import MAX_SVM
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.http.upstream import Upstream
from rhumbline.gateways.nodes.svm.swap_accounts import SwapAccounts, read_swap_accounts
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.wrapping import Wrapping, wrapping_in, wrapping_out
from rhumbline.gateways.upstreams.spec import AdapterContext, read_answer

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
    native = request.destination_token.address == NATIVE_SVM
    return request.taker == request.sender and (not native or request.payout_address == request.sender)


async def quote(context: AdapterContext[Deployment], request: QuoteRequest) -> Quote[Offer]:
    """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError."""
    if not 0 < request.amount <= MAX_SVM:
        raise RequestRejected("amount: it must be positive and have at most 64 bits")
    accounts = await _read(context, request)
    terms = _terms(request, context.deployments[request.origin.id], accounts)
    found = await _find(context.http, terms)
    route = check_answer(found, terms).route
    if route.minimum == 0:
        raise BelowMinimum("gives too little for a minimum", None)
    impact = impact_bps(found.router_result.price_impact_percent)
    return Quote(
        context.key, request, route.expected, Offer(found, accounts.programs), min_output_amount=route.minimum,
        price_impact_bps=impact,
    )  # fmt: skip


async def build(context: AdapterContext[Deployment], quote: Quote[Offer]) -> SvmDraft:
    """Return the quote's own swap, checked once more; it asks nothing of OKX.

    Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
    """
    request, minimum = quote.request, quote.min_output_amount
    if minimum is None or not 0 < minimum <= quote.output_amount:
        raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
    accounts = await _read(context, request)
    if accounts.programs != quote.payload.programs:
        raise UpstreamFailed("cannot tell what a token is: its node has changed its mind")
    terms = _terms(request, context.deployments[request.origin.id], accounts)
    swap = check_answer(quote.payload.found, terms)
    if swap.route.minimum < minimum:
        raise SlippageTooTight("guarantees less than the minimum")
    return SvmDraft(
        request.origin.id,
        swap.swap.program,
        _instructions(request, terms, swap, accounts),
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
    data = answer.get("data") if isinstance(answer, dict) else None
    if not data:
        raise NoRoute("has no route")
    if isinstance(data, list):
        if len(data) != 1:
            raise UpstreamFailed("answered several swaps at once")
        data = data[0]
    return read_answer(SolanaSwap, data)


async def _read(context: AdapterContext[Deployment], request: QuoteRequest) -> SwapAccounts:
    rpc = context.svm_rpcs.get(request.origin.id)
    return await read_swap_accounts(rpc, request.sender, _mint(request.origin_token), _mint(request.destination_token))


def _mint(token: Token) -> str:
    return WRAPPED_SOL if token.address == NATIVE_SVM else token.address


def _terms(request: QuoteRequest, place: Deployment, accounts: SwapAccounts) -> Terms:
    program_in, program_out = accounts.programs
    return Terms(
        frozenset(place.routers), place.index or str(request.origin.id), request.sender, request.payout_address,
        _mint(request.origin_token), _mint(request.destination_token), program_in, program_out, request.amount,
        min(slippage_bps_of(request.slippage), _MOST_BPS),
    )  # fmt: skip


def _instructions(
    request: QuoteRequest, terms: Terms, swap: CheckedSwap, accounts: SwapAccounts
) -> tuple[SvmInstruction, ...]:
    """Return everything that is executed; an account that is made twice is made once."""
    around = Wrapping()
    if request.origin_token.address == NATIVE_SVM:
        around = wrapping_in(terms.user, terms.amount, accounts.wrapped)
    elif request.destination_token.address == NATIVE_SVM:
        around = wrapping_out(terms.user, accounts.wrapped)
    paid = CreateTokenAccount.of(terms.user, terms.receiver, terms.mint_out, terms.program_out).encode()
    before = dict.fromkeys((*around.before, paid, *swap.making))
    return (*before, swap.swap, *around.after)
