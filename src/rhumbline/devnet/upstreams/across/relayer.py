"""Across's operation on the sandbox: a relayer that fills deposits, and the hub, which refunds expired ones."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.devnet.upstreams.across.evm_pool import EvmPool
from rhumbline.devnet.upstreams.across.relay import Relayed, SpokePool
from rhumbline.devnet.upstreams.across.svm_pool import SvmPool
from rhumbline.devnet.upstreams.behaviour import Behaviour, Outcome
from rhumbline.devnet.upstreams.solver import DepositState, decided
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.errors import NodeRefused, NodeUnavailable

_LOOK_AGAIN_S = 0.1


@dataclass
class Relayer:
    """Fills the deposits of each pool on the others' chains, as ``behaviour().outcome`` says at that moment.

    DELIVER fills after ``pace_s``; LATE ``delay_s`` after the deposit; NEVER lets it expire, and refunds it then;
    REFUND refunds at once, without waiting for the deadline; FAIL never does anything. A deposit that no relayer would
    fill (a token without a counterpart, more out than in, a receiver that reverts) expires and is refunded.
    """

    world: World
    behaviour: Callable[[], Behaviour]
    pace_s: float = 0.0
    deposits: dict[tuple[int, int], Relayed] = field(default_factory=dict)
    """By origin chain and deposit ID."""
    pools: Mapping[int, SpokePool] = field(init=False)
    _arrived: asyncio.Queue[Relayed] = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.pools = pools_of(self.world)

    async def run(self) -> None:
        """Watch the pools until cancelled."""
        async with asyncio.TaskGroup() as group:
            for pool in self.pools.values():
                group.create_task(self._watch(pool))
            while True:
                group.create_task(self._deal(await self._arrived.get()))

    async def _watch(self, pool: SpokePool) -> None:
        async for relayed in pool.deposits():
            self.deposits[relayed.relay.origin_chain, relayed.relay.deposit_id] = relayed
            self._arrived.put_nowait(relayed)

    async def _deal(self, relayed: Relayed) -> None:
        try:
            await self._follow(relayed)
        except (SetUpError, NodeRefused, NodeUnavailable) as error:
            relayed.state, relayed.why = DepositState.FAILED, str(error)

    async def _follow(self, relayed: Relayed) -> None:
        outcome = await self._first(relayed) if self._worthwhile(relayed) else await self._expired(relayed)
        if not await self._origin(relayed).stands(relayed.tx_hash):
            relayed.state, relayed.why = DepositState.FAILED, "the deposit is no longer on its chain"
        elif outcome is Outcome.FAIL:
            relayed.state, relayed.why = DepositState.FAILED, "so it was told"
        elif outcome is Outcome.REFUND or not await self._fill(relayed):
            await self._give_back(relayed, at_once=outcome is Outcome.REFUND)

    async def _first(self, relayed: Relayed) -> Outcome:
        """Wait for a decision or the deadline, whichever is first; of both at once the decision counts."""
        decision = asyncio.create_task(decided(self.behaviour, self.pace_s))
        expiry = asyncio.create_task(self._expired(relayed))
        try:
            done, _ = await asyncio.wait({decision, expiry}, return_when=asyncio.FIRST_COMPLETED)
            return (decision if decision in done else expiry).result()
        finally:
            decision.cancel()
            expiry.cancel()

    async def _expired(self, relayed: Relayed) -> Outcome:
        """Wait until the deadline has passed by the clock of the destination chain."""
        pool = self.pools.get(relayed.destination_chain, self._origin(relayed))
        while True:
            if await pool.time() > relayed.relay.fill_deadline:
                return Outcome.REFUND
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _worthwhile(self, relayed: Relayed) -> bool:
        """Return whether a relayer fills it: the same token on the destination, and no more of it than was paid."""
        relay, there = relayed.relay, self.pools.get(relayed.destination_chain)
        alike = there is not None and self._origin(relayed).symbols(relay.input_token) & there.symbols(
            relay.output_token
        )
        relayed.why = "" if alike and relay.output_amount <= relay.input_amount else "nobody fills that"
        return not relayed.why

    async def _fill(self, relayed: Relayed) -> bool:
        try:
            relayed.fill_tx = await self.pools[relayed.destination_chain].fill(relayed.relay)
        except SetUpError as error:
            relayed.why = str(error)
            return False
        relayed.state = DepositState.FILLED
        return True

    async def _filled(self, relayed: Relayed) -> bool:
        """Ask the destination's pool whether the relay was filled."""
        there = self.pools.get(relayed.destination_chain)
        return there is not None and await there.filled(relayed.relay)

    async def _give_back(self, relayed: Relayed, *, at_once: bool) -> None:
        filled = await self._filled(relayed)
        if not filled and not at_once:
            await self._expired(relayed)
            filled = await self._filled(relayed)
        if not filled:
            relayed.refund_tx = await self._origin(relayed).refund(relayed.relay)
        relayed.state = DepositState.FILLED if filled else DepositState.REFUNDED

    def _origin(self, relayed: Relayed) -> SpokePool:
        return self.pools[relayed.relay.origin_chain]


def pools_of(world: World) -> Mapping[int, SpokePool]:
    return {
        **{number: EvmPool(world, number) for number in world.evm_chains},
        **{number: SvmPool(node, number) for number, node in world.nodes.items()},
    }
