"""Uniswap V4's own manager, and its quoter: pools of tokens and of native, with fees for the protocol too."""

import random
from dataclasses import dataclass

from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import HIGHEST_LIMIT, LOWEST_LIMIT, sqrt_price_at
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.kinds.v4_storage import PoolKey
from tests.liquidity.exact.chain import NOBODY, BareChain
from tests.liquidity.exact.positions import positions

FEES = (0, 1, 100, 500, 3000, 10_000, 250_000, 999_999)
SPACINGS = (1, 10, 60, 200, 887, 16_384)
MOST_FOR_PROTOCOL = 1000
_KEY = "(address,address,uint24,int24,address)"


@dataclass(frozen=True)
class V4Venue:
    """The manager, and what adds liquidity, swaps and quotes."""

    chain: BareChain
    manager: str
    adder: str
    swapper: str
    quoter: str
    most: int = 2**127 - 1

    async def make(self, dice: random.Random) -> Pool:
        """Create a pool with liquidity at random, a third of them of native and a token."""
        operator, fee, spacing = self.chain.operator, dice.choice(FEES), dice.choice(SPACINGS)
        tokens = await self.chain.tokens(self.adder, self.swapper)
        if dice.random() < 0.3:
            tokens = NOBODY, tokens[1]
        key = PoolKey(*tokens, fee, spacing, NOBODY)
        pool = Pool(PoolKind.V4, self.manager, *tokens, fee, spacing, id="0x" + key.id.hex())
        tick = dice.randint(-200_000, 200_000)
        price = sqrt_price_at(tick) + dice.choice((0, dice.randint(0, sqrt_price_at(tick) // 30_000)))
        await operator.send(self.manager, encoded(f"initialize({_KEY},uint160)", _key(pool), price))
        protocol = dice.choice((0, MOST_FOR_PROTOCOL, dice.randint(1, MOST_FOR_PROTOCOL)))
        other = dice.choice((0, MOST_FOR_PROTOCOL, dice.randint(1, MOST_FOR_PROTOCOL)))
        fees = encoded(f"setProtocolFee({_KEY},uint24)", _key(pool), protocol | other << 12)
        await operator.send(self.manager, fees)
        for each in positions(dice, spacing, tick):
            span = (each.low, each.high, each.liquidity, bytes(32))
            adding = encoded(f"modifyLiquidity({_KEY},(int24,int24,int256,bytes32),bytes)", _key(pool), span, b"")
            value = each.amounts(price)[0] + 1 if tokens[0] == NOBODY else 0
            await operator.send(self.adder, adding, value)
        return pool

    async def trade(self, pool: Pool, amount: int, zero_for_one: bool) -> None:
        """Swap an exact input."""
        terms = (zero_for_one, -amount, LOWEST_LIMIT if zero_for_one else HIGHEST_LIMIT)
        data = encoded(f"swap({_KEY},(bool,int256,uint160),(bool,bool),bytes)", _key(pool), terms, (False, False), b"")
        value = amount if zero_for_one and pool.token0 == NOBODY else 0
        await self.chain.operator.send(self.swapper, data, value)

    async def states(self, pools: list[Pool]) -> dict[str, V3Pool]:
        return await self.chain.whole_pools(pools)

    def question(self, pool: Pool, amount: int, zero_for_one: bool, *, exact_in: bool) -> Call:
        """What the quoter is asked about an exact input, or an exact output."""
        name = "quoteExactInputSingle" if exact_in else "quoteExactOutputSingle"
        data = encoded(f"{name}(({_KEY},bool,uint128,bytes))", (_key(pool), zero_for_one, amount, b""))
        return "eth_call", [{"to": self.quoter, "data": "0x" + data.hex()}, "latest"]

    def answer(self, data: bytes, _: bool, /) -> tuple[int, bool]:
        """Read an amount; this quoter reverts where a pool takes only a part."""
        (amount,) = decode_args(["uint256"], data)
        return int(amount), False


async def uniswap_v4(chain: BareChain) -> V4Venue:
    operator = chain.operator
    manager = await chain.deploy("PoolManager", operator.address)
    await operator.send(manager, encoded("setProtocolFeeController(address)", operator.address))
    names = "PoolModifyLiquidityTest", "PoolSwapTest", "V4Quoter"
    adder, swapper, quoter = [await chain.deploy(name, manager) for name in names]
    return V4Venue(chain, manager, adder, swapper, quoter)


def _key(pool: Pool) -> tuple[str, str, int, int, str]:
    return pool.token0, pool.token1, pool.fee, pool.spacing, NOBODY
