"""The adapter of Symbiosis: quotes, transactions and the status of transfers."""

from rhumbline.adapters.symbiosis.calldata import deposit_of
from rhumbline.adapters.symbiosis.checking import Route, Terms, checked, route_of
from rhumbline.adapters.symbiosis.client import ask_quote, ask_status, expect_promisable, question, tolerance_for
from rhumbline.adapters.symbiosis.deployments import Deployment
from rhumbline.adapters.symbiosis.transfer_status import transfer_status
from rhumbline.adapters.symbiosis.wire import QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import NOT_KNOWN, Transfer, TransferStatus
from rhumbline.gateways.upstreams.estimates import WEEK_S, estimated_seconds
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter, expect_served

LOGO = "https://app.symbiosis.finance/images/favicon-32x32.png"
SCAN = "https://explorer.symbiosis.finance/transactions/{txHash}"
CROSSING_S = 300
"""How many seconds before the pool's deadline the call must be made to reach the host chain in time."""
_GAS = 350_000
TRUST_ASSUMPTIONS = (
    "For a stuck transfer, an account of Symbiosis may start the refund in place of the wallet, for a fee that it "
    "sets. On the origin chain the refund can only go to the wallet; beyond the host chain that account decides.",
    "The pool's minimum is in the call. Contracts on Symbiosis' own chain enforce it; they can be upgraded, and "
    "Symbiosis' signers tell them what was locked. What they do today is not verified, and the whole amount is at "
    "risk.",
    "The pool's output is not verified either. If it is below the minimum when the call arrives, there is no swap, "
    "and the transfer waits there for a refund, less the first of the two fees in the quote.",
)
REFUND_TERMS = (
    "On the origin chain a refund can only go to the address that refundTo names. Once the pool has swapped, the "
    "wallet that sent, or an account of Symbiosis, decides where a stuck transfer goes.",
)


class SymbiosisAdapter(UpstreamAdapter[Deployment]):
    """The ``Bridge`` of Symbiosis, for tokens that can be transferred without a swap before or after."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(
            *(context.key, "Symbiosis", LOGO, Capability.BRIDGE, context.served, SCAN, TRUST_ASSUMPTIONS),
            refunds_named=(ChainType.EVM,),
            refund_terms=REFUND_TERMS,
        )
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one pool on two EVM chains, paid to the receiver itself; any caller."""
        return route_of(request, self.known_deployments(request)) is not None

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        """Ask for a crossing and read its terms from its call; any minimum that can be promised is taken later.

        The payload is the fee on the destination, in raw units of its token, off the pool's output.
        Raise an AdapterError, SlippageTooTight where a minimum with the request's slippage cannot be promised.
        """
        route = self._known(request)
        answer, terms = await self._ask(request, route, slippage_bps(request.slippage))
        burn = terms.crossing.burn
        permitted = terms.output - int(terms.output * request.slippage)
        expect_promisable(tolerance_for(terms.output, permitted, burn.fee))
        # A ``relayer`` fee in the origin's native asset would be one that is paid beside the amount.
        fees = (
            FeeItem(FeeType.RELAYER_SERVICE, terms.crossing.fee, request.origin_token),
            FeeItem(FeeType.RELAYER, burn.fee, request.destination_token),
        )
        return Quote(
            self.context.key,
            request,
            terms.output,
            burn.fee,
            fees=tuple(fee for fee in fees if fee.amount),
            seconds=estimated_seconds(answer.estimated_time),
            gas_units=_GAS,
        )

    async def build(self, quote: Quote[int], /) -> EvmTransaction:
        """Ask again, because fees follow the gas price, and return the call if it guarantees the minimum.

        ``expires_at`` is when the call would reach the host chain too late. Raise RequestRejected without a minimum,
        SlippageTooTight if the price has fallen below it meanwhile.
        """
        request, route = quote.request, self._known(quote.request)
        minimum = quote.required_minimum()
        output, fee = quote.output_amount, quote.payload
        for _ in range(2):
            answer, terms = await self._ask(request, route, tolerance_for(output, minimum, fee))
            if terms.minimum >= minimum:
                return self._transaction(answer, terms)
            output, fee = terms.output, terms.crossing.burn.fee
            if output < minimum:
                break
        raise SlippageTooTight("the price has fallen below the minimum since the quote")

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the origin's transaction; UNKNOWN when the service does not know it."""
        found = await ask_status(self.context.http, transfer.origin_chain_id, transfer.tx_hash)
        return NOT_KNOWN if found is None else transfer_status(found, transfer)

    def _known(self, request: QuoteRequest) -> Route:
        route = expect_served(route_of(request, self.known_deployments(request)))
        request.expect_amount()
        return route

    async def _ask(self, request: QuoteRequest, route: Route, tolerance: int) -> tuple[QuoteAnswer, Terms]:
        expect_promisable(tolerance)
        answer = await ask_quote(self.context.http, question(request, tolerance))
        return answer, checked(answer, request, route)

    def _transaction(self, answer: QuoteAnswer, terms: Terms) -> EvmTransaction:
        ends, now = terms.deadline - CROSSING_S, int(self.context.clock().timestamp())
        if ends <= now:
            raise UpstreamFailed("answered with a deadline that is too close")
        expect_at_most("deadline of the swap", terms.deadline, now + WEEK_S)
        call, deposit = answer.tx, deposit_of(terms.crossing)
        return EvmTransaction(
            call.chain_id, call.to, call.value, call.data, terms.spender, expires_at=ends, deposit=deposit
        )
