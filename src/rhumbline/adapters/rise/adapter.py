"""The adapter of Rise: quotes and transactions."""

from rhumbline.adapters.rise.checking import Expected, checked_trade
from rhumbline.adapters.rise.client import LARGEST, Trade, find_offer, find_transaction
from rhumbline.adapters.rise.deployments import Deployment
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.estimates import SHARE, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter
from rhumbline.gateways.upstreams.svm.swap_accounts import read_swap_accounts, with_accounts
from rhumbline.gateways.upstreams.svm.transaction import budget_of, read_transaction, tables_of

LOGO = "https://www.rise.rich/favicon.ico"
TRUST_ASSUMPTIONS = (
    "That the key RISE means rise.rich is an inference. We have seen neither its program's source nor a transaction. "
    "Its documents say that it fails below the minimum; an assertion at the end of the transaction checks the output, "
    "and without room for it only the simulation does.",
    "What the program does with Rise's own accounts, and with the wallet's signature, shows only in the simulation. "
    "Assertions bound what is left to the wallet if there is room for them.",
)


class RiseAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of Rise: its markets' tokens for SOL or dollars, by the wallet itself and to it alone."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "Rise", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept a market's token and what markets are in, one for the other, for the wallet itself."""
        origin = request.origin
        if origin.id not in self.context.deployments or origin.type is not ChainType.SVM:
            return False
        if request.destination.id != origin.id or {request.taker, request.payout_address} != {request.sender}:
            return False
        place = self.context.deployments[origin.id]
        sold, bought = request.pair(WRAPPED_SOL)
        paid_in = {WRAPPED_SOL, place.dollar}
        token = bought if sold in paid_in else sold
        return (sold in paid_in) is not (bought in paid_in) and token.lower().endswith(place.ending)

    async def quote(self, request: QuoteRequest, /) -> Quote[Trade]:
        """Ask for the market's output; raise an AdapterError if there is none, or for an amount beyond 2^53."""
        trade, direction = self._trade(request), "buy"
        request.expect_amount(LARGEST)
        market, offer = await find_offer(self.context.http, trade)
        pair = [*request.pair(WRAPPED_SOL)]
        if not trade.buys:
            direction = "sell"
            pair.reverse()
        if market.mint_main != pair[0]:
            raise NoRoute("trades this token for another one")
        if market.disable_sell and not trade.buys:
            raise NoRoute("takes no sales of this token")
        expect("market", market.mint_token, trade.market)
        expect("direction", offer.direction, direction)
        expect("amount", offer.amount_in, request.amount)
        if not 0 < offer.amount_out <= LARGEST:
            raise NoRoute("gives nothing that it can name for this amount")
        impact = price_impact_bps(offer.price_impact, SHARE)
        return Quote(self.info.key, request, offer.amount_out, trade, price_impact_bps=impact)

    async def build(self, quote: Quote[Trade], /) -> SvmDraft:
        """Have the trade made with the minimum, and hand out its instruction with accounts and wrapping of ours.

        Raise UpstreamFailed where it is not exactly the trade, RequestRejected without a minimum.
        """
        request, trade, minimum = quote.request, self._trade(quote.request), quote.required_minimum()
        place, rpc = self.deployment(request), self.context.svm_node(request.origin.id)
        accounts = await read_swap_accounts(rpc, request)
        raw = await find_transaction(self.context.http, trade, request.sender, minimum)
        tables = tables_of(raw)
        message = await read_transaction(rpc, raw, tables)
        call = checked_trade(message, Expected(place, trade, accounts, minimum, quote.output_amount))
        instructions, budget = with_accounts(call, accounts), budget_of(message.instructions)
        programs = frozenset({place.program})
        return SvmDraft(request.origin.id, place.program, instructions, programs, tables, budget.units, budget.heap)

    def _trade(self, request: QuoteRequest) -> Trade:
        place, (sold, bought) = self.deployment(request), request.pair(WRAPPED_SOL)
        buys = sold in (WRAPPED_SOL, place.dollar)
        return Trade(bought if buys else sold, buys, request.amount)
