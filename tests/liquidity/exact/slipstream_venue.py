"""Pools of Slipstream's shape around Uniswap's own V3 pools, which Uniswap's own quoter answers for."""

import random
from dataclasses import dataclass, replace

from rhumbline.devnet.evm.fork_pools import SPACINGS, ForkPools, deploy_fork_pools
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import sqrt_price_at
from rhumbline.liquidity.kinds.v3 import V3Pool
from tests.liquidity.exact.chain import NOBODY, BareChain
from tests.liquidity.exact.positions import positions
from tests.liquidity.exact.v3_venue import UNISWAP_SWAP, V3Venue


@dataclass(frozen=True)
class SlipstreamVenue:
    """``behind`` is V3's contracts with Slipstream's factory for theirs."""

    forks: ForkPools
    behind: V3Venue

    @property
    def chain(self) -> BareChain:
        return self.behind.chain

    @property
    def most(self) -> int:
        return self.behind.most

    async def make(self, dice: random.Random) -> Pool:
        """Create a pool of two new tokens with liquidity at random."""
        spacing = dice.choice(sorted(SPACINGS))
        tokens = await self.chain.tokens(self.behind.manager, self.behind.router)
        tick = dice.randint(-200_000, 200_000)
        price = sqrt_price_at(tick) + dice.choice((0, dice.randint(0, sqrt_price_at(tick) // 30_000)))
        address = await self.forks.slipstream(tokens, spacing, price)
        await self.behind.fill(tokens, SPACINGS[spacing], price, positions(dice, spacing, tick))
        return Pool(PoolKind.SLIPSTREAM, address, *tokens, spacing=spacing)

    async def trade(self, pool: Pool, amount: int, zero_for_one: bool) -> None:
        await self.behind.trade(_inner(pool), amount, zero_for_one)

    async def states(self, pools: list[Pool]) -> dict[str, V3Pool]:
        return await self.chain.whole_pools(pools)

    def question(self, pool: Pool, amount: int, zero_for_one: bool, *, exact_in: bool) -> Call:
        return self.behind.question(_inner(pool), amount, zero_for_one, exact_in=exact_in)

    def answer(self, data: bytes, zero_for_one: bool) -> tuple[int, bool]:
        return self.behind.answer(data, zero_for_one)


async def slipstream(chain: BareChain) -> SlipstreamVenue:
    forks = await deploy_fork_pools(chain.operator, chain.codes)
    manager, factory = forks.position_manager, forks.slipstream_factory
    router = await chain.deploy("SwapRouter02", NOBODY, factory, manager, NOBODY)
    quoter = await chain.deploy("QuoterV2", factory, NOBODY)
    return SlipstreamVenue(forks, V3Venue(chain, factory, manager, router, quoter, UNISWAP_SWAP, {}))


def _inner(pool: Pool) -> Pool:
    """Return V3's pool behind it, as its own contracts know it."""
    return replace(pool, kind=PoolKind.V3, fee=SPACINGS[pool.spacing])
