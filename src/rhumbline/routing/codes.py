"""What must be on the chains for an answer to be one: our contracts, and a wallet that is there on both sides.

Both are looked up beside the adapters, and hold up no quote. Contracts never leave their address, so once seen they are
there; a contract wallet may be created any day, so it is looked up each time.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, RhumblineError
from rhumbline.domain.route import RouteRequest
from rhumbline.gateways.evm.deployment import verify
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable

_DELEGATED = bytes.fromhex("ef0100")
"""An account with a key that borrows code (EIP-7702, read 2026-11-22): the same key holds its address everywhere."""


@dataclass(slots=True)
class Codes:
    """Looks at the code of addresses on the chains' nodes; ``patience_s`` is how long a quote waits for that."""

    rpcs: Mapping[int, EvmRpc]
    patience_s: float
    _standing: set[int] = field(default_factory=set)
    _looking: dict[int, asyncio.Lock] = field(default_factory=dict)

    async def objection(self, request: RouteRequest) -> RhumblineError | None:
        """Say what forbids an answer: AdaptersFailed, or InvalidRequest for a receiver that must be named."""
        missing, stranded = await asyncio.gather(self._without_contracts(request.origin), self._stranded(request))
        return missing or stranded

    async def _without_contracts(self, chain: Chain) -> RhumblineError | None:
        """Object to a chain where what an answer would send to is not our contract."""
        rpc = self.rpcs.get(chain.id)
        if chain.diamond is None or chain.id in self._standing or rpc is None:
            return None
        async with self._looking.setdefault(chain.id, asyncio.Lock()):
            if chain.id in self._standing:
                return None
            try:
                async with asyncio.timeout(self.patience_s):
                    report = await verify(rpc)
            except (TimeoutError, RpcError, RpcUnavailable) as error:
                structlog.get_logger().warning("contracts_not_seen", chain=chain.key, reason=str(error))
                return AdaptersFailed(f"The service's contract on {chain.name} cannot be seen just now; try again")
            if not report.ok:
                states = {contract.name: contract.state for contract in report.contracts}
                structlog.get_logger().error("contracts_missing", chain=chain.key, contracts=states)
                return AdaptersFailed(f"The service's contract is not on {chain.name}: its operator must deploy it")
            self._standing.add(chain.id)
            return None

    async def _stranded(self, request: RouteRequest) -> RhumblineError | None:
        """Object to a contract wallet as the receiver on a chain where it may be nobody's, unless it was named."""
        ends = (request.origin, request.destination)
        if not request.receiver_defaulted or ends[0].id == ends[1].id or ends[0].type is not ChainType.EVM:
            return None
        here, there = (self.rpcs.get(end.id) for end in ends)
        try:
            async with asyncio.timeout(self.patience_s):
                code = b"" if here is None else await here.code(request.sender)
                if not code or code.startswith(_DELEGATED):
                    return None
                if there is not None and await there.code(request.receiver):
                    return None
        except (TimeoutError, RpcError, RpcUnavailable) as error:
            structlog.get_logger().info("wallet_not_seen", chain=ends[0].key, reason=str(error))
            return None
        return InvalidRequest(
            [
                f"receiverAddress: the sender is a contract that is not seen on {ends[1].name}; "
                "name the wallet there that is to receive"
            ]
        )
