"""The adapter of Relay: quotes, transactions and the status of transfers."""

from dataclasses import replace
from functools import partial

from rhumbline.adapters.relay.checking import check_terms, check_transfer, read_fees
from rhumbline.adapters.relay.client import find_quote, find_status
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.gas_topup import answers, brought, payouts
from rhumbline.adapters.relay.order import protocol_of
from rhumbline.adapters.relay.svm.deposit import read_solana
from rhumbline.adapters.relay.transaction import checked_call, evm_transaction, held, request_id, shape_of
from rhumbline.adapters.relay.transfer_status import transfer_status, with_gas
from rhumbline.adapters.relay.trust import REFUND_TERMS, TRUST_ASSUMPTIONS
from rhumbline.adapters.relay.wire import QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.expectations import expect_at_least
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import NOT_KNOWN, Transfer, TransferStatus
from rhumbline.gateways.chain_types.addresses import is_address
from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, estimated_seconds, price_impact_bps
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://assets.relay.link/icons/square/relay.png"
SCAN = "https://relay.link/transaction/{reference}"


class RelayAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of Relay: between EVM chains and Solana in any direction, and swaps on one EVM chain."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        super().__init__(
            context,
            AdapterInfo(
                *(context.key, "Relay", LOGO, Capability.MULTI, context.served, SCAN, TRUST_ASSUMPTIONS),
                refunds_named=tuple(ChainType),
                refund_terms=REFUND_TERMS,
                gas_from=tuple(ChainType),
            ),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept an origin with a depository, and any destination with a recipient address of the right form.

        On one EVM chain only two traded tokens, and only for a caller that measures the output: its own recipient, and
        not the wallet. From Solana only tokens that are deposited as they are, by the wallet itself.
        """
        places = self.known_deployments(request)
        payable = is_address(request.destination.type, request.payout_address)
        if not payable or places is None or not places[0].depository:
            return False
        crossing = request.origin.id != request.destination.id
        if request.origin.type is ChainType.SVM:
            own = request.payout_address == request.receiver and request.taker == request.sender
            return crossing and own and request.origin_token.address in places[0].held
        if crossing:
            return request.payout_address == request.receiver
        return request.is_swap and request.payout_address == request.taker != request.sender

    async def quote(self, request: QuoteRequest, /) -> Quote[QuoteAnswer]:
        """Ask for a quote with its transactions; raise an AdapterError if there is none that can be trusted.

        ``min_output_amount`` is what Relay guarantees by the request's slippage; ``fees`` are off the output already.
        Across chains the output is at most what the order expects, which ``assured_output`` is where the order's input
        is deposited as it is; after a swap less may be deposited, and it is the minimum.
        """
        places = self.both_deployments(request)
        request.expect_amount()
        answer, plain = await answers(partial(find_quote, self.context.http, request, places, None), request, places)
        minimum = check_terms(answer.details, request, places)
        crossing = request.origin.id != request.destination.id
        output, native = answer.details.currency_out.amount, None
        if crossing:
            paid, native = payouts(protocol_of(answer).order_data, request, places)
            output = min(output, paid.expected_amount)
            expect_at_least("expected output", output, minimum)
        if not output:
            raise BelowMinimum("gives nothing for so small an amount")
        impact = answer.details.swap_impact
        gas_units, direct = shape_of(answer, request, places[0])
        gas, items = brought(native, request)
        return Quote(
            self.context.key,
            request,
            output,
            answer,
            min_output_amount=minimum,
            fees=(*read_fees(plain.fees, request, places), *items),
            seconds=estimated_seconds(answer.details.time_estimate) if crossing else None,
            gas_units=gas_units,
            price_impact_bps=None if impact is None else price_impact_bps(impact.percent, NEGATIVE_PERCENT),
            assured_output=output if crossing and direct else None,
            gas_on_arrival=gas,
        )

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the input that Relay names for an expected output of ``output``; raise an AdapterError."""
        places = self.both_deployments(request)
        details = (await find_quote(self.context.http, request, places, output)).details
        named = replace(request, amount=details.currency_in.amount)
        named.expect_amount(LARGEST_AMOUNT)
        check_terms(details, named, places)
        expect_at_least("output", details.currency_out.amount, output)
        return named.amount

    async def build(self, quote: Quote[QuoteAnswer], /) -> EvmTransaction | SvmDraft:
        """Return the quote's transaction if all of it is as requested, with ``quote.min_output_amount`` guaranteed.

        On EVM chains what the router has left goes to the wallet, whatever Relay wrote. If Relay swaps first, the call
        reverts unless the order's own input less the request's slippage, rounded up, is deposited. On Solana it is the
        deposit alone. Raise UpstreamFailed if it is not, RequestRejected without a minimum.
        """
        request, answer, minimum = quote.request, quote.payload, quote.required_minimum()
        places, now = self.both_deployments(request), int(self.context.clock().timestamp())
        expect_at_least("minimum", check_terms(answer.details, request, places), minimum)
        if request.origin.type is not ChainType.SVM:
            return await evm_transaction(answer, request, places, minimum, now)
        step, found = read_solana(answer.steps, request, places[0])
        await check_transfer(found.start(request), protocol_of(answer), request, places, minimum, now)
        deadline = protocol_of(answer).order_data.output.deadline
        return found.draft(request, request_id(step, answer), deadline)

    def bind(self, transaction: EvmTransaction, quote: Quote[QuoteAnswer], least: int, /) -> EvmTransaction:
        """Return the same transaction, which reverts unless ``least`` is deposited; see ``Binder``.

        Raise UpstreamFailed where no swap goes before the deposit and that is less.
        """
        deposit = transaction.deposit
        if deposit is None:
            raise UpstreamFailed("answered nothing that could be bound")
        if least <= deposit.least:
            return transaction
        if not deposit.swapped or least > LARGEST_AMOUNT:
            raise UpstreamFailed("deposits less than must be deposited")
        checked = checked_call(quote.payload, quote.request, self.context.deployments[quote.request.origin.id])
        return held(transaction, checked, least)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the request's ID; UNKNOWN without one, and when Relay does not know it. Raise an AdapterError."""
        answer = None if transfer.reference is None else await find_status(self.context.http, transfer.reference)
        if answer is None:
            return NOT_KNOWN
        return await with_gas(
            transfer_status(answer, transfer), transfer, self.context.rpcs.get(transfer.destination_chain_id)
        )
