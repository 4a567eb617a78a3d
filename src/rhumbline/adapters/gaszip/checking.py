"""Compares Gas.zip's answer with the request: its offer, fees and limits, and the deposit that it encodes.

The encodings of deposits: the contract's call, the plain address's data, and the deposit in a simulation. Source, read
2026-11-21: the verified ``GasZipV2`` and the documentation's page on calldata. A short ID has two bytes. An EVM address
is at the left of 32 bytes in the contract's call, a Solana address fills them; the plain form identifies the sender by
one byte.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.gaszip.deployments import Deployment, api_number
from rhumbline.adapters.gaszip.wire import ChainFacts, ContractCall, Offer, QuoteAnswer
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.chain import ChainType
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_one_of
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.chain_types.bytes32 import account_bytes
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.upstreams.spec import read_answer

DEPOSIT = Function("deposit(uint256,bytes32)")
DEPOSITED = topic("Deposit(address,uint256,uint256,bytes32)")
"""``from``, ``chains``, ``amount`` and ``to``, none of them indexed."""
_TO_SENDER, _TO_EVM, _TO_SOLANA = b"\x01", b"\x02", b"\x03"


def checked_offer(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> tuple[Offer, int]:
    """Return the answer's one offer and its output, if it is for the destination and in its units.

    Raise UpstreamFailed if not.
    """
    if len(answer.quotes) != 1:
        raise UpstreamFailed("answered for another number of chains than was asked for")
    (offer,) = answer.quotes
    expect("destination chain", offer.chain, api_number(request.destination.id, place))
    expect("number of decimals", offer.decimals, request.destination_token.decimals)
    if request.destination.type is not ChainType.EVM and offer.expected_native is not None:
        expect("unit of the output", offer.expected, offer.expected_native)
    if offer.expected is None:
        raise UpstreamFailed("answered without an output")
    return offer, offer.expected


def read_fees(request: QuoteRequest, offer: Offer, output: int) -> tuple[FeeItem, ...]:
    """Return the destination's gas, and, between chains with the same asset, what the service keeps besides."""
    gas = offer.gas or 0
    items = [FeeItem(FeeType.RELAYER_GAS, gas, request.destination_token)] if gas else []
    if is_same_asset(request) and (kept := request.amount - output - gas) > 0:
        items.append(FeeItem(FeeType.RELAYER_SERVICE, kept, request.origin_token))
    return tuple(items)


def is_same_asset(request: QuoteRequest) -> bool:
    """Return whether both chains have the same native asset, counted in the same unit."""
    origin, destination = request.origin_token, request.destination_token
    same = origin.coin_key is not None and origin.coin_key == destination.coin_key
    return same and origin.decimals == destination.decimals


def expect_limits(request: QuoteRequest, output: int, chains: Mapping[int, ChainFacts]) -> None:
    """Raise NoRoute or BelowMinimum if a deposit is outside of what its chains take and can pay.

    Gas.zip states no least deposit. Its clients use the origin's own ``minOutboundNative`` (three of them, 2026-09):
    the same dollars as the least payment, in the deposited asset. The payment itself must be no less than the
    destination's. Without the limits that it does state nothing is served: a deposit outside of them stays with Gas.zip
    until somebody asks for it.
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
    # An amount sufficient for the least payment: by this quote, whose gas is a larger share than in a larger quote.
    least = max(least_in, mul_div_up(request.amount, least_out, output))
    if request.amount < least:
        raise BelowMinimum("finds the amount too low", least)
    if request.amount > most_in or output > min(most_out, there):
        raise NoRoute("does not take so large an amount now")


def expect_same_deposit(
    answer: QuoteAnswer, data: bytes, request: QuoteRequest, places: tuple[Deployment, Deployment]
) -> None:
    """Raise UpstreamFailed unless Gas.zip writes the deposit ``data`` too, for its contract or its plain address."""
    origin, destination = places
    if answer.contract_deposit_txn is None and answer.calldata is None:
        raise UpstreamFailed("answered without a deposit")
    if answer.contract_deposit_txn is not None:
        written = read_answer(ContractCall, answer.contract_deposit_txn)
        expect("contract", written.to, origin.contract)
        expect("deposit", written.data, data)
        expect("native value", written.value, request.amount)
    if answer.calldata is not None:
        own = plain_calls(destination.short, request.sender, request.receiver)
        expect_one_of("deposit", answer.calldata.hex(), frozenset(each.hex() for each in own))


def contract_call(short: int, receiver: str) -> bytes:
    """Return the contract's call that pays ``receiver`` on the chain of this short ID."""
    return DEPOSIT.encode(short, _padded(receiver))


def deposit_of(contract: str, short: int, request: QuoteRequest) -> BridgeDeposit:
    """Return the deposit of a contract's call by the wallet itself: it keeps the native asset."""
    words = {0: account_bytes(request.sender).rjust(32, b"\0"), 1: short.to_bytes(32), 3: _padded(request.receiver)}
    log = LogPattern(contract, (DEPOSITED,), MappingProxyType(words), amount_at=2)
    return BridgeDeposit(request.origin_token.address, request.amount, (contract,), log)


def plain_calls(short: int, sender: str, receiver: str) -> frozenset[bytes]:
    """Return the equivalent data for the plain address, in each possible form."""
    chain, to = short.to_bytes(2), account_bytes(receiver)
    if len(to) == 32:
        return frozenset({_TO_SOLANA + to + chain})
    own = {_TO_SENDER + chain} if account_bytes(sender) == to else set()
    return frozenset({_TO_EVM + to + chain, *own})


def _padded(receiver: str) -> bytes:
    return account_bytes(receiver).ljust(32, b"\0")
