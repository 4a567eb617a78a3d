"""Quotes and deposits of Across, and how its transfers stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from rhumbline.adapters.across.calldata import decode, encode
from rhumbline.adapters.across.checking import (
    KEY,
    DepositTerms,
    Route,
    bridged,
    deposit_of,
    quote_of_approval,
    quote_of_fees,
)
from rhumbline.adapters.across.client import limits, suggested_fees, swap_approval
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.deposit import bridge_deposit
from rhumbline.adapters.across.pool_state import Arriving, check_arrival, fitted, read_clock
from rhumbline.adapters.across.queries import fees_query
from rhumbline.adapters.across.svm.deposit import draft
from rhumbline.adapters.across.svm.fill_search import FillSearches
from rhumbline.adapters.across.svm.pool_state import read_pool
from rhumbline.adapters.across.svm.program import LARGEST_U64
from rhumbline.adapters.across.transfer_status import StatusLookup
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    NodeRefused,
    NodeUnavailable,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm.address import is_address as is_svm_address
from rhumbline.gateways.upstreams.spec import AdapterContext

API_KEY = "api_key"
INTEGRATOR_ID = "integrator_id"
UNPROVABLE = (
    "On a destination without a node of ours that a deposit was filled is the API's word; on Solana also after its"
    " deadline, where the account that tells of the fill is closed and the node has forgotten the transaction.",
    "Which deposit a refund belongs to: ExecutedRelayerRefundRoot names depositor, token and sum, and no deposit. "
    "While the API is silent, the first refund after the deadline that is large enough counts.",
    "Who was paid, and how much, where neither the destination's node nor the API shows the fill itself: the pool says "
    "that it was filled, and a depositor may sign for another receiver.",
    "That somebody will fill a deposit on the quoted terms: nobody has to, and then the whole of it is refunded after"
    " its deadline. A fill pays the output that the deposit names, and never less; until the exclusivity ends, at most"
    " five minutes, only the relayer that the API names can make it.",
)
_LOGO = "https://app.across.to/logo-small.png"
_SCAN = "https://app.across.to/transaction/{txHash}"
_INTEGRATOR = re.compile(r"0x[0-9a-fA-F]{4}\Z", re.ASCII)
_LARGEST_SLIPPAGE = Fraction(1, 2)
_SLIPPAGE_PARTS = 10_000


@dataclass(frozen=True, slots=True)
class AcrossAdapter:
    """The ``Bridge`` of Across: deposits into the pinned SpokePools, always built here.

    With an API key the terms come from the Swap API, without one, or where that is closed to us, from
    ``/suggested-fees``.
    """

    info: AdapterInfo
    context: AdapterContext[Deployment]
    searches: FillSearches = field(default_factory=FillSearches, compare=False, repr=False)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept a chain with a node and another chain, both with a deployment; native EVM assets, not SOL.

        On Solana the wallet itself deposits. What arrives of a wrapped native token depends on the receiver's code, so
        it takes the destination's node; so does every token of a chain of which it is not known here which one that is.
        """
        origin, destination = (
            self.context.deployments.get(chain.id) for chain in (request.origin, request.destination)
        )
        if origin is None or destination is None or request.origin.id == request.destination.id:
            return False
        if request.message and request.destination.type is not ChainType.EVM:
            return False
        on_solana = request.origin.type is ChainType.SVM
        if on_solana and (request.taker != request.sender or not is_svm_address(request.sender)):
            return False
        if request.origin.id not in self.context.rpcs and request.origin.id not in self.context.svm_rpcs:
            return False
        if not _has_form(request.origin, request.origin_token):
            return False
        if not _has_form(request.destination, request.destination_token):
            return False
        if _is_native_kind(request.destination, request.destination_token):
            return destination.delivers_native and request.destination.id in self.context.rpcs
        return not _may_unwrap(request.destination) or request.destination.id in self.context.rpcs

    async def quote(self, request: QuoteRequest, /) -> Quote[DepositTerms]:
        """Ask for the terms of a deposit of exactly ``request.amount``; ``min_output_amount`` is the whole output.

        Across pays the quoted output or gives the deposit back. ``fees`` are in the origin token and off the output
        already. Raise an AdapterError; BelowMinimum carries the route's true minimum.
        """
        route = self._route(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        if request.origin.type is ChainType.SVM and request.amount > LARGEST_U64:
            raise RequestRejected("amount: it must fit 64 bits")
        try:
            await self._check_arrival(request, route)
        except NodeUnavailable as error:
            raise UpstreamFailed(str(error)) from error
        try:
            # The Swap API writes the messages itself: with one of ours a bare deposit is asked for.
            if self.context.credentials.get(API_KEY) and not request.message:
                answer = await swap_approval(self.context.http, self._swap_query(request, route))
                if answer is not None:
                    return quote_of_approval(request, route, answer)
            return quote_of_fees(
                request, route, await suggested_fees(self.context.http, fees_query(request, route, request.amount))
            )
        except BelowMinimum as error:
            if error.minimum is not None:
                raise
            raise BelowMinimum(error.reason, await self._minimum(request, route)) from error

    async def build(self, quote: Quote[DepositTerms], /) -> EvmTransaction | SvmDraft:
        """Make the deposit, its times fitted to the origin's latest block; raise an AdapterError.

        The calldata is read back and compared before it is handed out. There is no reference: the pool numbers its
        deposits when they are mined.
        """
        request, route = quote.request, self._route(quote.request)
        minimum = quote.min_output_amount
        if minimum is None or minimum <= 0:
            raise RequestRejected("min_output_amount: a positive minimum must be set first")
        if quote.payload.output_amount < minimum:
            raise SlippageTooTight("the quoted output is below the minimum")
        try:
            if request.origin.type is ChainType.SVM:
                return await self._svm_deposit(request, route, quote.payload)
            return await self._evm_deposit(request, route, quote.payload)
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed(str(error)) from error

    async def _svm_deposit(self, request: QuoteRequest, route: Route, quoted: DepositTerms) -> SvmDraft:
        now = await read_pool(self.context.svm_rpcs[request.origin.id], route.origin, route.input_token)
        expect("number of decimals", now.mint.decimals, request.origin_token.decimals)
        terms = fitted(quoted, now.clock)
        call = deposit_of(request, route, terms)
        return draft(request.origin.id, route.origin, call, now.mint, terms.expires_at)

    async def _evm_deposit(self, request: QuoteRequest, route: Route, quoted: DepositTerms) -> EvmTransaction:
        pool = route.origin.spoke_pool
        terms = fitted(quoted, await read_clock(self.context.rpcs[request.origin.id], pool))
        call = deposit_of(request, route, terms)
        data = encode(call)
        try:
            same = decode(data) == call
        except MalformedAnswer:
            same = False
        if not same:
            raise UpstreamFailed("the deposit does not say what was asked")
        native = request.origin_token.address == NATIVE_EVM
        paid = DestinationCall(request.payout_address, route.output_token, call.output_amount, call.message)
        return EvmTransaction(
            request.origin.id,
            pool,
            request.amount if native else 0,
            data,
            spender=None if native else pool,
            expires_at=terms.expires_at,
            deposit=bridge_deposit(pool, call),
            destination_call=paid if request.message else None,
        )

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Tell how a transfer stands, proved on chain where nodes of ours can tell; raise an AdapterError."""
        try:
            return await StatusLookup(self.context, transfer, self.searches).status()
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed(str(error)) from error

    def _route(self, request: QuoteRequest) -> Route:
        if not self.supports(request):
            raise NoRoute("Across does not serve this pair of tokens and chains")
        return Route(
            self.context.deployments[request.origin.id],
            self.context.deployments[request.destination.id],
            bridged(request.origin, request.origin_token),
            bridged(request.destination, request.destination_token),
        )

    async def _check_arrival(self, request: QuoteRequest, route: Route) -> None:
        chain = request.destination
        if not _is_native_kind(chain, request.destination_token) and not _may_unwrap(chain):
            return
        arriving = Arriving(
            route.output_token,
            request.payout_address,
            is_native=request.destination_token.address == NATIVE_EVM,
            is_wrapped=None if chain.wrapped_native is None else True,
        )
        await check_arrival(self.context.rpcs[chain.id], route.destination, arriving)

    async def _minimum(self, request: QuoteRequest, route: Route) -> int | None:
        """Ask for the route's smallest deposit, which the error does not tell; None when that fails too."""
        try:
            found = await limits(self.context.http, fees_query(request, route, None))
        except AdapterError:
            return None
        # One that would not do is not the reason.
        return found.min_deposit if found.min_deposit > request.amount else None

    def _swap_query(self, request: QuoteRequest, route: Route) -> Mapping[str, str]:
        """Ask in the wrapped token for native input: with the native one the API goes through its periphery."""
        native = request.destination_token.address == NATIVE_EVM
        query = {
            "tradeType": "exactInput",
            "amount": str(request.amount),
            "inputToken": route.input_token,
            "outputToken": NATIVE_EVM if native else route.output_token,
            "originChainId": str(route.origin.chain_id),
            "destinationChainId": str(route.destination.chain_id),
            "depositor": request.sender,
            "recipient": request.payout_address,
            "refundAddress": request.sender,
            "refundOnOrigin": "true",
            "slippage": slippage_text(request.slippage),
            "skipOriginTxEstimation": "true",
            "skipChecks": "true",
            "strictTradeType": "true",
            "routingPreference": "across",
        }
        if INTEGRATOR_ID in self.context.credentials:
            query["integratorId"] = self.context.credentials[INTEGRATOR_ID]
        return query


def make_adapter(context: AdapterContext[Deployment]) -> AcrossAdapter:
    """Make the adapter; raise ValueError for an integrator ID that the API would not take.

    Pools are compared with what nodes log, so they are put into one form, however the settings spell them.
    """
    mark = context.credentials.get(INTEGRATOR_ID)
    if mark is not None and not _INTEGRATOR.match(mark):
        raise ValueError(f"{INTEGRATOR_ID}: 0x and four hex digits")
    served = tuple(sorted(chain for chain in context.deployments if chain in context.chains))
    info = AdapterInfo(
        *(KEY, "Across", _LOGO, Capability.BRIDGE, served, _SCAN, UNPROVABLE), proves_start=True, carries_messages=True
    )
    pools = {chain: _spelled(deployment) for chain, deployment in context.deployments.items()}
    return AcrossAdapter(info, replace(context, deployments=pools))


def slippage_text(slippage: Fraction) -> str:
    """Write a share as the Swap API takes it: a decimal fraction of at most 0.5, in four places, rounded down."""
    context = int(min(slippage, _LARGEST_SLIPPAGE) * _SLIPPAGE_PARTS)
    return format(Decimal(context).scaleb(-4).normalize(), "f")


def _spelled(deployment: Deployment) -> Deployment:
    pool = deployment.spoke_pool
    return replace(deployment, spoke_pool=checksummed(pool)) if is_address(pool) else deployment


def _has_form(chain: Chain, token: Token) -> bool:
    """Tell whether the token can be bridged: a token, or the native asset of a chain that wraps it."""
    if token.address == NATIVE_SVM:
        return False
    return token.address != NATIVE_EVM or chain.wrapped_native is not None


def _may_unwrap(chain: Chain) -> bool:
    """Tell whether any token of the chain may be the one that its pool unwraps: which one is not known here."""
    return chain.type is ChainType.EVM and chain.wrapped_native is None


def _is_native_kind(chain: Chain, token: Token) -> bool:
    return chain.type is ChainType.EVM and token.address in (NATIVE_EVM, chain.wrapped_native)
