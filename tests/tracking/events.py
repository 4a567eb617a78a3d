"""Logs as a node answers them, made by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rhumbline.gateways.evm.abi import encode_args, topic
from rhumbline.tracking.evm.logs import BRIDGE_STARTED, FEE_PAID, SWAPPED

DIAMOND = "0x" + "d1" * 20
SENDER = "0x" + "5e" * 20
RECEIVER = "0x" + "2e" * 20
TOKEN = "0x" + "70" * 20
OTHER_TOKEN = "0x" + "71" * 20

SWAP_TYPES = ["address", "address", *["uint256"] * 3, "address", *["uint256"] * 3, "bytes32"]
BRIDGE_TYPES = [
    *("bytes32", "bytes32", "uint256", "address", "uint256", "uint256", "address", "uint256", "bytes32"),
    *("uint256", "uint256", "uint256", "address", "bool", "bool", "bytes32"),
]
DEADLINE = 2_000_000_000


def word(text: str | bytes) -> bytes:
    return (text.encode() if isinstance(text, str) else text).ljust(32, b"\0")


def hash_of(number: int) -> str:
    return "0x" + number.to_bytes(32).hex()


def address_topic(address: str) -> bytes:
    return bytes(12) + bytes.fromhex(address[2:])


@dataclass
class Chain:
    """Appends logs the way a chain does: each transaction has a block of its own."""

    logs: list[dict[str, object]] = field(default_factory=list)
    transaction: int = 1

    def next_transaction(self) -> None:
        self.transaction += 1

    def add(self, topics: Sequence[bytes], data: bytes, address: str = DIAMOND) -> None:
        index = sum(log["transactionHash"] == hash_of(self.transaction) for log in self.logs)
        self.logs.append(
            {
                "address": address,
                "topics": ["0x" + item.hex() for item in topics],
                "data": "0x" + data.hex(),
                "blockNumber": hex(self.transaction),
                "blockHash": hash_of(self.transaction + 10**6),
                "transactionHash": hash_of(self.transaction),
                "logIndex": hex(index),
                "removed": False,
            }
        )

    def fee(self, identifier: bytes, amount: int, kind: str | bytes = "integrator", recipient: str = RECEIVER) -> None:
        topics = [topic(FEE_PAID), identifier, address_topic(recipient), word(kind)]
        self.add(topics, encode_args(["address", "uint256"], [TOKEN, amount]))

    def swap(
        self,
        identifier: bytes,
        amount: int = 1000,
        integrator: str | bytes = "acme",
        adapter: str | bytes = "ONCHAIN",
        address: str = DIAMOND,
    ) -> None:
        measured = [amount + 5, amount, amount - 1]
        record = [RECEIVER, TOKEN, *measured, OTHER_TOKEN, amount * 2, 1, DEADLINE, word(adapter)]
        topics = [topic(SWAPPED), identifier, address_topic(SENDER), word(integrator)]
        self.add(topics, encode_args(SWAP_TYPES, record), address)

    def bridge(self, identifier: bytes) -> None:
        values = [
            *(word("ACROSS"), word("x"), 10, TOKEN, 1005, 1000, TOKEN, 900, word("y")),
            *(890, 880, DEADLINE, SENDER, False, True, word("z")),
        ]
        topics = [topic(BRIDGE_STARTED), identifier, address_topic(SENDER), word("acme")]
        self.add(topics, encode_args(BRIDGE_TYPES, values))
