"""Quotes, transactions and transfers through NEAR Intents' 1Click."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from math import ceil
from types import MappingProxyType

from rhumbline.adapters.near_intents.checking import checked_deposit, checked_quote, expect_token
from rhumbline.adapters.near_intents.client import ask_quote, ask_status, listed_tokens
from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.payment import evm_payment, svm_payment
from rhumbline.adapters.near_intents.quote_request import WHOLE, Route, question, tolerance_for
from rhumbline.adapters.near_intents.transfer_status import transfer_status
from rhumbline.adapters.near_intents.wire import Deposit, Echo, QuoteAnswer, QuoteFields
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.http.upstream import Upstream
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.address import is_address as is_svm_address
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "NEAR_INTENTS"
LONGEST_ESTIMATE_S = 7 * 24 * 3600
"""A longer estimate, as one below zero, is no estimate."""
_EXACT = Context(prec=1000)
_UNITS: Mapping[str, int] = MappingProxyType({NATIVE_EVM: 21_000, NATIVE_SVM: 150})
_TOKEN_UNITS: Mapping[ChainType, int] = MappingProxyType({ChainType.EVM: 65_000, ChainType.SVM: 40_000})
UNPROVABLE = (
    "Nothing on the origin chain shows that the deposit address is NEAR Intents', nor does the payment say what it is"
    " for: the address, the receiver, the refund address, the output and the minimum bind the service by its signature"
    " over our question alone. Whoever has its key can take the whole amount.",
    "The signature has the address's end, up to three days after the deadline that was asked for, and not the deadline:"
    " when a deposit is given back is the service's word. Up to a quarter of it may be that refund's fee, which is"
    " signed. Nor has it shares of the input for others (`appFees`), a hundredth at most, which can cost no more than"
    " the promise less the minimum.",
)


@dataclass(frozen=True, slots=True)
class NearIntentsAdapter:
    """The ``Bridge`` of 1Click: tokens are paid to an address made for one quote, and paid out on the other chain."""

    info: AdapterInfo
    http: Upstream = field(repr=False)
    deployments: Mapping[int, Deployment]
    clock: Clock
    svm_rpcs: Mapping[int, SvmRpc]

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two known tokens on two chains, paid to the receiver itself; from Solana where a node of ours is.

        Native currency, and what is Solana's, only when the wallet itself pays: the service's contracts pay out tokens
        alone.
        """
        on_solana = request.origin.type is ChainType.SVM
        if on_solana and request.origin.id not in self.svm_rpcs:
            return False
        if (on_solana or request.origin_token.address == NATIVE_EVM) and request.taker != request.sender:
            return False
        return request.payout_address == request.receiver and _fits(request) and self._route(request) is not None

    async def quote(self, request: QuoteRequest, /) -> Quote[Route]:
        """Ask for a price, which the service signs; no deposit address is reserved. Raise an AdapterError."""
        route = self._known(request)
        tolerance = request.slippage.numerator * WHOLE // request.slippage.denominator
        asked = question(route, request, tolerance, dry=True)
        fields, echo = self._checked(await ask_quote(self.http, asked), asked, route)
        return Quote(
            KEY,
            request,
            fields.amount_out,
            route,
            min_output_amount=fields.min_amount_out,
            fees=_fees(fields, echo, request),
            seconds=_seconds(fields.time_estimate),
            gas_units=_UNITS.get(request.origin_token.address, _TOKEN_UNITS[request.origin.type]),
            assured_output=fields.amount_out,
        )

    async def build(self, quote: Quote[Route], /) -> EvmTransaction | SvmDraft:
        """Reserve a deposit address for exactly this quote and pay to it.

        ``reference`` is the address, ``expires_at`` leaves a deposit the time to confirm before the address ends.
        Raise RequestRejected without a minimum, SlippageTooTight when the price has fallen below it meanwhile.
        """
        request, route = quote.request, self._known(quote.request)
        minimum = quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._expect_assets(request, route))
                reserving = both.create_task(self._reserve(route, request, quote.output_amount, minimum))
        except ExceptionGroup as failures:
            raise next((each for each in failures.exceptions if isinstance(each, AdapterError)), failures) from None
        deposit = reserving.result()
        inactive = deposit.deadline if deposit.time_when_inactive is None else deposit.time_when_inactive
        ends = min(deposit.deadline, inactive) - route.origin.deposit_s
        if ends <= self.clock().timestamp():
            raise UpstreamFailed("answered with a deposit address that ends too soon")
        if request.origin.type is ChainType.SVM:
            return await svm_payment(self.svm_rpcs[request.origin.id], request, deposit.deposit_address, ends)
        return evm_payment(request, deposit.deposit_address, ends)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by deposit address; UNKNOWN without one, or when the service does not know it."""
        found = None if transfer.reference is None else await ask_status(self.http, transfer.reference)
        if found is None:
            return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
        return transfer_status(found, transfer)

    def _route(self, request: QuoteRequest) -> Route | None:
        origin, destination = (self.deployments.get(chain.id) for chain in (request.origin, request.destination))
        if origin is None or destination is None:
            return None
        given, wanted = origin.asset(request.origin_token.address), destination.asset(request.destination_token.address)
        return None if given is None or wanted is None else Route(origin, destination, given, wanted)

    def _known(self, request: QuoteRequest) -> Route:
        route = self._route(request)
        if route is None or not self.supports(request):
            raise NoRoute("NEAR Intents does not serve this pair of tokens and chains")
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        return route

    def _checked(self, answer: QuoteAnswer, asked: dict[str, object], route: Route) -> tuple[QuoteFields, Echo]:
        return checked_quote(answer, asked, route.origin.signer, self.clock().timestamp())

    async def _reserve(self, route: Route, request: QuoteRequest, output: int, minimum: int) -> Deposit:
        """Reserve an address whose quote guarantees the minimum.

        The slippage allowed is what lies between the output and the minimum. Where the price has fallen a little since
        the first quote, the second question allows less.
        """
        for _ in range(2):
            asked = question(route, request, tolerance_for(output, minimum), dry=False)
            answer = await ask_quote(self.http, asked)
            fields, _echo = self._checked(answer, asked, route)
            if fields.min_amount_out >= minimum:
                return checked_deposit(answer, asked, request)
            output = fields.amount_out
            if output < minimum:
                break
        raise SlippageTooTight("the price has fallen below the minimum since the quote")

    async def _expect_assets(self, request: QuoteRequest, route: Route) -> None:
        given, wanted = await listed_tokens(self.http, (route.origin_asset, route.destination_asset))
        expect_token(given, request.origin_token, route.origin)
        expect_token(wanted, request.destination_token, route.destination)


def make(context: AdapterContext[Deployment]) -> NearIntentsAdapter:
    known = {chain: deployment for chain, deployment in context.deployments.items() if chain in context.chains}
    info = AdapterInfo(
        KEY,
        "NEAR Intents",
        "https://near-intents.org/favicon.ico",
        Capability.BRIDGE,
        tuple(sorted(known)),
        scan_url="https://explorer.near-intents.org/transactions/{reference}",
        trust_assumptions=UNPROVABLE,
    )
    return NearIntentsAdapter(info, context.http, known, context.clock, context.svm_rpcs)


def _fits(request: QuoteRequest) -> bool:
    """Tell whether both chains differ, and both wallets are of their chains' types."""
    ends = ((request.origin, request.sender), (request.destination, request.receiver))
    fits = all(is_svm_address(who) if chain.type is ChainType.SVM else is_address(who) for chain, who in ends)
    return fits and request.origin.id != request.destination.id


def _fees(fields: QuoteFields, echo: Echo, request: QuoteRequest) -> tuple[FeeItem, ...]:
    """List what the service keeps: its share of the input, rounded down, and the payment's gas in the output token."""
    shares = [int(_EXACT.multiply(fee.fee, fields.amount_in)) // WHOLE for fee in echo.app_fees or ()]
    fees = [FeeItem(FeeType.RELAYER_SERVICE, share, request.origin_token) for share in shares if share]
    if fields.withdraw_fee:
        fees.append(FeeItem(FeeType.RELAYER_GAS, fields.withdraw_fee, request.destination_token))
    return tuple(fees)


def _seconds(told: Decimal) -> int | None:
    return ceil(told) if 0 <= told <= LONGEST_ESTIMATE_S else None
