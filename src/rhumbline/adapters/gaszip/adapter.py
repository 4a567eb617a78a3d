"""The adapter of Gas.zip: quotes, deposits and the status of transfers."""

import asyncio
from collections.abc import Mapping

from rhumbline.adapters.gaszip.checking import (
    checked_offer,
    contract_call,
    deposit_of,
    expect_limits,
    expect_same_deposit,
    is_same_asset,
    read_fees,
)
from rhumbline.adapters.gaszip.client import find_chains, find_deposit, find_deposit_for, find_quote
from rhumbline.adapters.gaszip.deployments import Deployment, api_number
from rhumbline.adapters.gaszip.svm.deposit import solana_deposit
from rhumbline.adapters.gaszip.transfer_status import transfer_status
from rhumbline.adapters.gaszip.wire import ChainFacts, QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import share_down
from rhumbline.domain.chain import ChainType
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import NOT_KNOWN, Transfer, TransferStatus
from rhumbline.gateways.chain_types.addresses import is_address
from rhumbline.gateways.svm.address import is_on_curve
from rhumbline.gateways.upstreams.estimates import estimated_seconds
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://www.gas.zip/favicon.ico"
LONGEST_S = 86_400
"""The longest estimate."""
SCAN = "https://www.gas.zip/scan/tx/{txHash}"
TRUST_ASSUMPTIONS = (
    "A Gas.zip deposit contains destination and receiver, but no output and no minimum, and nobody signs those. That "
    "the quoted output is paid within a minute, or at all, is Gas.zip's word; the whole amount is at risk. The "
    "adapter is ranked behind every bridge that guarantees its output.",
    "By Gas.zip's word, refunds go to the caller of the deposit contract; so wallets call it themselves.",
)


class GasZipAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of Gas.zip: native assets between EVM chains and Solana, deposited by the wallet itself."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        super().__init__(
            context,
            AdapterInfo(
                *(context.key, "Gas.zip", LOGO, Capability.BRIDGE, context.served, SCAN, TRUST_ASSUMPTIONS),
                refunds_bound="it gives back to whoever makes the deposit, which names nobody else",
            ),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept the native assets of two chains, deposited by the wallet itself, for a receiver of the destination's.

        On Solana a receiver is a wallet: Gas.zip takes addresses of programs apart in a way of its own.
        """
        origin, destination, places = request.origin, request.destination, self.known_deployments(request)
        if places is None or not places[0].contract or not places[1].short:
            return False
        natives = (origin.native.address, destination.native.address)
        return (
            origin.id != destination.id
            and (request.origin_token.address, request.destination_token.address) == natives
            and request.taker == request.sender
            and request.payout_address == request.receiver
            and is_address(destination.type, request.receiver)
            and (destination.type is ChainType.EVM or is_on_curve(request.receiver))
        )

    async def quote(self, request: QuoteRequest, /) -> Quote[QuoteAnswer]:
        """Ask for a deposit's output, and whether it is within the limits; raise an AdapterError.

        The destination's gas is already deducted, and if both assets are the same, the output cannot be more than the
        rest. ``min_output_amount`` is the quote less the request's slippage, rounded down: the deposit itself has no
        minimum. Nobody guarantees the output, so ``assured_output`` is 0.
        """
        places = self.both_deployments(request)
        request.expect_amount()
        answer, chains = await self._request(request, places)
        offer, output = checked_offer(answer, request, places[1])
        expect("short ID of the destination", chains[request.destination.id].short, places[1].short)
        expect_limits(request, output, chains)
        if is_same_asset(request):
            # Of an amount that is below the limits gas alone may be more than the whole.
            expect_at_most("output", output + (offer.gas or 0), request.amount)
        return Quote(
            self.context.key,
            request,
            output,
            answer,
            min_output_amount=output - share_down(output, request.slippage),
            fees=read_fees(request, offer, output),
            seconds=estimated_seconds(offer.speed, LONGEST_S),
            assured_output=0,
        )

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the deposit that Gas.zip estimates for ``output``; raise an AdapterError."""
        first, last = map(api_number, (request.origin.id, request.destination.id), self.both_deployments(request))
        return await find_deposit_for(self.context.http, output, (first, last))

    async def build(self, quote: Quote[QuoteAnswer], /) -> EvmTransaction | SvmDraft:
        """Write the deposit, and hand it out if Gas.zip writes the same. Raise UpstreamFailed if it does not.

        On Solana Gas.zip writes none: it is the vendor's documentation that the deposit is written by. Raise
        RequestRejected without a minimum.
        """
        request, answer = quote.request, quote.payload
        places = origin, destination = self.both_deployments(request)
        minimum = quote.required_minimum()
        _, output = checked_offer(answer, request, destination)
        expect_at_least("minimum", output, minimum)
        if request.origin.type is ChainType.SVM:
            return solana_deposit(request, places, answer.expires)
        data = contract_call(destination.short, request.receiver)
        expect_same_deposit(answer, data, request, places)
        deposit = deposit_of(origin.contract, destination.short, request)
        return EvmTransaction(
            request.origin.id, origin.contract, request.amount, data, expires_at=answer.expires, deposit=deposit
        )

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the deposit's transaction; UNKNOWN when Gas.zip does not know it (it may take minutes)."""
        answer = await find_deposit(self.context.http, transfer.tx_hash)
        if answer.deposit is None:
            return NOT_KNOWN
        place = self.context.deployments.get(transfer.destination_chain_id, Deployment())
        return transfer_status(answer.deposit, answer.txs, transfer, api_number(transfer.destination_chain_id, place))

    async def _request(
        self, request: QuoteRequest, places: tuple[Deployment, Deployment]
    ) -> tuple[QuoteAnswer, Mapping[int, ChainFacts]]:
        """Ask for the quote and the limits at once; of two failures the quote's is raised."""
        ids = request.origin.id, request.destination.id
        first, last = map(api_number, ids, places)
        answer, chains = await asyncio.gather(
            find_quote(self.context.http, request, (first, last)),
            find_chains(self.context.http, (first, last)),
            return_exceptions=True,
        )
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(chains, BaseException):
            raise chains
        return answer, {ids[0]: chains[first], ids[1]: chains[last]}
