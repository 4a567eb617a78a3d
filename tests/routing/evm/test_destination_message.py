"""What a deposit carries to the Receiver is what was asked, and the reader notices whatever is not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import DepositCall, decode, encode
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transaction import EvmTransaction, SwapAfter
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import decode_args, encode_args
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.routing.evm.destination_message import LONGEST_MESSAGE, MESSAGE, message_of, under_id, with_room
from rhumbline.routing.evm.verification import CallMismatch, decode_bridge, decode_message, verify_destination
from tests.routing.evm.test_bridge_call import ORDER, POOL, SPENDER
from tests.routing.venues import DAI, OTHER, USDC, WALLET, WETH, toy_chain

RECEIVER, ROUTER = "0x5D1234567890123456789012345678901234567D".lower(), "0xE592427A0AEce92De3Edee1F18E0157C05861564"
THERE = replace(toy_chain(2), receiver="0x5d1234567890123456789012345678901234567D")
ASKED = replace(ORDER, destination=THERE, has_destination_call=True, output_token=WETH)
SWAP = SwapAfter(EvmTransaction(2, ROUTER, 0, b"\x04\xe4\x5a\xaf" * 9, ROUTER), 400_000, 950, ASKED.min_output)
DEPOSIT = DepositCall(
    *(evm_word(WALLET), evm_word(RECEIVER), evm_word(USDC), evm_word(DAI), 960, 950, 2, bytes(32), 1, 2, 0),
    message=message_of(OTHER, WETH, DAI, SWAP),
)


def carrying(deposit: DepositCall, **changes: Any) -> EvmTransaction:
    call = DestinationCall(str(THERE.receiver), DAI, deposit.output_amount, deposit.message)
    plain = EvmTransaction(1, POOL, 0, encode(deposit), SPENDER, destination_call=call, swap_after=SWAP)
    return replace(plain, **changes)


def checked(order: BridgeOrder, upstream: EvmTransaction) -> None:
    verify_destination(order, upstream, decode_bridge(bridge_call(order, upstream).data))


def words_of(message: bytes) -> list[Any]:
    decoded: Any = decode_args([MESSAGE], message)
    return list(decoded[0])


def test_a_bridge_is_asked_with_room_within_its_bound() -> None:
    message = DEPOSIT.message
    assert (with_room(message)[: len(message)], len(with_room(message))) == (message, len(message) + 256)
    assert words_of(with_room(message)) == words_of(message)
    assert len(with_room(bytes(LONGEST_MESSAGE - 1))) == len(with_room(bytes(LONGEST_MESSAGE))) == LONGEST_MESSAGE


def test_the_id_is_put_in_and_all_is_read_back() -> None:
    upstream = under_id(carrying(DEPOSIT), ASKED.id)
    checked(ASKED, upstream)
    assert upstream.destination_call is not None
    message = decode(upstream.data).message
    assert message == upstream.destination_call.message
    said = decode_message(message)
    assert (said["id"], said["receiver"], said["minimum"]) == (ASKED.id, OTHER.lower(), ASKED.min_output)
    (call,) = words_of(message)[-1]
    assert call[1:5] == (ROUTER.lower(), ROUTER.lower(), DAI.lower(), 950)
    # Nothing else is touched, and it can be done again.
    assert replace(decode(upstream.data), message=b"") == replace(DEPOSIT, message=b"")
    again = under_id(upstream, b"\x02" * 32)
    checked(replace(ASKED, id=b"\x02" * 32), again)
    assert under_id(again, ASKED.id) == upstream


def test_without_a_message_nothing_is_put_in() -> None:
    plain = EvmTransaction(1, POOL, 0, b"\xaa", SPENDER)
    assert under_id(plain, ASKED.id) == plain
    checked(ORDER, plain)


@pytest.mark.parametrize(
    "data",
    [encode(replace(DEPOSIT, message=b"")), encode(DEPOSIT) + DEPOSIT.message, b""],
    ids=["not there", "twice", "nothing"],
)
def test_a_message_must_be_there_once(data: bytes) -> None:
    with pytest.raises(UpstreamFailed, match="carry its message once"):
        under_id(carrying(DEPOSIT, data=data), ASKED.id)


DEPOSITS: list[Callable[[DepositCall], DepositCall]] = [
    lambda call: replace(call, depositor=evm_word(OTHER)),
    lambda call: replace(call, recipient=evm_word(OTHER)),
    lambda call: replace(call, input_token=evm_word(WETH)),
    lambda call: replace(call, output_token=evm_word(WETH)),
    lambda call: replace(call, input_amount=959),
    lambda call: replace(call, output_amount=949),
    lambda call: replace(call, destination=3),
    lambda call: replace(call, exclusive_relayer=b"\x01" * 32, recipient=b"\x01" * 32),
]


@pytest.mark.parametrize("change", DEPOSITS)
def test_another_deposit_is_refused(change: Callable[[DepositCall], DepositCall]) -> None:
    upstream = under_id(carrying(change(DEPOSIT)), ASKED.id)
    with pytest.raises(CallMismatch):
        checked(ASKED, upstream)


WORDS: list[Callable[[list[Any]], list[Any]]] = [
    lambda words: [b"\x09" * 32, *words[1:]],
    lambda words: [words[0], WALLET, *words[2:]],
    lambda words: [*words[:2], USDC, *words[3:]],
    lambda words: [*words[:3], words[3] - 1, *words[4:]],
    lambda words: [*words[:4], words[4] + 1, words[5]],
    lambda words: [*words[:5], []],
    lambda words: [*words[:5], [*words[5], *words[5]]],
    *(
        lambda words, place=place, value=value: [
            *words[:5],
            [tuple(value if number == place else part for number, part in enumerate(words[5][0]))],
        ]
        for place, value in enumerate((3, OTHER, OTHER, WETH, 949, 1, b"\x00"))
    ),
]


@pytest.mark.parametrize("change", WORDS)
def test_another_message_is_refused(change: Callable[[list[Any]], list[Any]]) -> None:
    """Whoever wrote the deposit might have put another one in, and told of it as the right one."""
    honest = under_id(carrying(DEPOSIT), ASKED.id)
    assert honest.destination_call is not None
    message = encode_args([MESSAGE], [tuple(change(words_of(honest.destination_call.message)))])
    with pytest.raises(CallMismatch, match="message"):
        checked(ASKED, carrying(replace(DEPOSIT, message=message)))
    told = replace(honest.destination_call, message=message)
    with pytest.raises(CallMismatch, match="message"):
        checked(ASKED, replace(honest, destination_call=told))


def test_a_message_that_is_encoded_otherwise_is_refused() -> None:
    message = DEPOSIT.message[:32] + ASKED.id + DEPOSIT.message[64:]
    for odd in (message + bytes(32), message[:-32], b"", bytes(31) + b"\x40" + bytes(32) + message[32:]):
        with pytest.raises(CallMismatch, match="message"):
            checked(ASKED, carrying(replace(DEPOSIT, message=odd)))


@pytest.mark.parametrize(
    ("order", "changes"),
    [
        (ORDER, {}),
        (ASKED, {"destination_call": None}),
        (ASKED, {"swap_after": None}),
        (replace(ASKED, destination=toy_chain(2)), {}),
        (ASKED, {"swap_after": replace(SWAP, spent=949)}),
        (ASKED, {"swap_after": replace(SWAP, minimum=4)}),
        (ASKED, {"swap_after": replace(SWAP, gas=1)}),
        (ASKED, {"swap_after": replace(SWAP, transaction=replace(SWAP.transaction, chain_id=1))}),
        (ASKED, {"swap_after": replace(SWAP, transaction=replace(SWAP.transaction, to=OTHER))}),
        (ASKED, {"data": b"\x12\x34\x56\x78" + encode(DEPOSIT)[4:]}),
        (replace(ASKED, refund_to=OTHER), {}),
        (replace(ASKED, min_output=6), {}),
    ],
)
def test_an_order_and_its_parts_must_agree(order: BridgeOrder, changes: dict[str, Any]) -> None:
    message = DEPOSIT.message[:32] + ASKED.id + DEPOSIT.message[64:]
    upstream = carrying(replace(DEPOSIT, message=message), **changes)
    with pytest.raises(CallMismatch):
        checked(order, upstream)
