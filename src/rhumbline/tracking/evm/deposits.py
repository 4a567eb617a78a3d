"""Whether the bridge took a transfer's tokens, by the logs of the transaction that started it.

Our own event tells what its caller claims, who may have the contract pay anybody. What an adapter said of its bridge
when the transfer was handed out (``BridgeDeposit``) is therefore looked for beside the event: the bridge's log that
names the order, or, where a bridge is just paid, the token's transfers to its address. What happened before the
Diamond's previous event is that one's, so that one deposit is one record's. Native currency that is paid without a log
leaves no trace there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.tracking.evm.logs import BRIDGE_STARTED, SWAPPED, EvmLog, read_hash, read_logs

_ENDS = (topic(SWAPPED), topic(BRIDGE_STARTED))
_TRANSFER = topic("Transfer(address,address,uint256)")
_WORD = 32
_ROUNDING = 2
"""Tokens that count in shares lose a unit or two in a transfer."""


@dataclass(frozen=True, slots=True)
class EvmDeposits:
    """Reads the transactions that started transfers: ``rpcs`` are the nodes of the chains that are served."""

    chains: ChainCatalog
    rpcs: Mapping[int, EvmRpc]

    async def is_there(self, transfer: Transfer, deposit: BridgeDeposit, block_hash: str) -> bool | None:
        chain, rpc = self.chains.by_id.get(transfer.origin_chain_id), self.rpcs.get(transfer.origin_chain_id)
        if chain is None or rpc is None:
            return None
        try:
            receipt = await rpc.call("eth_getTransactionReceipt", [transfer.tx_hash])
            if not isinstance(receipt, dict) or read_hash(receipt.get("blockHash")) != block_hash:
                return None
            logs = read_logs(receipt.get("logs")) if quantity(receipt.get("status")) == 1 else ()
        except (RpcError, NodeUnavailable):
            return None
        return took(deposit, own_logs(logs, chain.diamond, transfer.log_index), transfer)


def own_logs(logs: Sequence[EvmLog], diamond: str | None, log_index: int) -> tuple[EvmLog, ...]:
    """Return the logs since the Diamond's event before ``log_index``; all where the wallet called itself (below 0)."""
    if log_index < 0:
        return tuple(logs)
    before = [log.log_index for log in logs if _is_end(log, diamond) and log.log_index < log_index]
    return tuple(log for log in logs if max(before, default=-1) < log.log_index <= log_index)


def took(deposit: BridgeDeposit, logs: Sequence[EvmLog], transfer: Transfer) -> bool:
    """Return whether these logs show that the bridge took at least what this transfer sent.

    True as well for native currency that is just paid: it shows in no log. Where the bridge trades the tokens first,
    what the build holds it to counts.
    """
    if deposit.log is not None:
        return any(matches(deposit.log, log, deposit.least) for log in logs)
    if deposit.token == NATIVE_EVM:
        return True
    same = deposit.token == transfer.sent_token and not deposit.swapped
    return _gained(deposit, logs) + _ROUNDING >= (max(transfer.sent_amount, deposit.least) if same else deposit.least)


def matches(pattern: LogPattern, log: EvmLog, least: int) -> bool:
    """Return whether a log matches a pattern, with at least so much if it has an amount."""
    words = [log.data[start : start + _WORD] for start in range(0, len(log.data), _WORD)]

    def has(number: int) -> bool:
        return number < len(words) and len(words[number]) == _WORD

    return (
        log.address == pattern.emitter.lower()
        and len(log.topics) == len(pattern.topics)
        and all(wanted is None or wanted == told for wanted, told in zip(pattern.topics, log.topics, strict=True))
        and all(has(number) and words[number] == word for number, word in pattern.words.items())
        and (
            pattern.amount_at is None or (has(pattern.amount_at) and int.from_bytes(words[pattern.amount_at]) >= least)
        )
    )


def _is_end(log: EvmLog, diamond: str | None) -> bool:
    return diamond is not None and log.address == diamond.lower() and log.topics[:1] in [(end,) for end in _ENDS]


def _gained(deposit: BridgeDeposit, logs: Sequence[EvmLog]) -> int:
    """Return what the token's own logs say that the holders gained."""
    holders, gained = {each.lower() for each in deposit.holders}, 0
    for log in logs:
        if log.address != deposit.token.lower() or log.topics[:1] != (_TRANSFER,) or len(log.topics) != 3:
            continue
        giver, taker = ("0x" + word[12:].hex() in holders for word in log.topics[1:])
        gained += (taker - giver) * int.from_bytes(log.data[:_WORD])
    return gained
