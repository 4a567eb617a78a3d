"""What an EVM chain tells of a transaction that delivered something."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.evm.rpc import EvmRpc, quantity
from rhumbline.tracking.evm.blocks import read_block
from rhumbline.tracking.evm.logs import read_hash, read_logs
from rhumbline.tracking.evm.receipts import gas_paid

_TRANSFER = topic("Transfer(address,address,uint256)")
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class EvmReceipt:
    """A receipt as ``rpc`` answered it."""

    rpc: EvmRpc
    answer: Mapping[str, object]

    @property
    def succeeded(self) -> bool:
        """Whether it did anything at all; NodeUnavailable where that is not told."""
        return quantity(self.answer.get("status")) == 1

    def gained(self, token: str, receiver: str) -> int:
        """Return what the token's own logs say that the receiver gained; NodeUnavailable for logs that are none.

        The native asset leaves no log.
        """
        if not is_address(receiver):
            return 0
        word, gained = bytes.fromhex(receiver[2:]).rjust(32, b"\0"), 0
        for log in read_logs(self.answer.get("logs")):
            if log.address == token.lower() and len(log.topics) == 3 and log.topics[0] == _TRANSFER:
                amount = int.from_bytes(log.data[:32])
                gained += amount * ((log.topics[2] == word) - (log.topics[1] == word))
        return gained

    async def paid(self) -> tuple[datetime, int]:
        """Return when it was included, and what it cost in wei. Raise RpcError or NodeUnavailable."""
        block = await read_block(self.rpc, quantity(self.answer.get("blockNumber")))
        if block.hash != read_hash(self.answer.get("blockHash")):
            raise NodeUnavailable(f"{self.rpc.name}: the node's answers about a transaction do not fit together")
        return block.time, gas_paid(self.answer)


@dataclass(frozen=True, slots=True)
class EvmDestinations:
    """Reads the EVM chains; ``rpcs`` are the nodes of those that are served."""

    rpcs: Mapping[int, EvmRpc]

    def tx_hash(self, told: str) -> str | None:
        """Return a hash in lower case; None for what cannot be one."""
        return told.lower() if _HASH.fullmatch(told) else None

    def address(self, told: str) -> str | None:
        """Return an address in canonical form; None for what is none."""
        return checksummed(told) if is_address(told) else None

    async def receipt(self, chain_id: int, tx_hash: str) -> EvmReceipt | None:
        """Read a receipt; None without a node, or a transaction that it knows. Raise RpcError or NodeUnavailable."""
        rpc = self.rpcs.get(chain_id)
        answer = None if rpc is None else await rpc.call("eth_getTransactionReceipt", [tx_hash])
        return EvmReceipt(rpc, answer) if rpc is not None and isinstance(answer, dict) else None
