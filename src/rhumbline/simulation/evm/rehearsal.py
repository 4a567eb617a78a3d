"""Rehearses a message on arrival: the Receiver's own code, run on the destination's node.

The Receiver is given the bridged tokens, and its bridge calls it with the message, all in one simulated block. Nodes
without ``eth_simulateV1`` tell nothing, and tokens whose balances cannot be set neither.
"""

import asyncio
from dataclasses import dataclass, field

import structlog

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call, selector, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import CallResult, EvmRpc, Log, RpcError, hex_bytes
from rhumbline.simulation.evm.bundle import MOST_GAS
from rhumbline.simulation.evm.reverts import read_revert
from rhumbline.simulation.evm.slots import SlotFinder

_COMPLETED = topic("DestinationCompleted(bytes32,address,address,uint256,address,uint256)")
_COMPLETED_DATA = ("address", "uint256", "address", "uint256")
_RECOVERED = topic("Recovered(bytes32,address,address,uint256,bytes)")
_RECOVERED_DATA = ("address", "uint256", "bytes")
_HANDLE = "handleV3AcrossMessage(address,uint256,address,bytes)"
_WORD = 32


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """How a message turned out: what the receiver gained in raw units, None where the swap failed; gas of all of it.

    ``reason`` says in words why it failed, ``logs`` are all events of the run.
    """

    output: int | None
    gas: int
    reason: str = ""
    logs: tuple[Log, ...] = ()


@dataclass(slots=True)
class Rehearsal:
    """Rehearses on one chain, each time within ``budget_s`` seconds. Remembers where tokens keep their balances."""

    rpc: EvmRpc
    budget_s: float = 1.0
    _pools: dict[str, str] = field(default_factory=dict)
    _slots: SlotFinder = field(init=False)

    def __post_init__(self) -> None:
        self._slots = SlotFinder(self.rpc)

    async def run(self, receiver: str, token: str, amount: int, message: bytes) -> Rehearsed | None:
        """Pay ``amount`` raw units to the Receiver and call it with a message; None if it cannot be simulated."""
        try:
            async with asyncio.timeout(self.budget_s):
                result = await self._run(receiver, token, amount, message)
                return None if result is None else _read(result, receiver)
        except (TimeoutError, RpcError, NodeUnavailable, MalformedAnswer) as error:
            structlog.get_logger().info("not_rehearsed", chain=self.rpc.name, reason=str(error))
            return None

    async def _run(self, receiver: str, token: str, amount: int, message: bytes) -> CallResult | None:
        slot, pool = await asyncio.gather(self._slots.balance(token), self.pool(receiver))
        if slot is None:
            return None
        key = "0x" + slot.layout.key(receiver).hex()
        present = bytes(_WORD)
        if slot.width < 8 * _WORD:
            present = hex_bytes(await self.rpc.call("eth_getStorageAt", [token, key, "latest"])).rjust(_WORD, b"\x00")
        word = slot.word(amount, present)
        if word is None:
            return None
        arguments = (token, amount, pool, message)
        data = encode_call(_HANDLE, ("address", "uint256", "address", "bytes"), arguments)
        call = {"from": pool, "to": receiver, "data": "0x" + data.hex(), "gas": hex(MOST_GAS)}
        block = {"stateOverrides": {token: {"stateDiff": {key: "0x" + word.hex()}}}, "calls": [call]}
        params = [{"blockStateCalls": [block], "validation": False}, "latest"]
        return (await self.rpc.simulate_calls(params, 1))[0]

    async def pool(self, receiver: str) -> str:
        """Return whose messages the Receiver reads, which never changes; raise RpcError or NodeUnavailable."""
        if receiver not in self._pools:
            answer = await self.rpc.eth_call(receiver, selector("spokePool()"))
            if len(answer) != _WORD:
                raise NodeUnavailable("there is no Receiver at its address")
            self._pools[receiver] = checksummed(answer[12:])
        return self._pools[receiver]


def _read(result: CallResult, receiver: str) -> Rehearsed:
    done = [log for log in result.logs if log.address == receiver.lower() and log.topics[:1] == (_COMPLETED,)]
    if not result.ok or len(done) != 1:
        return Rehearsed(None, result.gas, _reason(result, receiver))
    gained = decode_args(_COMPLETED_DATA, done[0].data)[-1]
    return Rehearsed(gained if isinstance(gained, int) else None, result.gas, logs=result.logs)


def _reason(result: CallResult, receiver: str) -> str:
    """Return why a run failed: what the calls reverted with, or the Receiver itself."""
    told = [log for log in result.logs if log.address == receiver.lower() and log.topics[:1] == (_RECOVERED,)]
    reason = decode_args(_RECOVERED_DATA, told[-1].data)[-1] if result.ok and told else result.data
    return read_revert(reason if isinstance(reason, bytes) else b"").text
