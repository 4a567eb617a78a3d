"""Quotes, transactions and transfers of Relay."""

from dataclasses import dataclass, field, replace

from rhumbline.adapters.relay.calldata import Start, same
from rhumbline.adapters.relay.checking import (
    check_call,
    check_swap,
    check_terms,
    check_transfer,
    main_call,
    own_tokens,
    protocol_of,
    the_payout,
)
from rhumbline.adapters.relay.client import find_quote, find_status
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.fees import read_fees
from rhumbline.adapters.relay.router_call import give_leftovers, hold, seen_as
from rhumbline.adapters.relay.svm.deposit import read_solana
from rhumbline.adapters.relay.transfer_status import read_status
from rhumbline.adapters.relay.wire import Call, Details, QuoteAnswer, Step
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.expectations import expect_at_least, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import AdapterContext

LOGO = "https://assets.relay.link/icons/square/relay.png"
LONGEST_S = 7 * 86_400
"""An order's own deadline: no estimate is longer."""
SCAN = "https://relay.link/transaction/{reference}"
UNPROVABLE = (
    "Relay's order, which its solver has signed, holds receiver, minimum and refunds; that the solver keeps to it can "
    "be seen on the destination only, and so can whether the order was filled before.",
    "Where Relay swaps before the deposit, the calls of exchanges inside its router are not read: the call reverts "
    "unless the least that must be deposited is there, and what Relay makes of a deposit that is smaller than the "
    "order's, within the slippage, or larger, is its word.",
)


@dataclass(frozen=True, slots=True)
class RelayAdapter:
    """The ``Adapter`` of Relay: between EVM chains and Solana in any direction, and swaps on one EVM chain."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self, "info", AdapterInfo(self.context.key, "Relay", LOGO, Capability.MULTI, chains, SCAN, UNPROVABLE)
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept an origin with a depository, and any destination where the recipient's address has the right form.

        On one EVM chain only two tokens that are traded, and only for a caller who measures what comes out: its own
        recipient, and not the wallet. From Solana only what is deposited as it is, by the wallet itself.
        """
        origin = self.context.deployments.get(request.origin.id)
        if origin is None or not origin.depository or request.destination.id not in self.context.deployments:
            return False
        if not _is_address(request):
            return False
        if request.origin.type is ChainType.SVM:
            crossing = request.origin.id != request.destination.id and request.payout_address == request.receiver
            return crossing and request.taker == request.sender and request.origin_token.address in origin.held
        if request.origin.id != request.destination.id:
            return request.payout_address == request.receiver
        pair = {request.origin_token.address, request.destination_token.address}
        if len(pair) == 1 or pair == {NATIVE_EVM, request.origin.wrapped_native}:
            return False
        return request.payout_address == request.taker != request.sender

    async def quote(self, request: QuoteRequest, /) -> Quote[QuoteAnswer]:
        """Ask for a quote with its transactions; raise an AdapterError when there is none that can be trusted.

        ``min_output_amount`` is what Relay guarantees by the request's slippage; ``fees`` are off the output already.
        Across chains the output is at most what the order expects, which ``assured_output`` is where the order's input
        is deposited as it is; after a swap less may be deposited, and it is the minimum.
        """
        places = self._places(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        answer = await find_quote(self.context.http, request, places, own_tokens(request, places))
        minimum = check_terms(answer.details, request, places)
        crossing = request.origin.id != request.destination.id
        output = answer.details.currency_out.amount
        if crossing:
            output = min(output, the_payout(protocol_of(answer).order_data).expected_amount)
            expect_at_least("expected output", output, minimum)
        if not output:
            raise BelowMinimum("gives nothing for so small an amount", None)
        gas_units, direct = _shape(answer, request, places[0])
        return Quote(
            self.context.key,
            request,
            output,
            answer,
            min_output_amount=minimum,
            fees=read_fees(answer.fees, request, places),
            seconds=_seconds(answer.details) if crossing else None,
            gas_units=gas_units,
            price_impact_bps=_impact_bps(answer.details),
            assured_output=output if crossing and direct else None,
        )

    async def build(self, quote: Quote[QuoteAnswer], /) -> EvmTransaction | SvmDraft:
        """Hand out the quote's transaction when all of it is what was asked, ``quote.min_output_amount`` guaranteed.

        On EVM chains what the router has left is the wallet's, whatever Relay wrote. Where Relay swaps first, the call
        reverts unless the order's own input less the request's slippage, rounded up, is deposited. On Solana it is the
        deposit alone.

        Raise UpstreamFailed when it is not, RequestRejected without a minimum.
        """
        request, answer, minimum = quote.request, quote.payload, quote.min_output_amount
        places = self._places(request)
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        expect_at_least("minimum", check_terms(answer.details, request, places), minimum)
        if request.origin.type is ChainType.SVM:
            step, found = read_solana(answer.steps, request, places[0])
            await check_transfer(found.start(request), protocol_of(answer), request, places, minimum, self._now())
            deadline = protocol_of(answer).order_data.output.deadline
            return found.draft(request, _request_id(step, answer), deadline)
        call, start, marks = _started(answer, request, places[0])
        native = request.origin_token.address == NATIVE_EVM
        made = EvmTransaction(
            request.origin.id,
            call.to,
            call.value,
            call.data,
            spender=None if native else call.to,
            reference="0x" + marks[0].hex(),
        )
        if request.origin.id == request.destination.id:
            check_swap(start, request, places[0])
            data = call.data
            if start.refund_to is not None and same(start.refund_to, places[0].solver):
                data = give_leftovers(call.to, data, places[0], marks, request.sender)
            return replace(made, data=data)
        order = protocol_of(answer).order_data
        await check_transfer(start, protocol_of(answer), request, places, minimum, self._now())
        made = replace(made, expires_at=order.output.deadline)
        kept = 1 - request.slippage
        least = request.amount
        if start.refund_to is not None:
            least = max(1, mul_div_up(order.inputs[0].payment.amount, kept.numerator, kept.denominator))
        return _held(made, call, start, places[0], marks, least)

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
        place = self._places(quote.request)[0]
        call, start, marks = _started(quote.payload, quote.request, place)
        return _held(transaction, call, start, place, marks, least)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the request's ID; UNKNOWN without one, and when Relay does not know it. Raise an AdapterError."""
        answer = None if transfer.reference is None else await find_status(self.context.http, transfer.reference)
        if answer is None:
            return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
        return read_status(answer, transfer)

    def _now(self) -> int:
        return int(self.context.clock().timestamp())

    def _places(self, request: QuoteRequest) -> tuple[Deployment, Deployment]:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id], self.context.deployments[request.destination.id]


def _started(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> tuple[Call, Start, tuple[bytes, ...]]:
    """Return the one call, what it starts, and the marks that may follow it, of which the first is the request's."""
    step, call = main_call(answer.steps, request, place)
    marks: tuple[bytes, ...] = (bytes.fromhex(_request_id(step, answer)[2:]),)
    if request.origin.id != request.destination.id:
        marks = (*marks, bytes.fromhex(protocol_of(answer).order_id[2:]))
    return call, check_call(call, request, place, marks), marks


def _shape(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> tuple[int | None, bool]:
    """Return how much gas the transaction takes, where it is told, and whether it deposits the input as it is."""
    if request.origin.type is ChainType.SVM:
        read_solana(answer.steps, request, place)
        return None, True
    _, call = main_call(answer.steps, request, place)
    return expect_gas(call.gas), same(call.to, place.depository)


def _request_id(step: Step, answer: QuoteAnswer) -> str:
    found = step.request_id or answer.request_id
    if found is None:
        raise UpstreamFailed("answered without the request's ID")
    return found


def _held(
    made: EvmTransaction, call: Call, start: Start, place: Deployment, marks: tuple[bytes, ...], least: int
) -> EvmTransaction:
    """Return the transaction with its deposit told, and held to ``least`` where Relay swaps first."""
    deposit = start.deposit
    if deposit is None:
        raise UpstreamFailed("answered a transfer without a deposit")
    if start.refund_to is None:
        return replace(made, deposit=seen_as(deposit, place, least, swapped=False))
    data = hold(call.to, call.data, place, marks, start, deposit, least)
    enforced = max(least, deposit.amount or 0)
    return replace(made, data=data, deposit=seen_as(deposit, place, enforced, swapped=True))


def _is_address(request: QuoteRequest) -> bool:
    """Tell whether the recipient is an address of the destination's kind."""
    if request.destination.type is ChainType.EVM:
        return evm.is_address(request.payout_address)
    return svm.is_address(request.payout_address)


def _seconds(details: Details) -> int | None:
    told = details.time_estimate
    return None if told is None or not 0 <= told <= LONGEST_S else int(told)


def _impact_bps(details: Details) -> int | None:
    """Return the swaps' price impact without fees, in whole bps; a gain counts as none, and more than all as untold."""
    if details.swap_impact is None or details.swap_impact.percent < -100:
        return None
    return max(0, int(-details.swap_impact.percent * 100))
