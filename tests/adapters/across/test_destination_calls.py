"""Which events count for a fill that called the Receiver: hostile logs, one by one."""

from dataclasses import replace

import pytest

from rhumbline.adapters.across.destination_calls import COMPLETED, RECOVERED, CallEnded, call_ended, logs_of_fill
from rhumbline.adapters.across.fill_outcome import filled_and_called
from rhumbline.adapters.across.logs import FILLED_RELAY, Deposited, Filled, Log, Relay, message_hash, read_fill
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.across.bridge_fixture import word
from tests.adapters.across.calling import MESSAGE
from tests.adapters.across.test_transfer_status import TRANSFER

POOL, RECEIVER, STRANGER, WHO, SENT, BOUGHT = (checksummed(f"0x{digit * 40}") for digit in "123456")
TX, OTHER_TX = "0x" + "aa" * 32, "0x" + "bb" * 32
ID, OTHER_ID = b"\x07" * 32, b"\x08" * 32
PAID, GAINED = 999, 16
FIELDS: tuple[object, ...] = (ID, WHO, BOUGHT, 1, 600_000, [])
CALL = DestinationCall(RECEIVER, SENT, PAID, encode_args([MESSAGE], [FIELDS]))
RELAY = Relay(
    word(STRANGER), word(RECEIVER), bytes(32), word(SENT), word(SENT), 1_000, PAID, 1, 5, 2**31, 0,
    message_hash(CALL.message),
)  # fmt: skip
DEPOSITED = Deposited(RELAY, 2, CALL.message)
FILL_TYPES = (
    *("bytes32", "bytes32", "uint256", "uint256", "uint256", "uint32", "uint32"),
    *("bytes32",) * 4,
    "(bytes32,bytes32,uint256,uint8)",
)
ORDER = replace(TRANSFER, receiver=WHO, output_token=BOUGHT, destination_call=CALL)


def log(index: int, address: str, topics: tuple[bytes, ...], data: bytes, tx_hash: str = TX) -> Log:
    return Log.model_validate(
        {
            "address": address,
            "topics": ["0x" + each.hex() for each in topics],
            "data": "0x" + data.hex(),
            "logIndex": hex(index),
            "blockNumber": "0x1",
            "transactionHash": tx_hash,
        }
    )


def fill_log(index: int, relay: Relay = RELAY, emitter: str = POOL) -> Log:
    done = (relay.recipient, relay.message_hash, relay.output_amount, 0)
    values = (
        relay.input_token, relay.output_token, relay.input_amount, relay.output_amount, 1, relay.fill_deadline,
        relay.exclusivity_deadline, relay.exclusive_relayer, relay.depositor, relay.recipient, relay.message_hash, done,
    )  # fmt: skip
    topics = (FILLED_RELAY, relay.origin.to_bytes(32), relay.deposit_id.to_bytes(32), word(STRANGER))
    return log(index, emitter, topics, encode_args(FILL_TYPES, values))


def completed(
    index: int = 3,
    emitter: str = RECEIVER,
    order: bytes = ID,
    who: str = WHO,
    sent: tuple[str, int] = (SENT, PAID),
    bought: str = BOUGHT,
    tx_hash: str = TX,
) -> Log:
    data = encode_args(["address", "uint256", "address", "uint256"], [*sent, bought, GAINED])
    return log(index, emitter, (COMPLETED, order, word(who)), data, tx_hash)


def recovered(index: int = 3, token: str = SENT, order: bytes = ID) -> Log:
    data = encode_args(["address", "uint256", "bytes"], [token, PAID - 1, b"why"])
    return log(index, RECEIVER, (RECOVERED, order, word(WHO)), data)


def own_fill() -> Filled:
    fill = read_fill(fill_log(2))
    assert fill is not None
    return fill


def ended(*logs: Log) -> CallEnded | None:
    """What is read of a transaction."""
    fill_logs = logs_of_fill(logs, POOL, DEPOSITED)
    assert fill_logs is not None
    return call_ended(fill_logs, own_fill(), CALL, WHO)


DONE = CallEnded(completed=True, token=BOUGHT, amount=GAINED)
FAILED = CallEnded(completed=False, token=SENT, amount=PAID - 1)
OTHERS = fill_log(4, replace(RELAY, deposit_id=6))


def test_what_the_receiver_tells() -> None:
    noise = log(1, STRANGER, (), b"")
    assert ended(noise, fill_log(2), completed()) == DONE
    assert ended(noise, fill_log(2), recovered()) == FAILED


@pytest.mark.parametrize(
    "told",
    [
        completed(emitter=STRANGER),
        completed(emitter=POOL),
        completed(order=OTHER_ID),
        completed(who=STRANGER),
        completed(sent=(STRANGER, PAID)),
        completed(sent=(SENT, PAID - 1)),
        completed(tx_hash=OTHER_TX),
        completed(index=1),
        completed(index=5),
        recovered(token=STRANGER),
        recovered(order=OTHER_ID),
        recovered(index=1),
        log(3, RECEIVER, (COMPLETED, ID), b""),
        log(3, RECEIVER, (COMPLETED, ID, word(WHO)), bytes(96)),
        log(3, RECEIVER, (RECOVERED, ID, word(WHO)), b"\xff" * 96),
        log(3, RECEIVER, (b"\x01" * 32, ID, word(WHO)), bytes(128)),
        log(3, RECEIVER, (), bytes(128)),
    ],
)
def test_what_is_no_event_of_this_fill(told: Log) -> None:
    assert ended(*sorted((fill_log(2), told, OTHERS), key=lambda each: each.log_index)) is None


def test_each_event_is_its_own_fill_s() -> None:
    """Under one ID, in one transaction: the nearest fill before it brought it."""
    before, after = (fill_log(index, replace(RELAY, deposit_id=6)) for index in (0, 4))
    assert ended(before, recovered(1), fill_log(2), completed(3), after, recovered(5)) == DONE
    assert ended(before, completed(1), fill_log(2), recovered(3), after, completed(5)) == FAILED
    assert ended(before, completed(1), fill_log(2), after, completed(5)) is None


def test_a_fill_that_a_stranger_logs_divides_nothing() -> None:
    """Nor is one with another relay, or another emitter, the deposit's."""
    assert ended(fill_log(2), fill_log(3, emitter=STRANGER), completed(4)) == DONE
    for other in (fill_log(2, emitter=STRANGER), fill_log(2, replace(RELAY, output_amount=1))):
        assert logs_of_fill([other, completed()], POOL, DEPOSITED) is None


def test_the_receiver_speaks_once_a_fill() -> None:
    assert ended(fill_log(2), completed(3), recovered(4)) is None


@pytest.mark.parametrize("message", [b"", b"\x01", bytes(32), ID, b"\xff" * 400])
def test_a_message_of_no_order_ends_nothing(message: bytes) -> None:
    assert call_ended([completed()], own_fill(), replace(CALL, message=message), WHO) is None


def test_another_token_than_was_ordered_is_no_success() -> None:
    status = filled_and_called(ORDER, CALL, DEPOSITED, own_fill(), [completed(bought=STRANGER)])
    assert (status.state, status.output_token, status.output_amount) == (TransferState.RECOVERED, STRANGER, GAINED)


def test_silence_of_the_receiver_is_no_success() -> None:
    """Its own fill cannot have been silent, so what the node tells is not all; where nobody tells, nothing ended."""
    fill = own_fill()
    for seen, logs in ((fill, []), (fill, [completed(emitter=STRANGER)]), (fill, None), (None, None)):
        status = filled_and_called(ORDER, CALL, DEPOSITED, seen, logs)
        assert (status.state, status.output_amount) == (TransferState.BRIDGE_PENDING, None)
    signed = (replace(fill, message_hash=bytes(32)), replace(fill, recipient=word(STRANGER)))
    for each, paid in zip(signed, (RECEIVER, STRANGER), strict=True):
        status = filled_and_called(ORDER, CALL, DEPOSITED, each, [])
        assert (status.state, status.receiver) == (TransferState.RECOVERED, paid)
        assert (status.output_token, status.output_amount) == (SENT, PAID)


NATIVE, WISH = "0x" + "0" * 40, 70
BUY, PAY_IT = (4, STRANGER, NATIVE, SENT, 9, 0, b""), (3, WHO, NATIVE, NATIVE, WISH, 0, b"")
SWAP, USE = (4, STRANGER, NATIVE, SENT, 900, 0, b""), (0, STRANGER, STRANGER, BOUGHT, 15, 0, b"")
SEND = (0, STRANGER, NATIVE, NATIVE, 0, 14, b"")


@pytest.mark.parametrize(
    ("bought", "minimum", "calls", "output", "native"),
    [
        (BOUGHT, 1, [SWAP], GAINED, None),
        (BOUGHT, 1, [BUY, PAY_IT, SWAP], GAINED, WISH),
        (BOUGHT, 0, [SWAP, USE], 15, None),
        (BOUGHT, 0, [BUY, PAY_IT, SWAP, USE], 15, WISH),
        (BOUGHT, 0, [SWAP, SEND], 14, None),
        # Without a swap the event tells of native, and the output is what that has left.
        (NATIVE, WISH, [BUY], PAID - 9, GAINED),
        (NATIVE, WISH, [BUY, USE], PAID - 9, GAINED),
    ],
)
def test_what_a_message_brought(
    bought: str, minimum: int, calls: list[object], output: int, native: int | None
) -> None:
    call = replace(CALL, message=encode_args([MESSAGE], [(*FIELDS[:2], bought, minimum, *FIELDS[4:5], calls)]))
    status = filled_and_called(ORDER, call, DEPOSITED, own_fill(), [completed(bought=bought)])
    assert (status.state, status.output_token, status.output_amount) == (TransferState.SUCCESS, BOUGHT, output)
    assert (status.raw or {}).get("destinationGas") == (None if native is None else str(native))
    failed = filled_and_called(ORDER, call, DEPOSITED, own_fill(), [recovered()])
    assert (failed.state, failed.output_amount) == (TransferState.RECOVERED, PAID - 1)
    assert "destinationGas" not in (failed.raw or {})
    # The depositor signed for another message: only what the event tells of counts.
    signed = replace(own_fill(), message_hash=bytes(32))
    other = filled_and_called(ORDER, call, DEPOSITED, signed, [completed(bought=bought)])
    state = TransferState.SUCCESS if len(calls) == minimum == 1 else TransferState.RECOVERED
    assert (other.state, other.output_amount) == (state, GAINED)
