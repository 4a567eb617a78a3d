"""Quotes and transactions of Rise."""

from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal

from rhumbline.adapters.rise.checking import Wanted, checked_trade
from rhumbline.adapters.rise.client import LARGEST, Trade, find_offer, find_transaction
from rhumbline.adapters.rise.deployments import Deployment
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.swap_accounts import SwapAccounts, read_swap_accounts
from rhumbline.gateways.svm.compute_budget import ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiling import Decompiled, decompile, lookup_tables_of
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.wrapping import Wrapping, wrapping_in, wrapping_out
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "RISE"
LOGO = "https://www.rise.rich/favicon.ico"
UNPROVABLE = (
    "That the key RISE means rise.rich is an inference, and its program was never seen by us, neither its source nor a "
    "transaction. That it fails below the minimum, as its documents say, is asserted at the transaction's end, and "
    "without room for that believed by the run alone.",
    "What the program does with the accounts that are Rise's own, and with the wallet's signature, shows in the run; "
    "what is left to the wallet is asserted where there is room.",
)
_WHOLE = 10_000
_SIGNATURE = 64


@dataclass(frozen=True, slots=True)
class RiseAdapter:
    """The ``Adapter`` of Rise: its markets' tokens for SOL or dollars, by the wallet itself and to it alone."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "Rise", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept a market's token and what markets are in, one for the other, for the wallet itself."""
        origin = request.origin
        if origin.id not in self.context.deployments or origin.type is not ChainType.SVM:
            return False
        if request.destination.id != origin.id or {request.taker, request.payout_address} != {request.sender}:
            return False
        place = self.context.deployments[origin.id]
        sold, bought = (_mint(token) for token in (request.origin_token, request.destination_token))
        paid_in = {WRAPPED_SOL, place.dollar}
        token = bought if sold in paid_in else sold
        return (sold in paid_in) is not (bought in paid_in) and token.lower().endswith(place.ending)

    async def quote(self, request: QuoteRequest, /) -> Quote[Trade]:
        """Ask what the market gives; raise an AdapterError when there is none, or for an amount beyond 2^53."""
        trade, wanted = self._trade(request), "buy"
        if not 0 < request.amount <= LARGEST:
            raise RequestRejected("amount: it must be positive and below 2^53")
        market, offer = await find_offer(self.context.http, trade)
        pair = [_mint(token) for token in (request.origin_token, request.destination_token)]
        if not trade.buys:
            wanted = "sell"
            pair.reverse()
        if market.mint_main != pair[0]:
            raise NoRoute("trades this token for another one")
        if market.disable_sell and not trade.buys:
            raise NoRoute("takes no sales of this token")
        expect("market", market.mint_token, trade.market)
        expect("direction", offer.direction, wanted)
        expect("amount", offer.amount_in, request.amount)
        if not 0 < offer.amount_out <= LARGEST:
            raise NoRoute("gives nothing that it can name for this amount")
        impact = _impact_bps(offer.price_impact)
        return Quote(self.context.key, request, offer.amount_out, trade, price_impact_bps=impact)

    async def build(self, quote: Quote[Trade], /) -> SvmDraft:
        """Have the trade made with the minimum, and hand out its instruction with accounts and wrapping of ours.

        Raise UpstreamFailed where it is not exactly the trade, RequestRejected without a minimum.
        """
        request, trade, minimum = quote.request, self._trade(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        place, rpc = self.context.deployments[request.origin.id], self.context.svm_rpcs.get(request.origin.id)
        mints = _mint(request.origin_token), _mint(request.destination_token)
        accounts = await read_swap_accounts(rpc, request.sender, *mints)
        raw = await find_transaction(self.context.http, trade, request.sender, minimum)
        message, tables = await _read(rpc, raw)
        call = checked_trade(
            message, Wanted(place, trade, request.sender, mints, accounts.programs, minimum, quote.output_amount)
        )
        budget = _budget(message)
        programs = frozenset({place.program})
        return SvmDraft(
            request.origin.id, place.program, _around(call, request, accounts), programs, tables, budget.units,
            budget.heap,
        )  # fmt: skip

    def _trade(self, request: QuoteRequest) -> Trade:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        sold, bought = (_mint(token) for token in (request.origin_token, request.destination_token))
        buys = sold in (WRAPPED_SOL, self.context.deployments[request.origin.id].dollar)
        return Trade(bought if buys else sold, buys, request.amount)


def _mint(token: Token) -> str:
    return WRAPPED_SOL if token.address == NATIVE_SVM else token.address


async def _read(rpc: SvmRpc | None, raw: bytes) -> tuple[Decompiled, tuple[str, ...]]:
    """Read a transaction with the lookup tables that it uses as they are on the chain; raise UpstreamFailed."""
    if rpc is None:
        raise UpstreamFailed("cannot be checked: no node of the chain is known")
    try:
        tables = lookup_tables_of(raw[1 + _SIGNATURE * raw[0] :]) if raw else ()
        return decompile(raw, await SvmState(rpc).tables(tables) if tables else ()), tables
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed("cannot be checked: the node does not answer") from error
    except ValueError as error:
        raise UpstreamFailed(f"answered a transaction that cannot be used: {error}") from error


def _around(call: SvmInstruction, request: QuoteRequest, accounts: SwapAccounts) -> tuple[SvmInstruction, ...]:
    around = Wrapping()
    if request.origin_token.address == NATIVE_SVM:
        around = wrapping_in(request.sender, request.amount, accounts.wrapped)
    elif request.destination_token.address == NATIVE_SVM:
        around = wrapping_out(request.sender, accounts.wrapped)
    sender, bought = request.sender, request.destination_token.address
    made = CreateTokenAccount.of(sender, sender, bought, accounts.programs[1]).encode()
    return (*(() if bought == NATIVE_SVM else (made,)), *around.before, call, *around.after)


def _budget(message: Decompiled) -> ComputeBudget:
    try:
        return read_budget(message.instructions)
    except ValueError as error:
        raise UpstreamFailed(f"answered a transaction that cannot be used: {error}") from error


def _impact_bps(said: object) -> int | None:
    """Read a price impact, a share of one, as bps rounded up; None when it is none."""
    if isinstance(said, bool) or not isinstance(said, int | Decimal) or not 0 <= said <= 1:
        return None
    return int((Decimal(said) * _WHOLE).to_integral_value(ROUND_CEILING))
