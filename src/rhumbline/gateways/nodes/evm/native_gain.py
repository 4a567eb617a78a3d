"""How much native an account has gained by a transaction, which leaves no log of it."""

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity


async def native_gain(rpc: EvmRpc, account: str, tx_hash: str, *, with_value: bool = False) -> int | None:
    """Return by how much an account's native balance, in wei, rose in the block of a transaction that succeeded.

    None where it did not rise, or the node does not tell: it keeps old balances for a while only. ``with_value``: only
    where the transaction itself sent native along.
    """
    try:
        if with_value:
            sent = await rpc.call("eth_getTransactionByHash", [tx_hash])
            if not isinstance(sent, dict) or not quantity(sent.get("value")):
                return None
        receipt = await rpc.call("eth_getTransactionReceipt", [tx_hash])
        if not isinstance(receipt, dict) or quantity(receipt.get("status")) != 1:
            return None
        block = quantity(receipt.get("blockNumber"))
        blocks = (max(block - 1, 0), block)
        before, after = await rpc.batch([("eth_getBalance", [account, hex(each)]) for each in blocks])
        if isinstance(before, RpcError) or isinstance(after, RpcError):
            return None
        gained = quantity(after) - quantity(before)
    except (NodeUnavailable, RpcError):
        return None
    return gained if gained > 0 else None
