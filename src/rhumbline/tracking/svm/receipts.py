"""The network fee of Solana transactions, whoever paid it, without rent."""

from asyncio import gather
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import structlog

from rhumbline.domain.errors import NodeRefused
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.chain_types import NetworkFee

_AT_ONCE = 8
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SvmFees:
    """Reads the costs of one chain's transactions. Blocks are identified by slot."""

    rpc: SvmRpc

    async def paid(self, hashes: Collection[str]) -> Mapping[str, NetworkFee]:
        wanted, found = sorted(hashes), dict[str, NetworkFee]()
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            fees = await gather(*(self._fee(signature) for signature in part))
            found |= {signature: fee for signature, fee in zip(part, fees, strict=True) if fee is not None}
        return found

    async def _fee(self, signature: str) -> NetworkFee | None:
        try:
            executed = await self.rpc.transaction(signature)
        except NodeRefused as error:
            _log.info("fee not read", chain=self.rpc.name, tx=signature, reason=str(error))
            return None
        return None if executed is None else NetworkFee(str(executed.slot), executed.fee)
