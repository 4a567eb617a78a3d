"""Pools of Solidly's shape, of all sorts of decimals, fees and depths; the contracts are the sandbox's own."""

import random
from dataclasses import dataclass, replace

from rhumbline.devnet.evm.fork_pools import ForkPools
from rhumbline.devnet.evm.operator import constructed, encoded
from rhumbline.devnet.tokens import token_codes
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource, pair_of
from rhumbline.liquidity.kinds.solidly import SolidlyPool
from rhumbline.liquidity.snapshots import PoolBook
from tests.liquidity.exact.chain import BareChain

DECIMALS = ((18, 18), (6, 6), (6, 18), (18, 8))
_PLENTY = 10**60


@dataclass(frozen=True)
class Pairs:
    """A chain with Solidly's factory."""

    chain: BareChain
    forks: ForkPools

    async def make(self, dice: random.Random, decimals: tuple[int, int], *, stable: bool) -> Pair:
        """Create a pool of two new tokens."""
        made = []
        for each in decimals:
            code = constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), "Token", "TOK", each)
            made.append(await self.chain.operator.deploy(code))
            await self.chain.operator.send(
                made[-1], encoded("mint(address,uint256)", self.chain.operator.address, _PLENTY)
            )
        whole = 10 ** dice.uniform(2, 9)
        amounts = [int(whole * dice.uniform(0.2, 5) * 10**each) for each in decimals]
        pool = await self.forks.solidly(made, amounts, stable=stable)
        fee = dice.choice((0, 1, 7, 300, 420))
        if fee:
            await self.chain.operator.send(
                self.forks.solidly_factory, encoded("setCustomFee(address,uint256)", pool, fee)
            )
        return pair_of(*made)

    async def set_fee(self, pool: str, fee: int) -> None:
        data = encoded("setCustomFee(address,uint256)", pool, fee)
        await self.chain.operator.send(self.forks.solidly_factory, data)

    async def found(self, *pairs: Pair) -> list[Pool]:
        source = PoolSource("SOLIDLY", PoolKind.SOLIDLY, self.forks.solidly_factory)
        finder = PoolFinder(self.chain.rpc, replace(self.chain.deployment, sources=(source,)), lambda: 0.0)
        return [pool for each in (await finder.find(pairs)).values() for pool in each]

    async def states(self, pools: list[Pool]) -> dict[str, SolidlyPool | None]:
        book = PoolBook(self.chain.rpc, self.chain.deployment, lambda: 0.0)
        states = (await book.newest(pools)).states
        return {key: state if isinstance(state, SolidlyPool) else None for key, state in states.items()}


def question(pool: Pool, amount: int, zero_for_one: bool) -> Call:
    data = encoded("getAmountOut(uint256,address)", amount, pool.token0 if zero_for_one else pool.token1)
    return "eth_call", [{"to": pool.address, "data": "0x" + data.hex()}, "latest"]
