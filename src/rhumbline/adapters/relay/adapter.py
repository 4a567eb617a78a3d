"""Quotes, transactions and transfers of Relay."""

from dataclasses import dataclass, field

from rhumbline.adapters.relay.calldata import give_leftovers
from rhumbline.adapters.relay.checking import (
    check_call,
    check_swap,
    check_terms,
    check_transfer,
    main_call,
    own_tokens,
    protocol_of,
)
from rhumbline.adapters.relay.client import find_quote, find_status
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.fees import read_fees
from rhumbline.adapters.relay.status import read_status
from rhumbline.adapters.relay.wire import Details, QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.expecting import expect_at_least
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm
from rhumbline.gateways.upstreams import Parts

LOGO = "https://assets.relay.link/icons/square/relay.png"
LONGEST_S = 7 * 86_400
"""An order's own deadline: no estimate is longer."""
SCAN = "https://relay.link/transaction/{reference}"
UNPROVABLE = (
    "Relay's order, which its solver has signed, holds receiver, minimum and refunds; that the solver keeps to it can "
    "be seen on the destination only.",
    "Where Relay swaps before the deposit, the calls of exchanges inside its router are not read: that they leave in "
    "the depository what the order expects is Relay's word.",
)


@dataclass(frozen=True, slots=True)
class RelayAdapter:
    """The ``Adapter`` of Relay: from EVM chains to EVM chains and Solana, and swaps on one chain."""

    parts: Parts[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        """Say who it is."""
        chains = tuple(sorted(self.parts.deployments))
        object.__setattr__(
            self, "info", AdapterInfo(self.parts.key, "Relay", LOGO, Capability.MULTI, chains, SCAN, UNPROVABLE)
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept an EVM origin with a depository, and any destination where the recipient's address has the right form.

        On one chain only two tokens that are traded, and only for a caller who measures what comes out: its own
        recipient, and not the wallet.
        """
        origin = self.parts.deployments.get(request.origin.id)
        if origin is None or not origin.depository or request.destination.id not in self.parts.deployments:
            return False
        if request.origin.type is not ChainType.EVM or not _is_address(request):
            return False
        if request.origin.id != request.destination.id:
            return request.recipient == request.receiver
        pair = {request.origin_token.address, request.destination_token.address}
        if len(pair) == 1 or pair == {NATIVE_EVM, request.origin.wrapped_native}:
            return False
        return request.recipient == request.caller != request.sender

    async def quote(self, request: QuoteRequest, /) -> Quote[QuoteAnswer]:
        """Ask for a quote with its transactions; raise an AdapterError when there is none that can be trusted.

        ``min_output_amount`` is what Relay guarantees by the request's slippage; ``fees`` are off the output already.
        """
        places = self._places(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        answer = await find_quote(self.parts.http, request, places, own_tokens(request, places))
        minimum = check_terms(answer.details, request, places)
        if not answer.details.currency_out.amount:
            raise NoRoute("gives nothing for this amount")
        _, call = main_call(answer.steps, request, places[0])
        return Quote(
            self.parts.key,
            request,
            answer.details.currency_out.amount,
            answer,
            min_output_amount=minimum,
            fees=read_fees(answer.fees, request, places),
            seconds=_seconds(answer.details) if request.origin.id != request.destination.id else None,
            gas_units=call.gas,
            price_impact_bps=_impact_bps(answer.details),
        )

    async def build(self, quote: Quote[QuoteAnswer], /) -> EvmTransaction:
        """Hand out the quote's transaction when all of it is what was asked, ``quote.min_output_amount`` guaranteed.

        What the router has left in the native currency is the wallet's, whatever Relay wrote.

        Raise UpstreamFailed when it is not, RequestRejected without a minimum.
        """
        request, answer, minimum = quote.request, quote.payload, quote.min_output_amount
        places = self._places(request)
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        expect_at_least("minimum", check_terms(answer.details, request, places), minimum)
        step, call = main_call(answer.steps, request, places[0])
        if step.request_id is None:
            raise UpstreamFailed("answered without the request's ID")
        marks: tuple[bytes, ...] = (bytes.fromhex(step.request_id[2:]),)
        expires_at = None
        if request.origin.id == request.destination.id:
            start = check_call(call, request, places[0], marks)
            check_swap(start, request, places[0])
        else:
            protocol = protocol_of(answer)
            marks = (*marks, bytes.fromhex(protocol.order_id[2:]))
            start = check_call(call, request, places[0], marks)
            await check_transfer(start, protocol, request, places, minimum)
            expires_at = protocol.order_data.output.deadline
        native, data = request.origin_token.address == NATIVE_EVM, call.data
        if start.refund_to is not None and start.refund_to.lower() == places[0].solver.lower():
            data = give_leftovers(call.to, data, places[0], marks, request.sender)
        return EvmTransaction(
            request.origin.id,
            call.to,
            call.value,
            data,
            spender=None if native else call.to,
            reference=step.request_id,
            expires_at=expires_at,
        )

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the request's ID; UNKNOWN without one, and when Relay does not know it. Raise an AdapterError."""
        answer = None if transfer.reference is None else await find_status(self.parts.http, transfer.reference)
        if answer is None:
            return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
        return read_status(answer, transfer)

    def _places(self, request: QuoteRequest) -> tuple[Deployment, Deployment]:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.parts.deployments[request.origin.id], self.parts.deployments[request.destination.id]


def _is_address(request: QuoteRequest) -> bool:
    """Tell whether the recipient is an address of the destination's kind."""
    if request.destination.type is ChainType.EVM:
        return evm.is_address(request.recipient)
    return svm.is_address(request.recipient)


def _seconds(details: Details) -> int | None:
    told = details.time_estimate
    return None if told is None or not 0 <= told <= LONGEST_S else int(told)


def _impact_bps(details: Details) -> int | None:
    """Return the swaps' price impact without fees, in whole bps; a gain counts as none."""
    return None if details.swap_impact is None else max(0, int(-details.swap_impact.percent * 100))
