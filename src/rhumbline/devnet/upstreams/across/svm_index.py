"""What Across's indexer knows of the pool on Solana: the events of all transactions that name the pool."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from struct import Struct

from rhumbline.devnet.upstreams.across.relay import Relay
from rhumbline.devnet.upstreams.across.svm_spoke import SPOKE, events, read_deposited
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction

_FILLED = Struct("<32s32s32sQQQ32sII32s32s32s32s32s32s32sQB")
_REFUNDED = Struct("<QQIQII32sI32s?32s")
_SLOW_FILL = 2


@dataclass(frozen=True, slots=True)
class SvmDeposited:
    """A deposit, and its position."""

    relay: Relay
    destination: int
    tx_hash: str
    slot: int


@dataclass(frozen=True, slots=True)
class SvmIndex:
    """Reads the pool of one chain; transactions already read are cached."""

    node: SvmNode
    chain_id: int
    known: dict[str, ExecutedTransaction] = field(default_factory=dict)

    async def deposits(self) -> list[SvmDeposited]:
        """Return all deposits, in order."""
        return [
            SvmDeposited(each.relay, each.destination_chain, each.tx_hash, executed.slot)
            async for executed in self._transactions()
            for each in read_deposited(self.chain_id, executed)
        ]

    async def fill(self, relay: tuple[object, ...], origin: int, number: int) -> tuple[str, bool] | None:
        """Find the fill whose whole relay data equal the deposit's, and whether it was a slow fill."""
        async for executed in self._transactions():
            for body in events(executed, "FilledRelay"):
                given, wanted, paid, output, _, from_, deposit, *rest = _FILLED.unpack(body)
                fill, exclusivity, exclusive, _, depositor, recipient, *_, kind = rest
                told = (depositor, recipient, exclusive, given, wanted, int.from_bytes(paid), output, fill, exclusivity)
                if (told, from_, int.from_bytes(deposit)) == (relay, origin, number):
                    return executed.signature, kind == _SLOW_FILL
        return None

    async def refund(self, depositor: bytes, token: bytes, amount: int, after: int) -> str | None:
        """Find a refund of at least an amount after a slot."""
        async for executed in self._transactions():
            for body in events(executed, "ExecutedRelayerRefundRoot"):
                _, _, _, paid, _, _, mint, _, who, *_ = _REFUNDED.unpack(body)
                if executed.slot > after and (mint, who) == (token, depositor) and paid >= amount:
                    return executed.signature
        return None

    async def _transactions(self) -> AsyncIterator[ExecutedTransaction]:
        for each in reversed(await self.node.rpc.signatures(SPOKE)):
            if each.error is None and each.signature not in self.known:
                executed = await self.node.rpc.transaction(each.signature)
                if executed is not None:
                    self.known[each.signature] = executed
            if each.signature in self.known:
                yield self.known[each.signature]
