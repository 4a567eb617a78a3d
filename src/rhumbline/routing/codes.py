"""What must be on the chains for an answer to be one: our contracts, and a wallet that is there on both sides.

Both are looked up beside the adapters. Contracts never leave their address, so once seen they are there; a contract
wallet may be created any day, so it is looked up each time.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, RhumblineError
from rhumbline.domain.route import RouteRequest
from rhumbline.gateways.evm.deployment import contracts
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable, hex_bytes

_DELEGATED = bytes.fromhex("ef0100")
"""An account with a key that borrows code (EIP-7702, read 2026-11-22): the same key holds its address everywhere."""
_LOOK_AGAIN_S = 2.0


@dataclass(slots=True)
class _Look:
    """One look at a chain's contracts, for all who ask meanwhile: what is wrong; ``done_at`` in the loop's time."""

    task: "asyncio.Task[str | None]"
    done_at: float | None = None


@dataclass(slots=True)
class Codes:
    """Looks at the code of addresses on the chains' nodes; ``patience_s`` is how long a quote waits for that."""

    rpcs: Mapping[int, EvmRpc]
    patience_s: float
    _standing: set[int] = field(default_factory=set)
    _looks: dict[int, _Look] = field(default_factory=dict)

    async def objection(self, request: RouteRequest) -> RhumblineError | None:
        """Say what forbids an answer: AdaptersFailed, or InvalidRequest for a receiver that must be named."""
        missing, stranded = await asyncio.gather(self._without_contracts(request.origin), self._stranded(request))
        return missing or stranded

    async def _without_contracts(self, chain: Chain) -> RhumblineError | None:
        """Object to a chain where what an answer would send to is not our contract.

        A look goes on when the quote that began it has no more patience, so that the next one finds its result.
        """
        rpc = self.rpcs.get(chain.id)
        if chain.diamond is None or chain.id in self._standing or rpc is None:
            return None
        loop, look = asyncio.get_running_loop(), self._looks.get(chain.id)
        if look is None or (look.done_at is not None and loop.time() > look.done_at + _LOOK_AGAIN_S):
            look = self._looks[chain.id] = _Look(loop.create_task(self._look(chain, rpc)))
        await asyncio.wait({look.task}, timeout=self.patience_s)
        wrong = look.task.result() if look.task.done() else _not_seen(chain)
        return None if wrong is None else AdaptersFailed(wrong)

    async def _look(self, chain: Chain, rpc: EvmRpc) -> str | None:
        known = contracts()
        try:
            answers = await rpc.batch([("eth_getCode", [item.address, "latest"]) for item in known])
            codes = [_code(answer) for answer in answers]
        except (RpcError, RpcUnavailable) as error:
            structlog.get_logger().warning("contracts_not_seen", chain=chain.key, reason=str(error))
            return _not_seen(chain)
        finally:
            self._looks[chain.id].done_at = asyncio.get_running_loop().time()
        others = [item.name for item, code in zip(known, codes, strict=True) if code != item.runtime_code]
        if not others:
            self._standing.add(chain.id)
            return None
        structlog.get_logger().error("contracts_missing", chain=chain.key, contracts=others)
        return f"The service's contract is not on {chain.name}: its operator must deploy it"

    async def _stranded(self, request: RouteRequest) -> RhumblineError | None:
        """Object to a contract wallet as the receiver on a chain where it is not seen, unless it was named."""
        ends = (request.origin, request.destination)
        if not request.receiver_defaulted or ends[0].id == ends[1].id or ends[0].type is not ChainType.EVM:
            return None
        here = await self._code(ends[0], request.sender)
        if not here or here.startswith(_DELEGATED) or await self._code(ends[1], request.receiver):
            return None
        return InvalidRequest(
            [
                f"receiverAddress: the sender is a contract that is not seen on {ends[1].name}; "
                "name the wallet there that is to receive"
            ]
        )

    async def _code(self, chain: Chain, address: str) -> bytes:
        """Read code; what cannot be looked at is not seen."""
        rpc = self.rpcs.get(chain.id)
        if rpc is None:
            return b""
        try:
            async with asyncio.timeout(self.patience_s / 2):
                return await rpc.code(address)
        except (TimeoutError, RpcError, RpcUnavailable) as error:
            structlog.get_logger().info("wallet_not_seen", chain=chain.key, reason=str(error))
            return b""


def _code(answer: object) -> bytes:
    if isinstance(answer, RpcError):
        raise answer
    return hex_bytes(answer)


def _not_seen(chain: Chain) -> str:
    return f"The service's contract on {chain.name} cannot be seen just now; try again"
