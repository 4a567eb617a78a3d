"""Deposits and events are written and read without loss."""

from typing import Any

import pytest
from eth_utils.crypto import keccak
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.across import calldata, logs
from rhumbline.adapters.across.bytes32 import evm_address, is_evm, shown, to_word
from rhumbline.adapters.across.calldata import DEPOSIT, DEPOSIT_V3, DepositCall, decode, decode_tagged, encode
from rhumbline.adapters.across.logs import Deposited, Log, Relay, message_hash, read_deposit, read_fill, read_refunds
from rhumbline.gateways.evm.abi import MalformedAnswer, encode_args

EVM = st.binary(min_size=20, max_size=20).map(lambda raw: bytes(12) + raw)
ANY = st.one_of(EVM, st.binary(min_size=32, max_size=32))
AMOUNT = st.integers(0, 2**256 - 1)
SECOND = st.integers(0, 2**32 - 1)
POOL = "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5"


def calls(words: st.SearchStrategy[bytes]) -> st.SearchStrategy[DepositCall]:
    message = st.binary(max_size=70)
    return st.builds(
        DepositCall, EVM, words, EVM, words, AMOUNT, AMOUNT, AMOUNT, words, SECOND, SECOND, SECOND, message
    )  # fmt: skip


RELAYS = st.builds(
    Relay, ANY, ANY, ANY, ANY, ANY, AMOUNT, AMOUNT, AMOUNT, AMOUNT, SECOND, SECOND,
    st.binary(min_size=32, max_size=32),
)  # fmt: skip


def test_selectors_and_topics_are_the_documented_ones() -> None:
    assert DEPOSIT.selector.hex() == "ad5425c6"
    assert DEPOSIT_V3.selector.hex() == "7b939232"
    assert logs.FUNDS_DEPOSITED.hex() == "32ed1a409ef04c7b0227189c3a103dc5ac10e775a15b785dcc510201f7c25ad3"
    assert logs.FILLED_RELAY.hex() == "44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208"
    assert logs.EXECUTED_REFUNDS.hex() == "f4ad92585b1bc117fbdd644990adf0827bc4c95baeae8a23322af807b6d0020e"


@given(calls(ANY))
def test_a_deposit_is_read_as_it_was_written(call: DepositCall) -> None:
    data = encode(call)
    assert decode(data) == call
    assert decode_tagged(data + bytes.fromhex("1dc0de000073c0de")) == call
    small = all(map(is_evm, (call.recipient, call.output_token, call.exclusive_relayer)))
    assert data[:4] == (DEPOSIT_V3 if small else DEPOSIT).selector


@given(calls(EVM))
def test_between_evm_chains_it_is_the_shorter_form(call: DepositCall) -> None:
    assert encode(call)[:4] == DEPOSIT_V3.selector


@given(calls(ANY), st.binary(min_size=1, max_size=40))
def test_nothing_hides_behind_a_deposit(call: DepositCall, more: bytes) -> None:
    data = encode(call) + more
    with pytest.raises(MalformedAnswer):
        decode(data)
    if not calldata._TAGS.fullmatch(more):
        with pytest.raises(MalformedAnswer):
            decode_tagged(data)


def _log(topics: list[bytes], data: bytes) -> Log:
    return Log.model_validate(
        {
            "address": POOL.lower(),
            "topics": ["0x" + each.hex() for each in topics],
            "data": "0x" + data.hex(),
            "logIndex": "0x3",
            "blockNumber": "0x10",
            "transactionHash": "0x" + "ab" * 32,
        }
    )


@given(RELAYS, st.binary(max_size=40), AMOUNT, AMOUNT, ANY, ANY)
def test_a_fill_tells_its_relay(
    relay: Relay, message: bytes, paid: int, repaid_on: int, relayer: bytes, updated: bytes
) -> None:
    data = encode_args(
        logs._FILL_DATA,
        [
            relay.input_token, relay.output_token, relay.input_amount, relay.output_amount, repaid_on,
            relay.fill_deadline, relay.exclusivity_deadline, relay.exclusive_relayer, relay.depositor, relay.recipient,
            relay.message_hash, (updated, message_hash(message), paid, 0),
        ],
    )  # fmt: skip
    fill = read_fill(_log([logs.FILLED_RELAY, relay.origin.to_bytes(32), relay.deposit_id.to_bytes(32), relayer], data))
    assert fill is not None
    assert fill.relay == relay
    assert (fill.relayer, fill.recipient, fill.output_amount) == (relayer, updated, paid)
    assert fill.message_hash == message_hash(message)


@given(RELAYS, st.binary(max_size=70), AMOUNT, SECOND)
def test_a_deposit_s_event_tells_its_relay(relay: Relay, message: bytes, destination: int, quoted: int) -> None:
    data = encode_args(
        logs._DEPOSIT_DATA,
        [
            relay.input_token, relay.output_token, relay.input_amount, relay.output_amount, quoted,
            relay.fill_deadline, relay.exclusivity_deadline, relay.recipient, relay.exclusive_relayer, message,
        ],
    )  # fmt: skip
    topics = [logs.FUNDS_DEPOSITED, destination.to_bytes(32), relay.deposit_id.to_bytes(32), relay.depositor]
    found = read_deposit(_log(topics, data), relay.origin)
    assert isinstance(found, Deposited)
    assert (found.destination, found.message) == (destination, message)
    assert found.relay.message_hash == (keccak(message) if message else bytes(32))
    assert found.relay.depositor == relay.depositor


def test_other_logs_are_none_of_them() -> None:
    junk: list[tuple[list[bytes], bytes]] = [
        ([], b""),
        ([logs.FUNDS_DEPOSITED] + [bytes(32)] * 3, b"short"),
        ([logs.FILLED_RELAY] + [bytes(32)] * 3, bytes(32)),
        ([logs.EXECUTED_REFUNDS, (1).to_bytes(32)] + [bytes(32)] * 2, bytes(31)),
        ([logs.FILLED_RELAY], b""),
    ]
    for topics, data in junk:
        log = _log(topics, data)
        assert (read_deposit(log, 1), read_fill(log), read_refunds(log, 1)) == (None, None, None)


def test_refunds_to_one_address_are_summed_up() -> None:
    who, other = "0x" + "aa" * 20, "0x" + "bb" * 20
    data = encode_args(logs._REFUND_DATA, [0, [5, 7, 9], POOL, [who, other, who], True, other])
    refunds = read_refunds(_log([logs.EXECUTED_REFUNDS, (1).to_bytes(32), bytes(32), bytes(32)], data), 1)
    assert refunds is not None
    assert refunds.sums == {who: 14, other: 7}
    assert refunds.deferred
    assert read_refunds(_log([logs.EXECUTED_REFUNDS, (2).to_bytes(32), bytes(32), bytes(32)], data), 1) is None


@given(ANY)
def test_accounts_are_shown_and_read_again(word: bytes) -> None:
    assert to_word(shown(word)) == word
    assert to_word("0x" + word.hex()) == word
    if is_evm(word):
        assert to_word(evm_address(word)) == word
    else:
        with pytest.raises(ValueError, match="not an EVM"):
            evm_address(word)


def test_what_is_no_account() -> None:
    values: list[Any] = ["", "0x", "0x12", "0x" + "11" * 31, "somebody", "0x" + "zz" * 20, "0x" + "11" * 31 + " 1"]
    for text in values:
        with pytest.raises(ValueError, match=r"."):
            to_word(text)
