"""Quotes, deposits and transfers of Gas.zip."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.adapters.gaszip.calldata import contract_call, deposit_of, plain_calls
from rhumbline.adapters.gaszip.client import find_chains, find_deposit, find_quote
from rhumbline.adapters.gaszip.deployments import Deployment, api_number
from rhumbline.adapters.gaszip.svm.deposit import solana_deposit
from rhumbline.adapters.gaszip.transfer_status import read_status
from rhumbline.adapters.gaszip.wire import ChainFacts, ContractCall, Offer, QuoteAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import mul_div_up, share_down
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm
from rhumbline.gateways.upstreams.spec import AdapterContext, read_answer

LOGO = "https://www.gas.zip/favicon.ico"
LONGEST_S = 86_400
"""Of an estimate."""
SCAN = "https://www.gas.zip/scan/tx/{txHash}"
UNPROVABLE = (
    "A deposit with Gas.zip holds its destination and receiver, no output and no minimum, and nobody signs them:"
    " that what was quoted is paid, within a minute of the quote, or anything at all, is Gas.zip's word, and could cost"
    " the whole amount. It is ranked behind every bridge that stands for its output.",
    "Refunds go to whoever called the deposit contract, by Gas.zip's word; hence wallets call it themselves.",
)


@dataclass(frozen=True, slots=True)
class GasZipAdapter:
    """The ``Adapter`` of Gas.zip: native assets between EVM chains and Solana, deposited by the wallet itself."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self, "info", AdapterInfo(self.context.key, "Gas.zip", LOGO, Capability.BRIDGE, chains, SCAN, UNPROVABLE)
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept the native assets of two chains, deposited by the wallet itself, for a receiver of the destination's.

        On Solana a receiver is a wallet: Gas.zip takes addresses of programs apart in a way of its own.
        """
        origin, destination = request.origin, request.destination
        places = (self.context.deployments.get(origin.id), self.context.deployments.get(destination.id))
        if places[0] is None or places[1] is None or not places[0].contract or not places[1].short:
            return False
        natives = (origin.native.address, destination.native.address)
        return (
            origin.id != destination.id
            and (request.origin_token.address, request.destination_token.address) == natives
            and request.taker == request.sender
            and request.payout_address == request.receiver
            and _is_receiver(request)
        )

    async def quote(self, request: QuoteRequest, /) -> Quote[QuoteAnswer]:
        """Ask what a deposit brings, and whether it is within the limits; raise an AdapterError.

        The destination's gas is off the output already, and of the same asset no more is promised than the rest.
        ``min_output_amount`` is the quote less the request's slippage of it, rounded down: the deposit itself holds
        no minimum. Nobody stands for the output, so ``assured_output`` is 0.
        """
        _, destination = self._places(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        answer, chains = await self._asked(request)
        offer = _offer(answer, request, destination)
        expect("short ID of the destination", chains[request.destination.id].short, destination.short)
        output = _output(offer)
        check_limits(request, output, chains)
        if _same_asset(request):
            # Of an amount that is below the limits gas alone may be more than the whole.
            expect_at_most("output", output + (offer.gas or 0), request.amount)
        return Quote(
            self.context.key,
            request,
            output,
            answer,
            min_output_amount=output - share_down(output, request.slippage),
            fees=_fees(request, offer, output),
            seconds=int(offer.speed) if offer.speed is not None and 0 <= offer.speed <= LONGEST_S else None,
            assured_output=0,
        )

    async def build(self, quote: Quote[QuoteAnswer], /) -> EvmTransaction | SvmDraft:
        """Write the deposit, and hand it out if Gas.zip writes the same. Raise UpstreamFailed if it does not.

        On Solana Gas.zip writes none: it is the vendor's documentation that the deposit is written by. Raise
        RequestRejected without a minimum.
        """
        request, answer, minimum = quote.request, quote.payload, quote.min_output_amount
        origin, destination = self._places(request)
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        expect_at_least("minimum", _output(_offer(answer, request, destination)), minimum)
        if request.origin.type is ChainType.SVM:
            return solana_deposit(request, (origin, destination), answer.expires)
        data = contract_call(destination.short, request.receiver)
        told = answer.contract_deposit_txn
        written = None if told is None else read_answer(ContractCall, told)
        if written is None and answer.calldata is None:
            raise UpstreamFailed("answered without a deposit")
        if written is not None:
            expect("contract", written.to, origin.contract)
            expect("deposit", written.data, data)
            expect("native value", written.value, request.amount)
        if answer.calldata is not None:
            own = plain_calls(destination.short, request.sender, request.receiver)
            expect_one_of("deposit", answer.calldata.hex(), frozenset(each.hex() for each in own))
        deposit = deposit_of(origin.contract, destination.short, request)
        return EvmTransaction(
            request.origin.id, origin.contract, request.amount, data, expires_at=answer.expires, deposit=deposit
        )

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask by the deposit's transaction; UNKNOWN when Gas.zip does not know it (it may take minutes)."""
        answer = await find_deposit(self.context.http, transfer.tx_hash)
        if answer.deposit is None:
            return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
        place = self.context.deployments.get(transfer.destination_chain_id, Deployment())
        return read_status(answer.deposit, answer.txs, transfer, api_number(transfer.destination_chain_id, place))

    async def _asked(self, request: QuoteRequest) -> tuple[QuoteAnswer, Mapping[int, ChainFacts]]:
        """Ask for the quote and the limits at once; of two failures the quote's is raised."""
        sides = zip((request.origin.id, request.destination.id), self._places(request), strict=True)
        first, last = (api_number(number, place) for number, place in sides)
        answer, chains = await asyncio.gather(
            find_quote(self.context.http, request, (first, last)),
            find_chains(self.context.http, (first, last)),
            return_exceptions=True,
        )
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(chains, BaseException):
            raise chains
        return answer, {request.origin.id: chains[first], request.destination.id: chains[last]}

    def _places(self, request: QuoteRequest) -> tuple[Deployment, Deployment]:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id], self.context.deployments[request.destination.id]


def check_limits(request: QuoteRequest, output: int, chains: Mapping[int, ChainFacts]) -> None:
    """Raise NoRoute or BelowMinimum when a deposit is outside of what its chains take and can pay.

    Gas.zip tells no least deposit. Its clients take the origin's own ``minOutboundNative`` for it (three of them,
    2026-09): the same dollars as the least payment, in the asset that is deposited. The payment itself must be no less
    than the destination's. Without the limits that it does tell nothing is served: what is outside of them stays with
    Gas.zip until somebody asks for it.
    """
    origin, destination = chains[request.origin.id], chains[request.destination.id]
    if origin.inbound is False:
        raise NoRoute("takes no deposits on the origin")
    least_in = max(origin.min_inbound_native or 0, origin.min_outbound_native or 0)
    most_in, least_out = origin.max_inbound_native, destination.min_outbound_native
    most_out, there = destination.max_outbound_native, destination.bal
    if most_in is None or least_out is None or most_out is None or there is None:
        raise NoRoute("does not tell within which limits it takes an amount")
    if not output:
        raise BelowMinimum("gives nothing for this amount", least_in if least_in > request.amount else None)
    # What is enough for the least that is paid out: by this quote, whose gas weighs more than a larger one's.
    least = max(least_in, mul_div_up(request.amount, least_out, output))
    if request.amount < least:
        raise BelowMinimum("finds the amount too low", least)
    if request.amount > most_in or output > min(most_out, there):
        raise NoRoute("does not take so large an amount now")


def _is_receiver(request: QuoteRequest) -> bool:
    if request.destination.type is ChainType.EVM:
        return evm.is_address(request.receiver)
    return svm.is_address(request.receiver) and svm.is_on_curve(request.receiver)


def _offer(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> Offer:
    if len(answer.quotes) != 1:
        raise UpstreamFailed("answered for another number of chains than was asked for")
    (offer,) = answer.quotes
    expect("destination chain", offer.chain, api_number(request.destination.id, place))
    expect("number of decimals", offer.decimals, request.destination_token.decimals)
    if request.destination.type is not ChainType.EVM and offer.expected_native is not None:
        expect("unit of the output", offer.expected, offer.expected_native)
    return offer


def _output(offer: Offer) -> int:
    if offer.expected is None:
        raise UpstreamFailed("answered without an output")
    return offer.expected


def _fees(request: QuoteRequest, offer: Offer, output: int) -> tuple[FeeItem, ...]:
    """Return the destination's gas, and, between chains with the same asset, what the service keeps besides."""
    gas = offer.gas or 0
    items = [FeeItem(FeeType.RELAYER_GAS, gas, request.destination_token)] if gas else []
    if _same_asset(request) and (kept := request.amount - output - gas) > 0:
        items.append(FeeItem(FeeType.RELAYER_SERVICE, kept, request.origin_token))
    return tuple(items)


def _same_asset(request: QuoteRequest) -> bool:
    """Tell whether both chains have one native asset, counted in one unit."""
    origin, destination = request.origin_token, request.destination_token
    same = origin.coin_key is not None and origin.coin_key == destination.coin_key
    return same and origin.decimals == destination.decimals
