"""The adapter of Nordstern: quotes and transactions."""

from rhumbline.adapters.nordstern.calldata import LARGEST
from rhumbline.adapters.nordstern.checking import check_answer
from rhumbline.adapters.nordstern.client import MILLIONTHS, find_swap
from rhumbline.adapters.nordstern.deployments import Deployment
from rhumbline.adapters.nordstern.wire import SwapAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import share_down
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, SlippageTooTight
from rhumbline.domain.expectations import expect_minimum, read_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://nordstern.finance/favicon.ico"
TRUST_ASSUMPTIONS = (
    "Nordstern's calls have no deadline. Through the service's contract, that contract's own deadline applies; in the "
    "direct form only the minimum protects the wallet.",
    "To whom the input goes, and what the executor does with it, is packed in a private format and not read. The "
    "guard reverts below the minimum, so the loss is at most the promised output less the minimum.",
)
LEAST_SLIPPAGE = 1
"""In millionths."""


class NordsternAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of Nordstern: swaps on one EVM chain, for any caller and any receiver."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "Nordstern", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment, but wrapping."""
        origin = request.origin
        return origin.id in self.context.deployments and origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[SwapAnswer]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees. What pools keep is off already and is not itemised by the
        upstream. Raise SlippageTooTight below a millionth.
        """
        place = self.deployment(request)
        request.expect_amount()
        if request.amount > LARGEST:
            raise NoRoute("does not trade so large an amount")
        slippage = min(share_down(MILLIONTHS, request.slippage), MILLIONTHS)
        if slippage < LEAST_SLIPPAGE:
            raise SlippageTooTight("takes no slippage below 0.0001 %")
        # Nordstern works the minimum out in doubles, some raw units too low: a millionth less makes up for it.
        found = await find_swap(self.context.http, place, request, slippage - LEAST_SLIPPAGE)
        output, minimum = int(found.to_amount), check_answer(found, request, place).minimum
        expect_minimum(minimum, output, output * (MILLIONTHS - slippage) // MILLIONTHS)
        gas_units = read_gas(found.gas_estimate)
        return Quote(self.info.key, request, output, found, min_output_amount=minimum, gas_units=gas_units)

    async def build(self, quote: Quote[SwapAnswer], /) -> EvmTransaction:
        """Return the quote's own call, read back once more; it asks nothing.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = (
            quote.request,
            self.context.deployments[quote.request.origin.id],
            quote.required_minimum(),
        )
        if check_answer(quote.payload, request, place).minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        tx = quote.payload.tx
        return EvmTransaction(request.origin.id, tx.to, tx.value, tx.data, None if request.sells_native else tx.to)
