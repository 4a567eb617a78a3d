"""The adapter of Across: quotes, deposits, and the status of transfers."""

import re
from dataclasses import replace

from rhumbline.adapters.across.checking import KEY, deposit_of, evm_deposit, quote_of_approval, quote_of_fees
from rhumbline.adapters.across.client import smallest_deposit, suggested_fees, swap_approval, swap_query
from rhumbline.adapters.across.deployments import Deployment, in_one_form
from rhumbline.adapters.across.pool_state import expect_form, fitted, read_clock
from rhumbline.adapters.across.route import DepositTerms, Route, arrives_wrapped_or_native, route_of
from rhumbline.adapters.across.svm.deposit import draft
from rhumbline.adapters.across.svm.fill_search import FillSearches
from rhumbline.adapters.across.svm.pool_state import read_pool
from rhumbline.adapters.across.transfer_status import StatusLookup
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import MAX_EVM, MAX_SVM
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import (
    BelowMinimum,
    NodeRefused,
    NodeUnavailable,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter, expect_served

API_KEY = "api_key"
INTEGRATOR_ID = "integrator_id"
TRUST_ASSUMPTIONS = (
    "If no node is configured for the destination, the API's word is the only evidence that a deposit was filled. On "
    "Solana this is also so after the deadline, when the account that records the fill is closed and the node no "
    "longer has the transaction.",
    "A refund on the chain says who gets it and how much, but not for which deposit. While the API does not answer, "
    "the first refund after the deadline that is large enough counts as this deposit's.",
    "If neither the destination's node nor the API shows the fill itself, its receiver and amount are not verified: "
    "the pool only says that the deposit was filled, and a depositor may sign for another receiver.",
    "No relayer has to fill a deposit on the quoted terms. If none does, the whole deposit is refunded after its "
    "deadline. A fill pays the output that the deposit names, and never less. Until the exclusivity ends, after at "
    "most five minutes, only the relayer that the API names can fill it.",
)
REFUND_TERMS = (
    "The address that refundTo names is the deposit's depositor: until somebody fills it, it may sign for another "
    "receiver and a smaller output.",
)
_LOGO = "https://app.across.to/logo-small.png"
_SCAN = "https://app.across.to/transaction/{txHash}"
_INTEGRATOR = re.compile(r"0x[0-9a-fA-F]{4}\Z", re.ASCII)


class AcrossAdapter(UpstreamAdapter[Deployment]):
    """The ``Bridge`` of Across: deposits into the pinned SpokePools, always built here.

    With an API key the terms come from the Swap API, without one, or where that is closed to us, from
    ``/suggested-fees``. ValueError for an integrator ID that the API would not take.
    """

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        mark = context.credentials.get(INTEGRATOR_ID)
        if mark is not None and not _INTEGRATOR.match(mark):
            raise ValueError(f"{INTEGRATOR_ID}: 0x and four hex digits")
        served = tuple(chain for chain in context.served if chain in context.chains)
        places = {chain: in_one_form(place) for chain, place in context.deployments.items()}
        info = AdapterInfo(
            KEY, "Across", _LOGO, Capability.BRIDGE, served, _SCAN, TRUST_ASSUMPTIONS, proves_start=True,
            carries_messages=True, refunds_named=(ChainType.EVM,), refund_terms=REFUND_TERMS,
            refunds_bound="its program there gives back only to the owner of the tokens that it takes",
        )  # fmt: skip
        super().__init__(replace(context, deployments=places), info)
        self.searches = FillSearches()

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept a chain with a node and another chain, both with a deployment; see ``route_of``.

        The form in which a wrapped native token arrives depends on the receiver's code, so the destination's node is
        needed; and for every token on a chain whose wrapped native token is not known here.
        """
        route = route_of(request, self.known_deployments(request))
        if route is None or not {request.origin.id} & {*self.context.rpcs, *self.context.svm_rpcs}:
            return False
        unwrapped = arrives_wrapped_or_native(request)
        if unwrapped is False:
            return True
        return request.destination.id in self.context.rpcs and (unwrapped is None or route.destination.delivers_native)

    async def quote(self, request: QuoteRequest, /) -> Quote[DepositTerms]:
        """Ask for the terms of a deposit of exactly ``request.amount``; ``min_output_amount`` is the whole output.

        Across pays the quoted output or gives the deposit back. ``fees`` are in the origin token and off the output
        already. Raise an AdapterError; BelowMinimum carries the route's true minimum.
        """
        route = self._route(request)
        request.expect_amount(MAX_SVM if request.origin.type is ChainType.SVM else MAX_EVM)
        unwrapped = arrives_wrapped_or_native(request)
        if unwrapped is not False:
            try:
                await expect_form(self.context.rpcs[request.destination.id], request, route, unwrapped=unwrapped)
            except NodeUnavailable as error:
                raise UpstreamFailed(str(error)) from error
        http, credentials = self.context.http, self.context.credentials
        try:
            # The Swap API writes the messages itself: with one of ours a bare deposit is asked for.
            if credentials.get(API_KEY) and not request.message:
                answer = await swap_approval(http, swap_query(request, route, credentials.get(INTEGRATOR_ID)))
                if answer is not None:
                    return quote_of_approval(request, route, answer)
            return quote_of_fees(request, route, await suggested_fees(http, request, route))
        except BelowMinimum as error:
            if error.minimum is not None:
                raise
            raise BelowMinimum(error.reason, await smallest_deposit(http, request, route)) from error

    async def build(self, quote: Quote[DepositTerms], /) -> EvmTransaction | SvmDraft:
        """Make the deposit, its times fitted to the origin's latest block; raise an AdapterError.

        The calldata is read back and compared before it is handed out.
        """
        request, terms, route = quote.request, quote.payload, self._route(quote.request)
        if terms.output_amount < (quote.min_output_amount or 0):
            raise SlippageTooTight("the quoted output is below the minimum")
        quote.required_minimum()
        try:
            if request.origin.type is ChainType.SVM:
                return await self._svm_deposit(request, route, terms)
            clock = await read_clock(self.context.rpcs[request.origin.id], route.origin.spoke_pool)
            return evm_deposit(request, route, fitted(terms, clock))
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed(str(error)) from error

    async def _svm_deposit(self, request: QuoteRequest, route: Route, quoted: DepositTerms) -> SvmDraft:
        clock, mint = await read_pool(self.context.svm_rpcs[request.origin.id], route.origin, route.input_token)
        expect("number of decimals", mint.decimals, request.origin_token.decimals)
        terms = fitted(quoted, clock)
        return draft(request.origin.id, route.origin, deposit_of(request, route, terms), mint, terms.expires_at)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Return a transfer's status, proved on chain if our nodes can; raise an AdapterError."""
        try:
            return await StatusLookup(self.context, transfer, self.searches).status()
        except (NodeUnavailable, NodeRefused) as error:
            raise UpstreamFailed(str(error)) from error

    def _route(self, request: QuoteRequest) -> Route:
        return expect_served(route_of(request, self.both_deployments(request)))
