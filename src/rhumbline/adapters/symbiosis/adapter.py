"""Quotes, transactions and transfers through Symbiosis."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import ceil

from rhumbline.adapters.symbiosis.checking import Route, Terms, checked
from rhumbline.adapters.symbiosis.client import ask_quote, ask_status
from rhumbline.adapters.symbiosis.deployments import Deployment, transit_of
from rhumbline.adapters.symbiosis.deposit import deposit_of
from rhumbline.adapters.symbiosis.transfer_status import transfer_status
from rhumbline.adapters.symbiosis.wire import QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.http.upstream import Upstream
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "SYMBIOSIS"
WHOLE = 10_000
LEAST_SLIPPAGE = 20
MOST_SLIPPAGE = 1_000
CROSSING_S = 300
"""How many seconds before the pool's deadline the call must be made, to reach the host chain in time."""
LONGEST_S = 7 * 86_400
"""Of an estimate, and of a deadline from now: a swap that is made later is not what was asked for."""
_GAS = 350_000
# Routes that only hand the tokens on to somebody else's bridge.
_NOT_THROUGH = "chainflip-bridge,thorchain-bridge,changelly"
UNPROVABLE = (
    "A transfer that gets stuck may be turned back by an account of Symbiosis' in place of the wallet, for a fee that"
    " it sets: on the origin chain it can only go back to the wallet, from beyond the host chain that account decides.",
    "The pool's minimum is in the call, and is enforced on Symbiosis' own chain, by contracts that can be upgraded and"
    " that its signers tell what was locked: what they do today is not looked up, and could cost the whole amount.",
    "What the pool gives is not looked up either: one that gives less than the minimum when the call arrives makes no"
    " swap, and the transfer waits there to be turned back, less the first of the two fees that the quote lists.",
)


@dataclass(frozen=True, slots=True)
class Fees:
    """What the crossing costs: ``there`` in raw units of the destination token, off the pool's output."""

    there: int


@dataclass(frozen=True, slots=True)
class SymbiosisAdapter:
    """The ``Bridge`` of Symbiosis, for tokens that cross without a swap before or after."""

    info: AdapterInfo
    http: Upstream = field(repr=False)
    deployments: Mapping[int, Deployment]
    clock: Clock

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one pool on two EVM chains, paid to the receiver itself; any caller."""
        return request.payout_address == request.receiver and _fits(request) and self._route(request) is not None

    async def quote(self, request: QuoteRequest, /) -> Quote[Fees]:
        """Ask for a crossing and read its terms from its call; any minimum that can be promised is taken later.

        Raise an AdapterError, SlippageTooTight where a minimum with the request's slippage cannot be promised.
        """
        route = self._known(request)
        answer, terms = await self._ask(request, route, _basis_points(request.slippage))
        burn = terms.crossing.burn
        permitted = terms.output - int(terms.output * request.slippage)
        _expect_promisable(tolerance_for(terms.output, permitted, burn.fee))
        # A ``relayer`` item in the origin's native asset would be one that is sent beside the amount.
        fees = (
            FeeItem(FeeType.RELAYER_SERVICE, terms.crossing.fee, request.origin_token),
            FeeItem(FeeType.RELAYER, burn.fee, request.destination_token),
        )
        return Quote(
            KEY,
            request,
            terms.output,
            Fees(burn.fee),
            fees=tuple(fee for fee in fees if fee.amount),
            seconds=_seconds(answer.estimated_time),
            gas_units=_GAS,
        )

    async def build(self, quote: Quote[Fees], /) -> EvmTransaction:
        """Ask anew, for the fees follow the price of gas, and return the call if it guarantees the minimum.

        ``expires_at`` is when the call would reach the host chain too late. Raise RequestRejected without a minimum,
        SlippageTooTight when the price has fallen below it meanwhile.
        """
        request, route = quote.request, self._known(quote.request)
        minimum = quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        output, fee = quote.output_amount, quote.payload.there
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
        found = await ask_status(self.http, transfer.origin_chain_id, transfer.tx_hash)
        if found is None:
            return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
        return transfer_status(found, transfer)

    def _route(self, request: QuoteRequest) -> Route | None:
        origin, destination = (self.deployments.get(chain.id) for chain in (request.origin, request.destination))
        if origin is None or destination is None:
            return None
        given = transit_of(origin, request.origin_token.address)
        wanted = transit_of(destination, request.destination_token.address)
        if (
            given is None
            or wanted is None
            or given.pool != wanted.pool
            or (wanted.native and not destination.unwrapper)
        ):
            return None
        return Route(origin, destination, given, wanted)

    def _known(self, request: QuoteRequest) -> Route:
        route = self._route(request)
        if route is None or not self.supports(request):
            raise NoRoute("Symbiosis does not serve this pair of tokens and chains")
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        return route

    async def _ask(self, request: QuoteRequest, route: Route, tolerance: int) -> tuple[QuoteAnswer, Terms]:
        _expect_promisable(tolerance)
        asked = self._question(request, min(tolerance, MOST_SLIPPAGE))
        answer = await ask_quote(self.http, asked)
        return answer, checked(answer, request, route)

    def _question(self, request: QuoteRequest, tolerance: int) -> dict[str, object]:
        """Return the body of ``POST /v2/quote``.

        ``from`` is the wallet, whoever makes the call: the tokens are pulled from the caller, and given back to
        ``from`` when the crossing is turned back.
        """
        wallet = request.sender
        return {
            "tokenAmountIn": {**_token(request.origin_token), "amount": str(request.amount)},
            "tokenOut": _token(request.destination_token),
            "from": wallet,
            "to": request.payout_address,
            "slippage": tolerance,
            "revertableAddresses": [
                {"chainId": chain.id, "address": wallet} for chain in (request.origin, request.destination)
            ],
            "disabledProviders": _NOT_THROUGH,
        }

    def _transaction(self, answer: QuoteAnswer, terms: Terms) -> EvmTransaction:
        ends, now = terms.deadline - CROSSING_S, int(self.clock().timestamp())
        if ends <= now:
            raise UpstreamFailed("answered with a deadline that is too close")
        expect_at_most("deadline of the swap", terms.deadline, now + LONGEST_S)
        call, deposit = answer.tx, deposit_of(terms.crossing)
        return EvmTransaction(
            call.chain_id, call.to, call.value, call.data, terms.spender, expires_at=ends, deposit=deposit
        )


def tolerance_for(output: int, minimum: int, fee: int) -> int:
    """Return the largest slippage, in whole basis points and rounded down, that still guarantees ``minimum``.

    It counts on the pool's output, of which ``fee`` is off before ``output`` arrives.
    """
    return max(output - minimum, 0) * WHOLE // (output + fee) if output + fee > 0 else 0


def _seconds(told: Decimal | None) -> int | None:
    """Return an estimate in whole seconds, rounded up; None for one that cannot be meant."""
    return None if told is None or not 0 <= told <= LONGEST_S else ceil(told)


def _basis_points(share: Fraction) -> int:
    return share.numerator * WHOLE // share.denominator


def _expect_promisable(tolerance: int) -> None:
    if tolerance < LEAST_SLIPPAGE:
        raise SlippageTooTight("the bridge promises no output closer than 0.2 % to its price")


def make(context: AdapterContext[Deployment]) -> SymbiosisAdapter:
    known = {chain: deployment for chain, deployment in context.deployments.items() if chain in context.chains}
    info = AdapterInfo(
        KEY,
        "Symbiosis",
        "https://app.symbiosis.finance/images/favicon-32x32.png",
        Capability.BRIDGE,
        tuple(sorted(known)),
        scan_url="https://explorer.symbiosis.finance/transactions/{txHash}",
        trust_assumptions=UNPROVABLE,
    )
    return SymbiosisAdapter(info, context.http, known, context.clock)


def _fits(request: QuoteRequest) -> bool:
    """Tell whether both chains are different EVM chains and the receiver is an address there."""
    kinds = {request.origin.type, request.destination.type}
    return request.origin.id != request.destination.id and kinds == {ChainType.EVM} and is_address(request.receiver)


def _token(token: Token) -> dict[str, object]:
    address = "" if token.address == NATIVE_EVM else token.address
    return {"chainId": token.chain_id, "address": address, "decimals": token.decimals, "symbol": token.symbol}
