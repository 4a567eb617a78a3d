"""What an EVM chain shows of a transaction that delivered something."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.tracking.chain_types import DeliveryReceipt
from rhumbline.tracking.evm.blocks import read_block
from rhumbline.tracking.evm.logs import read_hash, read_logs
from rhumbline.tracking.evm.receipts import gas_paid

_TRANSFER = topic("Transfer(address,address,uint256)")
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class EvmDestinations:
    """Reads the EVM chains; ``rpcs`` are the nodes of those that are served."""

    rpcs: Mapping[int, EvmRpc]

    def tx_hash(self, told: str) -> str | None:
        return told.lower() if _HASH.fullmatch(told) else None

    def address(self, told: str) -> str | None:
        return checksummed(told) if is_address(told) else None

    async def receipt(self, chain_id: int, tx_hash: str, measured: Transfer | None) -> DeliveryReceipt | None:
        """Read a receipt; None without a node, or a transaction that it knows. Raise RpcError or NodeUnavailable."""
        rpc = self.rpcs.get(chain_id)
        answer = None if rpc is None else await rpc.call("eth_getTransactionReceipt", [tx_hash])
        if rpc is None or not isinstance(answer, dict):
            return None
        if quantity(answer.get("status")) != 1:
            return DeliveryReceipt(succeeded=False)
        gained = 0 if measured is None else _gained(answer, measured)
        block = await read_block(rpc, quantity(answer.get("blockNumber")))
        if block.hash != read_hash(answer.get("blockHash")):
            raise NodeUnavailable(f"{rpc.name}: the node's answers about a transaction contradict each other")
        return DeliveryReceipt(succeeded=True, time=block.time, paid=gas_paid(answer), gained=gained)


def _gained(receipt: Mapping[str, object], transfer: Transfer) -> int:
    """Return what the token's own logs say that the receiver gained; the native asset leaves no log."""
    if not is_address(transfer.receiver):
        return 0
    receiver, gained = evm_word(transfer.receiver), 0
    for log in read_logs(receipt.get("logs")):
        if log.address == transfer.output_token.lower() and len(log.topics) == 3 and log.topics[0] == _TRANSFER:
            amount = int.from_bytes(log.data[:32])
            gained += amount * ((log.topics[2] == receiver) - (log.topics[1] == receiver))
    return gained
