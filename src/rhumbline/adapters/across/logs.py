"""Reads a SpokePool's events strictly, and tells whether two of them belong to one relay.

Source: V3SpokePoolInterface.sol and SpokePool.sol of @across-protocol/contracts 5.0.27, read 2026-11-21.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from eth_utils.crypto import keccak
from pydantic import BeforeValidator, Field, ValidationError

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_args, topic
from rhumbline.gateways.upstreams.fields import Answer, EvmAddress, HexBytes, Quantity

FUNDS_DEPOSITED = topic(
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
)
FILLED_RELAY = topic(
    "FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,"
    "bytes32,(bytes32,bytes32,uint256,uint8))"
)
EXECUTED_REFUNDS = topic(
    "ExecutedRelayerRefundRoot(uint256,uint256,uint256[],uint32,uint32,address,address[],bool,address)"
)
OWN_ENDS = frozenset(
    {
        topic(
            "Swapped(bytes32,address,bytes32,(address,address,uint256,uint256,uint256,address,uint256,uint256,uint256,"
            "bytes32))"
        ),
        topic(
            "BridgeStarted(bytes32,address,bytes32,(bytes32,bytes32,uint256,address,uint256,uint256,address,uint256,"
            "bytes32,uint256,uint256,uint256,address,bool,bool,bytes32))"
        ),
    }
)
"""The last events of our Diamond's own calls, by their first topics."""
_DEPOSIT_DATA = ("bytes32", "bytes32", "uint256", "uint256", *("uint32",) * 3, "bytes32", "bytes32", "bytes")
_FILL_DATA = (
    *("bytes32", "bytes32", "uint256", "uint256", "uint256", "uint32", "uint32"),
    *("bytes32",) * 4,
    "(bytes32,bytes32,uint256,uint8)",
)
_REFUND_DATA = ("uint256", "uint256[]", "address", "address[]", "bool", "address")
_RELAY = "(bytes32,bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,bytes)"
_WORD = 32


class Log(Answer):
    """One log of a receipt or of ``eth_getLogs``; ``log_index`` counts within the block."""

    address: EvmAddress
    topics: Annotated[tuple[HexBytes, ...], BeforeValidator(lambda value: tuple(value or ()))]
    data: HexBytes
    log_index: Quantity = Field(alias="logIndex")
    block_number: Quantity = Field(alias="blockNumber")
    tx_hash: str = Field(alias="transactionHash")
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Relay:
    """A deposit's relay, as both pools log it; accounts in 32 bytes, times in Unix seconds.

    ``origin`` is Across's number of the deposit's chain. Two relays are one only if all of it is equal: anybody can
    have a pool emit a fill of a deposit that never was.
    """

    depositor: bytes
    recipient: bytes
    exclusive_relayer: bytes
    input_token: bytes
    output_token: bytes
    input_amount: int
    output_amount: int
    origin: int
    deposit_id: int
    fill_deadline: int
    exclusivity_deadline: int
    message_hash: bytes


@dataclass(frozen=True, slots=True)
class Deposited:
    """A ``FundsDeposited``."""

    relay: Relay
    destination: int
    message: bytes

    def relay_hash(self) -> bytes:
        """Return the key under which the destination's pool keeps whether it was filled."""
        relay = self.relay
        fields = (
            *(relay.depositor, relay.recipient, relay.exclusive_relayer, relay.input_token, relay.output_token),
            *(relay.input_amount, relay.output_amount, relay.origin, relay.deposit_id),
            *(relay.fill_deadline, relay.exclusivity_deadline, self.message),
        )
        return keccak(encode_args([_RELAY, "uint256"], [fields, self.destination]))


@dataclass(frozen=True, slots=True)
class Filled:
    """A ``FilledRelay``: the deposit that it claims to fill, and the actual payment.

    ``recipient``, ``output_amount`` and ``message_hash`` differ from the relay's where the depositor signed for it, or
    where the pool itself paid out of its reserves.
    """

    relay: Relay
    relayer: bytes
    recipient: bytes
    output_amount: int
    message_hash: bytes
    tx_hash: str


@dataclass(frozen=True, slots=True)
class Refunds:
    """An ``ExecutedRelayerRefundRoot``: sums by address in lower case; ``deferred`` if some could not be paid."""

    token: str
    sums: Mapping[str, int]
    deferred: bool
    tx_hash: str
    log_index: int


def read_logs(answer: object) -> tuple[Log, ...]:
    """Read a node's list of logs, in the chain's order; raise NodeUnavailable when it is something else."""
    if not isinstance(answer, list):
        raise NodeUnavailable("the node answered something that is not a list of logs")
    try:
        logs = [Log.model_validate(item) for item in answer]
    except ValidationError as error:
        raise NodeUnavailable("the node answered something that is not a log") from error
    return tuple(sorted((log for log in logs if not log.removed), key=lambda log: (log.block_number, log.log_index)))


def read_deposit(log: Log, origin: int) -> Deposited | None:
    """Read a ``FundsDeposited`` of Across's chain ``origin``; None for any other log."""
    values = _values(log, FUNDS_DEPOSITED, _DEPOSIT_DATA)
    if values is None:
        return None
    input_token, output_token, input_amount, output_amount, _, fill, exclusivity, recipient, relayer, message = values
    destination, number, depositor = log.topics[1:]
    relay = Relay(
        *(
            depositor,
            recipient,
            relayer,
            input_token,
            output_token,
            input_amount,
            output_amount,
            origin,
            int.from_bytes(number),
        ),
        *(fill, exclusivity, message_hash(message)),
    )
    return Deposited(relay, int.from_bytes(destination), message)


def read_fill(log: Log) -> Filled | None:
    """Read a ``FilledRelay``; None for any other log."""
    values = _values(log, FILLED_RELAY, _FILL_DATA)
    if values is None:
        return None
    (
        input_token,
        output_token,
        input_amount,
        output_amount,
        _,
        fill,
        exclusivity,
        exclusive,
        depositor,
        recipient,
        message,
        done,
    ) = values
    origin, number, relayer = log.topics[1:]
    relay = Relay(
        *(
            depositor,
            recipient,
            exclusive,
            input_token,
            output_token,
            input_amount,
            output_amount,
            int.from_bytes(origin),
        ),
        *(int.from_bytes(number), fill, exclusivity, message),
    )
    updated_recipient, updated_message, updated_output, _ = done
    return Filled(relay, relayer, updated_recipient, updated_output, updated_message, log.tx_hash)


def read_refunds(log: Log, origin: int) -> Refunds | None:
    """Read an ``ExecutedRelayerRefundRoot`` of Across's chain ``origin``; None for any other log."""
    values = _values(log, EXECUTED_REFUNDS, _REFUND_DATA)
    if values is None or int.from_bytes(log.topics[1]) != origin:
        return None
    _, amounts, token, addresses, deferred, _ = values
    sums: dict[str, int] = {}
    for address, amount in zip(addresses, amounts, strict=False):
        sums[address] = sums.get(address, 0) + amount
    return Refunds(token, sums, deferred, log.tx_hash, log.log_index)


def message_hash(message: bytes) -> bytes:
    """Return a message's hash as pools log it: zero for none."""
    return keccak(message) if message else bytes(_WORD)


def _values(log: Log, event: bytes, types: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Decode the data of an event with three indexed arguments; None for any other log."""
    if len(log.topics) != 4 or log.topics[0] != event:
        return None
    try:
        return decode_args(types, log.data)
    except MalformedAnswer:
        return None
