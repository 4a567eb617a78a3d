"""The adapter of Jupiter: quotes and transactions."""

from typing import TypeAlias

from rhumbline.adapters.jupiter.checking import check_answer, checked_input, fits
from rhumbline.adapters.jupiter.client import find_build, find_input
from rhumbline.adapters.jupiter.deployments import Deployment
from rhumbline.adapters.jupiter.wire import BuildAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import MAX_SVM
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, SlippageTooTight
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.estimates import SHARE, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts, read_swap_accounts, with_accounts

LOGO = "https://jup.ag/favicon.ico"
TRUST_ASSUMPTIONS = (
    "Only Jupiter knows which pools a route uses and what their programs do with the accounts that they get. "
    "Jupiter's program ensures that at least the minimum arrives. What else those programs take with the wallet's "
    "signature shows in the simulation, and assertions at the end of the transaction bound it if there is room for "
    "them.",
    "If a wallet is funded after the quote, that no more than the amount is taken relies on Jupiter's program, which "
    "divides the amount among the steps; its source is not published.",
)
MOST_ACCOUNTS = (32, 20)
"""The most accounts of a route, tried in turn until the transaction has room for the service's instructions."""
Offer: TypeAlias = tuple[BuildAnswer, SwapAccounts]
"""An answer, and the state of both tokens on the chain when it came."""


class JupiterAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of Jupiter: swaps on Solana, by the wallet itself, of tokens to anybody."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "Jupiter", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of a Solana chain with a deployment, but wrapping, and native output to others."""
        origin = request.origin
        if origin.id not in self.context.deployments or origin.type is not ChainType.SVM:
            return False
        if request.buys_native and request.payout_address != request.sender:
            return False
        return request.taker == request.sender and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Offer]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the program enforces. What pools keep is off already and is not itemised.
        """
        place = self.deployment(request)
        request.expect_amount(MAX_SVM)
        accounts = await read_swap_accounts(self.context.svm_node(request.origin.id), request)
        for most in MOST_ACCOUNTS:
            found = await find_build(self.context.http, accounts, most)
            swap = check_answer(found, accounts, place)
            # The smallest route may go without an assertion, rather than not at all: the program holds its minimum.
            asserted = most != MOST_ACCOUNTS[-1]
            if fits(request, with_accounts(swap.swap, accounts, swap.making), found, asserted=asserted):
                break
        else:
            raise NoRoute("has no route that leaves room in a transaction")
        if swap.minimum == 0:
            raise BelowMinimum("gives too little for any minimum")
        return Quote(
            self.info.key,
            request,
            found.out_amount,
            (found, accounts),
            min_output_amount=swap.minimum,
            price_impact_bps=price_impact_bps(found.price_impact_pct, SHARE),
        )

    def names_input(self, request: QuoteRequest, /, *, priced: bool) -> bool:
        """Accept what has no price: by the output Jupiter knows few venues, and none of them may be the best."""
        return not priced

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the input that Jupiter names for ``output``; raise an AdapterError."""
        self.deployment(request)
        mints = request.pair(WRAPPED_SOL)
        return checked_input(await find_input(self.context.http, mints, output), mints, output)

    async def build(self, quote: Quote[Offer], /) -> SvmDraft:
        """Return the quote's own swap, checked once more; it asks nothing of Jupiter.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = (
            quote.request,
            self.context.deployments[quote.request.origin.id],
            quote.required_minimum(),
        )
        found, accounts = quote.payload
        swap = check_answer(found, accounts, place)
        if swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        return SvmDraft(
            request.origin.id,
            place.program,
            with_accounts(swap.swap, accounts, swap.making),
            frozenset({place.program}),
            swap.tables,
            enforces_minimum=True,
            bounds_input=True,
        )
