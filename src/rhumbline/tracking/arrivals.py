"""What a destination chain tells of a transfer that arrived: when, what it cost there, and the token's metadata."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import structlog

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import NotFound
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable, quantity
from rhumbline.tracking.amounts import AmountColumn, raw_amount, with_token
from rhumbline.tracking.evm_blocks import read_block
from rhumbline.tracking.evm_logs import read_hash

_ARRIVED = frozenset({TransferState.SUCCESS, TransferState.RECOVERED})
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is known of an arrival; None where nothing is. Not ``complete``: a node did not answer, so ask again."""

    tx_hash: str | None = None
    time: datetime | None = None
    output: AmountColumn | None = None
    gas_fee: AmountColumn | None = None
    complete: bool = True

    def columns(self) -> dict[str, object]:
        """Return the columns of a record that this fills; what is not known stays as it is."""
        found = {
            "dest_tx_hash": self.tx_hash,
            "dest_time": self.time,
            "output": self.output,
            "dest_gas_fee": self.gas_fee,
        }
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Reads destinations: ``rpcs`` are the nodes of the chains that are served."""

    chains: ChainCatalog
    tokens: TokenCatalog
    rpcs: Mapping[int, EvmRpc]

    async def read(self, transfer: Transfer, status: TransferStatus) -> Arrival:
        """Return what can be known of how a transfer arrived; a node that does not answer is no reason to wait."""
        chain = self.chains.by_id(transfer.destination_chain_id)
        if chain is None or status.state not in _ARRIVED:
            return Arrival()
        tx_hash = _canonical(status.dest_tx_hash)
        output = None
        if status.output_amount is not None:
            output = raw_amount(status.output_token or transfer.output_token, status.output_amount)
        try:
            described = None if output is None else await self._described(chain, output)
            time, gas_fee = await self._receipt(chain, tx_hash)
        except (RpcError, RpcUnavailable) as error:
            _log.info("arrival not read", chain=chain.key, tx=tx_hash, reason=str(error))
            return Arrival(tx_hash, output=output, complete=False)
        return Arrival(tx_hash, time, described, gas_fee)

    async def _described(self, chain: Chain, output: AmountColumn) -> AmountColumn:
        address = str(output["address"])
        try:
            token = self.tokens.find(chain, address) or await self.tokens.resolve(chain, address)
        except NotFound:
            return output
        return with_token(output, token)

    async def _receipt(self, chain: Chain, tx_hash: str | None) -> tuple[datetime | None, AmountColumn | None]:
        """Read when and at what cost it arrived; nothing where the chain has no node of ours or does not know it."""
        rpc = self.rpcs.get(chain.id)
        receipt = None if rpc is None or tx_hash is None else await rpc.call("eth_getTransactionReceipt", [tx_hash])
        if rpc is None or not isinstance(receipt, dict):
            return None, None
        block = await read_block(rpc, quantity(receipt.get("blockNumber")))
        if block.hash != read_hash(receipt.get("blockHash")):
            raise RpcUnavailable(f"{chain.key}: the node's answers about a transaction do not fit together")
        paid = quantity(receipt.get("gasUsed")) * quantity(receipt.get("effectiveGasPrice"))
        return block.time, with_token(raw_amount(NATIVE_EVM, paid), chain.native)


def _canonical(tx_hash: str | None) -> str | None:
    """Write an EVM hash in lower case, as lookups expect it; one of Solana as it is."""
    return tx_hash.lower() if tx_hash is not None and tx_hash[:2] in ("0x", "0X") else tx_hash
