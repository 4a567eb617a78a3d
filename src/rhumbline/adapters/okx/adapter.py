"""The adapter of OKX DEX: quotes and transactions; those on Solana are in ``svm``."""

from typing import Any

from rhumbline.adapters.okx.checking import check_answer, checked_input, sweep_tokens
from rhumbline.adapters.okx.client import find_input, find_swap, signing
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.routers import RouterProof
from rhumbline.adapters.okx.svm import swap as svm
from rhumbline.adapters.okx.wire import SwapData
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import less_bps, slippage_bps
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect_minimum, read_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://web3.okx.com/favicon.ico"
TRUST_ASSUMPTIONS = (
    "OKX sets the deadline of its calls itself, and some have none. Through the service's contract, that contract's "
    "own deadline applies; in the direct form the later one does.",
    "The packed form of a route does not show whether it depends on a market maker's offer. OKX is asked for routes "
    "without any.",
    "Only OKX knows what a route's pools and adapters do with the input, and who gets the share above the quote: the "
    "call has their addresses only. On EVM chains the loss is at most the promised output less the minimum. On "
    "Solana, what else they take with the wallet's signature shows in the simulation, and assertions at the end of "
    "the transaction bound it if there is room for them.",
    "On Solana the source of the newest program is not published, so that it fails below the minimum is not verified. "
    "An assertion at the end of the transaction checks the output; without room for it, only the simulation does.",
)


class OkxAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of OKX DEX: swaps on one chain, to any receiver; the credential ``secret`` signs requests.

    ``proof`` caches the chains' answers about routers that are not pinned.
    """

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "OKX DEX", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(signing(context), info)
        self.proof = RouterProof(context.clock)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one chain with a deployment, but wrapping; on Solana by the wallet itself."""
        by_wallet = request.origin.type is ChainType.EVM or svm.supports(request)
        return request.origin.id in self.context.deployments and by_wallet and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Any]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees, ``output_amount`` at most that above which OKX has a share.
        What pools keep is off already and is not itemised by the upstream.
        """
        place = self.deployment(request)
        if request.origin.type is ChainType.SVM:
            return await svm.quote(self.context, request)
        request.expect_amount()
        slippage = slippage_bps(request.slippage)
        found = await find_swap(self.context.http, place, request, slippage)
        result, swap = found.router_result, check_answer(found, request, place, self.context.clock)
        await self._admit(found.tx.to, request, place)
        output = result.to_token_amount
        expect_minimum(swap.minimum, output, less_bps(output, slippage))
        return Quote(
            self.info.key,
            request,
            output if swap.trimmed_above is None else min(output, swap.trimmed_above),
            found,
            min_output_amount=swap.minimum,
            gas_units=read_gas(result.estimate_gas_fee),
            price_impact_bps=price_impact_bps(result.price_impact_percent, NEGATIVE_PERCENT),
        )

    def names_input(self, request: QuoteRequest, /, *, priced: bool) -> bool:
        """Accept four chains, where OKX takes outputs, of Uniswap's pools only; so only where no price says more."""
        return not priced and self.context.deployments[request.origin.id].takes_outputs

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the input that OKX names for ``output``; raise an AdapterError."""
        place = self.deployment(request)
        return checked_input(await find_input(self.context.http, place, request, output), request, place, output)

    async def build(self, quote: Quote[Any], /) -> EvmTransaction | SvmDraft:
        """Return the quote's own call, read back once more; it asks nothing of OKX.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = (
            quote.request,
            self.context.deployments[quote.request.origin.id],
            quote.required_minimum(),
        )
        if request.origin.type is ChainType.SVM:
            return await svm.build(self.context, quote, minimum)
        found: SwapData = quote.payload
        swap = check_answer(found, request, place, self.context.clock)
        if swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        await self._admit(found.tx.to, request, place)
        earlier = swap.deadline is not None and swap.deadline < request.deadline
        return EvmTransaction(
            request.origin.id,
            found.tx.to,
            found.tx.value,
            found.tx.data,
            None if request.sells_native else checksummed(place.token_approve),
            sweep_tokens=sweep_tokens(swap, request, place),
            expires_at=swap.deadline if earlier else None,
        )

    async def _admit(self, router: str, request: QuoteRequest, place: Deployment) -> None:
        """Raise UpstreamFailed unless a router is pinned, or the approved contract lists it on chain."""
        if router.lower() in {each.lower() for each in place.routers}:
            return
        rpc, approve = self.context.rpcs.get(request.origin.id), place.token_approve
        if rpc is None or not await self.proof.is_listed(request.origin.id, rpc, approve, router):
            raise UpstreamFailed("answered with a router that is not among those known")
