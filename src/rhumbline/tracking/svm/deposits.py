"""Whether the bridge took a transfer's tokens, by the balances of the transaction that started it.

One transaction holds one tracking instruction, so all that a bridge gains by it is one record's.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.tracking.svm.balances import burnt, joint_gain


@dataclass(frozen=True, slots=True)
class SvmDeposits:
    """Reads the transactions that started transfers: ``rpcs`` are the nodes of the chains that are served."""

    rpcs: Mapping[int, SvmRpc]

    async def is_there(self, transfer: Transfer, deposit: BridgeDeposit, block_hash: str) -> bool | None:
        rpc = self.rpcs.get(transfer.origin_chain_id)
        try:
            executed = None if rpc is None else await rpc.transaction(transfer.tx_hash)
        except (NodeRefused, NodeUnavailable):
            return None
        if executed is None or str(executed.slot) != block_hash:
            return None
        return executed.error is None and took(deposit, executed)


def took(deposit: BridgeDeposit, executed: ExecutedTransaction) -> bool:
    """Return whether the holders gained at least what pinned programs enforce for this order."""
    holders = frozenset(deposit.holders)
    found = joint_gain(executed, holders, deposit.token)
    return found + (burnt(executed, deposit.token) if BURNT in holders else 0) >= deposit.least
