"""Conditions of an answer from EVM chains: sound nodes, our contracts in place, a receiver that exists.

All is looked up beside the adapters. A node may be on another chain than its settings say, from the start or since its
operator changed it, so that is asked again and again. Contracts never leave their address, so once seen they are there;
a contract wallet may be created any day, so it is looked up each time.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from rhumbline.domain.chain import Chain
from rhumbline.domain.delegation import is_contract
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NodeUnavailable, RhumblineError
from rhumbline.domain.route import RouteRequest
from rhumbline.gateways.nodes.endpoints import SetAside
from rhumbline.gateways.nodes.evm.deployment import contracts
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.gateways.nodes.identity import NodeOnOtherChain

_LOOK_AGAIN_S = 2.0


@dataclass(slots=True)
class _Look:
    """One check of a chain, shared by all waiting requests: its fault; ``done_at`` in the loop's time."""

    task: "asyncio.Task[str | None]"
    done_at: float | None = None


@dataclass(slots=True)
class ContractChecks:
    """Checks the code at addresses through the chains' nodes; ``patience_s`` is how long a quote waits for it."""

    rpcs: Mapping[int, EvmRpc]
    patience_s: float
    _contracts_seen: set[int] = field(default_factory=set)
    _receivers_seen: set[int] = field(default_factory=set)
    _looks: dict[int, _Look] = field(default_factory=dict)
    _elsewhere: dict[int, str] = field(default_factory=dict)

    async def objection(self, request: RouteRequest) -> RhumblineError | None:
        """Say what forbids an answer: AdaptersFailed, or InvalidRequest for a receiver that must be named."""
        if request.origin.id == request.destination.id:
            return await self._unfit(request.origin)
        missing, stranded = await asyncio.gather(self._unfit(request.origin), self._stranded(request))
        return missing or stranded

    async def receives(self, chain: Chain) -> bool:
        """Return whether a bridge can call the Receiver there: it and the Executor have both been seen.

        Tokens that are bridged to an address without code are lost. Code at the Receiver's address is the Receiver:
        nothing else can be created there. Raise NodeUnavailable if the chain's node does not answer.
        """
        rpc = self.rpcs.get(chain.id)
        if chain.receiver is None or chain.executor is None or rpc is None:
            return False
        if chain.id not in self._receivers_seen:
            places = (chain.executor, chain.receiver)
            executor, receiver = await asyncio.gather(*(self._code(chain, place) for place in places))
            if not receiver or executor != contracts()[0].runtime_code:
                return False
            self._receivers_seen.add(chain.id)
        return chain.id not in self._elsewhere

    async def _unfit(self, chain: Chain) -> RhumblineError | None:
        """Object to a chain whose node is on another chain, or whose target address is not our contract.

        A look goes on when the quote that began it has no more patience, so that the next one finds its result.
        """
        rpc = self.rpcs.get(chain.id)
        if rpc is None:
            return None
        loop, look = asyncio.get_running_loop(), self._looks.get(chain.id)
        if look is None or (look.done_at is not None and loop.time() > look.done_at + _LOOK_AGAIN_S):
            look = self._looks[chain.id] = _Look(loop.create_task(self._look(chain, rpc)))
        if not look.task.done():
            # Where all was well a moment ago, a node that hangs is not worth a quote's whole time.
            await asyncio.wait({look.task}, timeout=self.patience_s / (4 if self._stands(chain) else 1))
        wrong = look.task.result() if look.task.done() else self._unseen(chain)
        return None if wrong is None else AdaptersFailed(wrong)

    async def _look(self, chain: Chain, rpc: EvmRpc) -> str | None:
        others: list[str] = []
        try:
            if self._stands(chain):
                await rpc.make_sure(chain.id)
            else:
                others = await self._others(chain, rpc)
        except NodeOnOtherChain as error:
            return self._on_another_chain(chain, f"is on {error.found}, not {chain.id}")
        except SetAside as error:
            return self._on_another_chain(chain, f"cannot be believed ({error.why})")
        except (RpcError, NodeUnavailable) as error:
            structlog.get_logger().warning("contracts_not_seen", chain=chain.key, reason=str(error))
            return self._unseen(chain)
        finally:
            self._looks[chain.id].done_at = asyncio.get_running_loop().time()
        self._elsewhere.pop(chain.id, None)
        if not others:
            self._contracts_seen.add(chain.id)
            return None
        structlog.get_logger().error("contracts_missing", chain=chain.key, contracts=others)
        return f"The service's contract is not on {chain.name}: its operator must deploy it"

    async def _others(self, chain: Chain, rpc: EvmRpc) -> list[str]:
        """Return which of our contracts are not where they should be; raise NodeOnOtherChain."""
        codes_of = [("eth_getCode", (item.address, "latest")) for item in contracts()]
        there, *codes = map(_sound, await rpc.batch([("eth_chainId", ()), *codes_of]))
        if (number := quantity(there)) != chain.id:
            raise NodeOnOtherChain(rpc.name, f"chain {number}")
        found = zip(contracts(), map(hex_bytes, codes), strict=True)
        return [item.name for item, code in found if code != item.runtime_code]

    def _stands(self, chain: Chain) -> bool:
        return chain.diamond is None or chain.id in self._contracts_seen

    def _unseen(self, chain: Chain) -> str | None:
        """Return the fault while the node does not answer: none if all contracts were found before."""
        if chain.id in self._elsewhere:
            return _misled(chain, self._elsewhere[chain.id])
        if self._stands(chain):
            return None
        return f"The service's contract on {chain.name} cannot be checked at the moment; try again"

    def _on_another_chain(self, chain: Chain, what: str) -> str:
        if self._elsewhere.get(chain.id) != what:
            structlog.get_logger().error("node_on_another_chain", chain=chain.key, expected=chain.id, node=what)
        self._contracts_seen.discard(chain.id)
        self._elsewhere[chain.id] = what
        return _misled(chain, what)

    async def _stranded(self, request: RouteRequest) -> RhumblineError | None:
        """Object to a contract wallet as the receiver on a chain where it is not seen, unless it was named."""
        ends = (request.origin, request.destination)
        if not request.receiver_defaulted or ends[0].id == ends[1].id:
            return None
        try:
            here = await self._code(ends[0], request.sender)
            if not is_contract(here) or await self._code(ends[1], request.receiver):
                return None
        except NodeUnavailable as error:
            return AdaptersFailed(f"{error}; try again, or name receiverAddress")
        unseen = f"the sender is a contract that does not exist on {ends[1].name}"
        return InvalidRequest([f"receiverAddress: {unseen}; name the wallet on that chain that receives"])

    async def _code(self, chain: Chain, address: str) -> bytes:
        """Read code, empty on a chain without a node; raise NodeUnavailable if the chain's own node does not answer."""
        rpc = self.rpcs.get(chain.id)
        if rpc is None:
            return b""
        try:
            async with asyncio.timeout(self.patience_s / 2):
                there, code = await rpc.batch([("eth_chainId", ()), ("eth_getCode", (address, "latest"))])
                if quantity(_sound(there)) != chain.id:
                    raise NodeUnavailable(f"{rpc.name}: the node is on another chain")
                return hex_bytes(_sound(code))
        except (TimeoutError, RpcError, NodeUnavailable) as error:
            structlog.get_logger().info("code_not_seen", chain=chain.key, reason=str(error))
            raise NodeUnavailable(f"{chain.name}'s node does not say whether {address} is a contract") from error


def _sound(answer: object) -> object:
    if isinstance(answer, RpcError):
        raise answer
    return answer


def _misled(chain: Chain, what: str) -> str:
    return f"The service's node for {chain.name} {what}: its operator must correct chains.rpc"
