"""Scans whole blocks of an EVM chain for issued transactions."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.tracking.evm.blocks import Block, batch_below, block_of
from rhumbline.tracking.evm.logs import read_hash
from rhumbline.tracking.evm.positions import Checkpoint
from rhumbline.tracking.transfers import WalletCall

_LAG = timedelta(seconds=30)
"""How far a block's time is usually behind ours."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One transaction: addresses canonical, ``to`` None for a contract creation."""

    hash: str
    sender: str
    to: str | None
    value: int
    data: bytes


async def read_sent(rpc: EvmRpc, numbers: Sequence[int], top: Checkpoint) -> list[tuple[Block, tuple[Sent, ...]]]:
    """Return these blocks (ascending, all up to ``top``), each with what was sent in it.

    Raise NodeUnavailable where one is wanting, nonsense or not of one chain with the others; RpcError for a refusal.
    """
    answers = await batch_below(rpc, top, [("eth_getBlockByNumber", [hex(number), True]) for number in numbers])
    found: list[tuple[Block, tuple[Sent, ...]]] = []
    for number, answer in zip(numbers, answers, strict=True):
        block = block_of(rpc.name, number, answer)
        below = found[-1][0] if found else None
        if below is not None and below.number == number - 1 and block.parent_hash != below.hash:
            raise NodeUnavailable(f"{rpc.name}: the node's answers about block {number} contradict each other")
        sent = answer.get("transactions") if isinstance(answer, dict) else None
        if not isinstance(sent, list):
            raise NodeUnavailable(f"{rpc.name}: the node answered a block without its transactions")
        found.append((block, tuple(read for item in sent if (read := _sent(item)) is not None)))
    return found


def _sent(item: object) -> Sent | None:
    """Read a transaction; None for one of a kind that no wallet sends, which chains of their own have."""
    if not isinstance(item, dict):
        raise NodeUnavailable("the node answered a block without its transactions")
    sender, to = str(item.get("from")), item.get("to")
    if not is_address(sender):
        return None
    return Sent(
        hash=read_hash(item.get("hash")),
        sender=checksummed(sender),
        to=checksummed(to) if isinstance(to, str) and is_address(to) else None,
        value=quantity(item.get("value", "0x0")),
        data=hex_bytes(item.get("input", "0x")),
    )


def match(
    sent: Sent, issued: Iterable[IssuedTransaction], used: Collection[str], at: datetime
) -> IssuedTransaction | None:
    """Return the issued call that a transaction of this block matches, byte for byte; None if none.

    Two quotes may hold the same call. Then it is the newest that was there when the block was made and that no other
    call was taken for: a wallet signs what it was shown last, and who sends twice was mostly given two.
    """
    same = [
        each
        for each in issued
        if (each.sender, _canonical(each.to), each.value, each.data) == (sent.sender, sent.to, sent.value, sent.data)
    ]

    def fits(each: IssuedTransaction) -> tuple[bool, bool, datetime, str]:
        return each.transaction_id not in used, each.created_at <= at + _LAG, each.created_at, each.transaction_id

    return max(same, key=fits, default=None)


def _canonical(address: str) -> str:
    """Write an address as blocks are read, however an operator's settings spell it: else no block has it."""
    return checksummed(address) if is_address(address) else address


async def succeeded(rpc: EvmRpc, calls: Sequence[WalletCall]) -> tuple[WalletCall, ...]:
    """Leave out calls that reverted: they started nothing. Raise NodeUnavailable or RpcError."""
    receipts = await rpc.batch([("eth_getTransactionReceipt", [call.tx_hash]) for call in calls])
    found = []
    for call, receipt in zip(calls, receipts, strict=True):
        if isinstance(receipt, RpcError):
            raise receipt
        if not isinstance(receipt, dict) or read_hash(receipt.get("blockHash")) != call.block_hash:
            raise NodeUnavailable(f"{rpc.name}: the node's answers about a transaction contradict each other")
        if quantity(receipt.get("status")) == 1:
            found.append(call)
    return tuple(found)
