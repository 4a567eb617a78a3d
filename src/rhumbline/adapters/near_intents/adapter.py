"""The adapter of NEAR Intents (1Click): quotes, transactions and the status of transfers."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.near_intents.checking import checked_deposit, checked_quote, expect_token, read_fees
from rhumbline.adapters.near_intents.client import (
    Route,
    ask_quote,
    ask_status,
    listed_tokens,
    question,
    route_of,
    tolerance_for,
)
from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.payment import evm_payment
from rhumbline.adapters.near_intents.svm.payment import svm_payment
from rhumbline.adapters.near_intents.transfer_status import transfer_status
from rhumbline.adapters.near_intents.wire import Deposit, Echo, QuoteAnswer, QuoteFields
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.errors import AdapterError, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import NOT_KNOWN, Transfer, TransferStatus
from rhumbline.gateways.upstreams.estimates import estimated_seconds
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter, expect_served

_LOGO = "https://near-intents.org/favicon.ico"
_SCAN = "https://explorer.near-intents.org/transactions/{reference}"
_UNITS: Mapping[str, int] = MappingProxyType({NATIVE_EVM: 21_000, NATIVE_SVM: 150})
_TOKEN_UNITS: Mapping[ChainType, int] = MappingProxyType({ChainType.EVM: 65_000, ChainType.SVM: 40_000})
TRUST_ASSUMPTIONS = (
    "Nothing on the origin chain shows that the deposit address belongs to NEAR Intents, and the payment does not say "
    "what it is for. Address, receiver, refund address, output and minimum bind the service only by its signature "
    "over our request. Whoever has its key can take the whole amount.",
    "The signature covers when the address expires, up to three days after the requested deadline, but not the "
    "deadline: when a deposit is refunded is the service's word. The refund fee is signed, and at most a quarter of "
    "the deposit. Shares of the input for others (`appFees`) are not signed; they are at most 1 % and can cost no "
    "more than the promised output less the minimum.",
)


class NearIntentsAdapter(UpstreamAdapter[Deployment]):
    """The ``Bridge`` of 1Click: tokens are paid to an address made for one quote, and paid out on the other chain."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(
            *(context.key, "NEAR Intents", _LOGO, Capability.BRIDGE, context.served, _SCAN, TRUST_ASSUMPTIONS),
            refunds_named=tuple(ChainType),
        )
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two known tokens on two chains, paid to the receiver itself; from Solana only with a node.

        A native asset, and Solana's tokens, only if the wallet itself pays: our contracts pay out tokens only.
        """
        on_solana = request.origin.type is ChainType.SVM
        if on_solana and request.origin.id not in self.context.svm_rpcs:
            return False
        if (on_solana or request.sells_native) and request.taker != request.sender:
            return False
        return route_of(request, self.known_deployments(request)) is not None

    async def quote(self, request: QuoteRequest, /) -> Quote[Route]:
        """Ask for a price, which the service signs; no deposit address is reserved. Raise an AdapterError."""
        route = self._known(request)
        body = question(route, request, slippage_bps(request.slippage), dry=True)
        fields, echo = self._checked(await ask_quote(self.context.http, body), body, route)
        return Quote(
            self.context.key,
            request,
            fields.amount_out,
            route,
            min_output_amount=fields.min_amount_out,
            fees=read_fees(fields, echo, request),
            seconds=estimated_seconds(fields.time_estimate),
            gas_units=_UNITS.get(request.origin_token.address, _TOKEN_UNITS[request.origin.type]),
            assured_output=fields.amount_out,
        )

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the input that the service names, and signs, for exactly ``output``; raise an AdapterError."""
        route = expect_served(route_of(request, self.both_deployments(request)))
        body = question(route, request, slippage_bps(request.slippage), dry=True, output=output)
        return self._checked(await ask_quote(self.context.http, body), body, route)[0].amount_in

    async def build(self, quote: Quote[Route], /) -> EvmTransaction | SvmDraft:
        """Reserve a deposit address for exactly this quote and pay to it.

        ``reference`` is the address; ``expires_at`` leaves a deposit the time to be confirmed before the address
        expires. Raise RequestRejected without a minimum, SlippageTooTight if the price has fallen below it meanwhile.
        """
        request, route = quote.request, self._known(quote.request)
        minimum = quote.required_minimum()
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._expect_assets(request, route))
                reserving = both.create_task(self._reserve(route, request, quote.output_amount, minimum))
        except ExceptionGroup as failures:
            raise next((each for each in failures.exceptions if isinstance(each, AdapterError)), failures) from None
        deposit = reserving.result()
        inactive = deposit.deadline if deposit.time_when_inactive is None else deposit.time_when_inactive
        ends = min(deposit.deadline, inactive) - route.origin.deposit_s
        if ends <= self.context.clock().timestamp():
            raise UpstreamFailed("answered with a deposit address that ends too soon")
        if request.origin.type is ChainType.SVM:
            return await svm_payment(self.context.svm_rpcs[request.origin.id], request, deposit.deposit_address, ends)
        return evm_payment(request, deposit.deposit_address, ends)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by deposit address; UNKNOWN without one, or when the service does not know it."""
        found = None if transfer.reference is None else await ask_status(self.context.http, transfer.reference)
        return NOT_KNOWN if found is None else transfer_status(found, transfer)

    def _known(self, request: QuoteRequest) -> Route:
        route = expect_served(route_of(request, self.both_deployments(request)))
        request.expect_amount()
        return route

    def _checked(self, answer: QuoteAnswer, body: dict[str, object], route: Route) -> tuple[QuoteFields, Echo]:
        return checked_quote(answer, body, route.origin.signer, self.context.clock().timestamp())

    async def _reserve(self, route: Route, request: QuoteRequest, output: int, minimum: int) -> Deposit:
        """Reserve an address whose quote guarantees the minimum.

        The slippage allowed is what lies between the output and the minimum. Where the price has fallen a little since
        the first quote, the second question allows less.
        """
        for _ in range(2):
            body = question(route, request, tolerance_for(output, minimum), dry=False)
            answer = await ask_quote(self.context.http, body)
            fields, _echo = self._checked(answer, body, route)
            if fields.min_amount_out >= minimum:
                return checked_deposit(answer, body, request)
            output = fields.amount_out
            if output < minimum:
                break
        raise SlippageTooTight("the price has fallen below the minimum since the quote")

    async def _expect_assets(self, request: QuoteRequest, route: Route) -> None:
        listed = await listed_tokens(self.context.http, (route.origin_asset, route.destination_asset))
        expect_token(listed[0], request.origin_token, route.origin)
        expect_token(listed[1], request.destination_token, route.destination)
