"""The gas cost of transactions, from their receipts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import structlog

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.tracking.chain_types import NetworkFee
from rhumbline.tracking.evm.logs import read_hash

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class EvmFees:
    """Reads the costs of one chain's transactions."""

    rpc: EvmRpc

    async def paid(self, hashes: Collection[str]) -> Mapping[str, NetworkFee]:
        wanted = sorted(hashes)
        answers = await self.rpc.batch([("eth_getTransactionReceipt", [tx_hash]) for tx_hash in wanted])
        found = {}
        for tx_hash, answer in zip(wanted, answers, strict=True):
            try:
                if isinstance(answer, dict):
                    found[tx_hash] = NetworkFee(read_hash(answer.get("blockHash")), gas_paid(answer))
            except NodeUnavailable as error:
                _log.warning("receipt not understood", chain=self.rpc.name, reason=str(error))
        return found


def gas_paid(receipt: Mapping[str, object]) -> int:
    """Return what was paid for gas, in wei: ``gasUsed * effectiveGasPrice``, and ``l1Fee`` on OP Stack chains.

    Source of the latter: https://docs.optimism.io/stack/transactions/fees, read 2026-11. Raise NodeUnavailable for a
    receipt that does not tell.
    """
    paid = quantity(receipt.get("gasUsed")) * quantity(receipt.get("effectiveGasPrice"))
    l1_fee = receipt.get("l1Fee")
    return paid + (0 if l1_fee is None else quantity(l1_fee))
