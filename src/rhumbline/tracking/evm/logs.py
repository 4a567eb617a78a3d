"""Decodes the Diamond's events from ``eth_getLogs`` into sightings.

Anybody may call the Diamond with any bytes in the fields that callers choose, so nothing that a log *says* raises:
a log that cannot be read is skipped with a reason. A log that lacks what every node gives (its block, its place) is the
node's fault, not the sender's, and raises NodeUnavailable, so that it is asked for again and not lost.

Event signatures: ``contracts/src/interfaces/IDiamond.sol``; a test compares them with the compiled ABI.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.tracking import BridgeSighting, FeeSighting, Sighting
from rhumbline.gateways.evm.abi import MalformedAnswer, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.canonical import NotCanonical, read_canonical
from rhumbline.gateways.nodes.evm.rpc import hex_bytes, quantity

_SWAP_RECORD = "(address,address,uint256,uint256,uint256,address,uint256,uint256,uint256,bytes32)"
_BRIDGE_RECORD = (
    "(bytes32,bytes32,uint256,address,uint256,uint256,address,uint256,bytes32,uint256,uint256,uint256,address,bool,bool,"
    "bytes32)"
)
SWAPPED = f"Swapped(bytes32,address,bytes32,{_SWAP_RECORD})"
BRIDGE_STARTED = f"BridgeStarted(bytes32,address,bytes32,{_BRIDGE_RECORD})"
FEE_PAID = "FeePaid(bytes32,address,bytes32,address,uint256)"
_BRIDGE_FIELDS = (
    "adapter", "receiver", "destination_chain_id", "input_token", "ordered_amount", "input_amount", "sent_token",
    "sent_amount", "output_token", "expected_output", "min_output", "deadline", "refund_to", "swapped",
    "has_destination_call", "reference",
)  # fmt: skip
"""The fields of the event, by their names in sightings."""
_SWAP_FIELDS = (
    "receiver", "input_token", "ordered_amount", "input_amount", "net_amount", "output_token", "output_amount",
    "min_output", "deadline", "adapter",
)  # fmt: skip
_FEE_TYPES = ("address", "uint256")
_SWAP_TYPES, _BRIDGE_TYPES = (tuple(record[1:-1].split(",")) for record in (_SWAP_RECORD, _BRIDGE_RECORD))
_HASH = re.compile("0x[0-9a-fA-F]{64}", re.ASCII)
_PRINTABLE = bytes(range(0x21, 0x7F))
_PADDING = bytes(12)


class EvmLog(msgspec.Struct, frozen=True):
    """One log of one block, hashes in lower case; ``log_index`` counts within the block."""

    address: str
    topics: tuple[bytes, ...]
    data: bytes
    block_number: int
    block_hash: str
    tx_hash: str
    log_index: int


@dataclass(frozen=True, slots=True)
class SkippedLog:
    """A log that cannot be read, and why."""

    tx_hash: str
    log_index: int
    reason: str


@dataclass(frozen=True, slots=True)
class DecodedLogs:
    """The content of a set of logs."""

    sightings: tuple[Sighting, ...]
    skipped: tuple[SkippedLog, ...]
    bridges: tuple[BridgeSighting, ...] = ()


def event_topics() -> tuple[str, ...]:
    """Return the first topics to ask a node for (any of them)."""
    return tuple("0x" + topic(event).hex() for event in (SWAPPED, BRIDGE_STARTED, FEE_PAID))


def read_logs(answer: object) -> tuple[EvmLog, ...]:
    """Read the answer of ``eth_getLogs``, in the chain's order; raise NodeUnavailable when it is something else."""
    if not isinstance(answer, list):
        raise NodeUnavailable("the node answered eth_getLogs with something that is not a list")
    return tuple(sorted((_read_log(item) for item in answer), key=lambda log: (log.block_number, log.log_index)))


def _read_log(item: object) -> EvmLog:
    if not isinstance(item, dict) or not isinstance(item.get("topics"), list):
        raise NodeUnavailable("the node answered eth_getLogs with something that is not a log")
    if item.get("removed") is True:
        raise NodeUnavailable("the node answered eth_getLogs with a log that a reorganisation removed")
    return EvmLog(
        address=str(item.get("address")).lower(),
        topics=tuple(map(hex_bytes, item["topics"])),
        data=hex_bytes(item.get("data")),
        block_number=quantity(item.get("blockNumber")),
        block_hash=read_hash(item.get("blockHash")),
        tx_hash=read_hash(item.get("transactionHash")),
        log_index=quantity(item.get("logIndex")),
    )


def read_hash(value: object) -> str:
    """Read a hash of 32 bytes and return it in lower case; raise NodeUnavailable when it is something else."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise NodeUnavailable("the node answered something that is not a hash")
    return value.lower()


def decode_logs(chain_id: int, diamond: str, logs: Sequence[EvmLog], times: Mapping[str, datetime]) -> DecodedLogs:
    """Turn logs in the order of the chain into sightings; ``times`` holds the time of each block by its hash.

    A call of the Diamond ends with ``Swapped`` or ``BridgeStarted``, pays its fees before that and cannot be entered
    again while it runs. So a swap's fees are the ``FeePaid`` logs of its ID in its transaction since the last such end.
    """
    sightings: list[Sighting] = []
    bridges: list[BridgeSighting] = []
    skipped: list[SkippedLog] = []
    fees: list[tuple[bytes, FeeSighting]] = []
    transaction = ""
    for log in logs:
        if log.tx_hash != transaction:
            transaction = log.tx_hash
            fees = []
        event = log.topics[0] if log.topics else b""
        try:
            if log.address != diamond.lower():
                raise MalformedAnswer("the log is another contract's")
            if event == topic(FEE_PAID):
                fees.append(_fee(log))
            elif event in (topic(SWAPPED), topic(BRIDGE_STARTED)):
                paid, fees = fees, []
                if event == topic(SWAPPED):
                    said = _sighted(chain_id, log, paid, _SWAP_FIELDS, _SWAP_TYPES)
                    sightings.append(Sighting(**said, block_time=times[log.block_hash]))
                else:
                    said = _sighted(chain_id, log, paid, _BRIDGE_FIELDS, _BRIDGE_TYPES)
                    bridges.append(BridgeSighting(**said, block_time=times[log.block_hash]))
        except MalformedAnswer as error:
            skipped.append(SkippedLog(log.tx_hash, log.log_index, str(error)))
    return DecodedLogs(tuple(sightings), tuple(skipped), tuple(bridges))


def _fee(log: EvmLog) -> tuple[bytes, FeeSighting]:
    identifier, recipient, kind = _indexed(log, 3)
    token, amount = read_fields(_FEE_TYPES, log.data)
    return identifier, FeeSighting(_text("kind", kind), _address(recipient), checksummed(token), amount)


def _sighted(
    chain_id: int, log: EvmLog, fees: Iterable[tuple[bytes, FeeSighting]], names: Sequence[str], types: tuple[str, ...]
) -> dict[str, Any]:
    """Return what an event says, by the fields of its sighting; ``names`` are those of its record's members."""
    identifier, sender, integrator = _indexed(log, 3)
    members = dict(zip(names, read_fields(types, log.data), strict=True))
    for name, kind in zip(names, types, strict=True):
        if kind == "address":
            members[name] = checksummed(members[name])
    return {
        **members,
        "chain_id": chain_id,
        "tx_hash": log.tx_hash,
        "log_index": log.log_index,
        "block_number": log.block_number,
        "block_hash": log.block_hash,
        "transaction_id": "0x" + identifier.hex(),
        "sender": _address(sender),
        "integrator": _text("integrator", integrator),
        "adapter": _text("adapter", members["adapter"]),
        "fees": tuple(fee for fee_id, fee in fees if fee_id == identifier),
    }


def read_fields(types: tuple[str, ...], data: bytes) -> tuple[Any, ...]:
    """Read the fields that are not indexed, ours are all of one word; what follows them is ignored, as by eth-abi."""
    try:
        return read_canonical(types, data)[0]
    except NotCanonical as error:
        raise MalformedAnswer(f"the data is not ({','.join(types)}): {error}") from error


def _indexed(log: EvmLog, count: int) -> tuple[bytes, ...]:
    values = log.topics[1:]
    if len(values) != count or any(len(value) != 32 for value in values):
        raise MalformedAnswer(f"the log has not {count} indexed fields of 32 bytes")
    return values


def _address(word: bytes) -> str:
    if not word.startswith(_PADDING):
        raise MalformedAnswer("an indexed address has more than 20 bytes")
    return checksummed(word[12:])


def _text(field: str, word: bytes) -> str:
    """Read left-aligned ASCII; printable characters without the blank are all that our own names hold."""
    text = word.rstrip(b"\x00")
    if text.translate(None, _PRINTABLE):
        raise MalformedAnswer(f"the field {field} is not printable ASCII")
    return text.decode("ascii")
