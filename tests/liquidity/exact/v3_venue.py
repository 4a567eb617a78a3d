"""The genuine contracts of Uniswap V3, and of its fork PancakeSwap V3: pools, and what their quoters answer."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.devnet.evm.operator import constructed, encoded
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import HIGHEST_LIMIT, LOWEST_LIMIT, sqrt_price_at
from rhumbline.liquidity.kinds.v3 import V3Pool
from tests.liquidity.exact.chain import FOR_EVER, NOBODY, BareChain, pancake_pool_deployer
from tests.liquidity.exact.positions import Position, positions

POSITIONS_AT_ONCE = 10
PANCAKE_CODE = "0x" + "00" * 18 + "cafe"
_MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))"
UNISWAP_SWAP = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
_PANCAKE_SWAP = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))"


@dataclass(frozen=True)
class V3Venue:
    """A factory, and what adds liquidity, swaps and quotes; ``spacings`` by fee in millionths."""

    chain: BareChain
    factory: str
    manager: str
    router: str
    quoter: str
    swap: str
    spacings: Mapping[int, int]
    most: int = 2**255 - 1

    async def make(self, dice: random.Random) -> Pool:
        """Create a pool of two new tokens with liquidity at random."""
        fee, spacing = dice.choice(sorted(self.spacings.items()))
        tokens = await self.chain.tokens(self.manager, self.router)
        tick = dice.randint(-200_000, 200_000)
        price = sqrt_price_at(tick) + dice.choice((0, dice.randint(0, sqrt_price_at(tick) // 30_000)))
        return await self.open(tokens, fee, price, positions(dice, spacing, tick))

    async def open(self, tokens: tuple[str, str], fee: int, price: int, liquidity: Sequence[Position]) -> Pool:
        """Create a pool of tokens that the manager may take, at a price (Q64.96), and put positions into it."""
        operator = self.chain.operator
        create = encoded("createAndInitializePoolIfNecessary(address,address,uint24,uint160)", *tokens, fee, price)
        await operator.send(self.manager, create)
        await self.fill(tokens, fee, price, liquidity)
        address = await operator.address_of(self.factory, encoded("getPool(address,address,uint24)", *tokens, fee))
        return Pool(PoolKind.V3, address, *tokens, fee, self.spacings[fee])

    async def fill(self, tokens: tuple[str, str], fee: int, price: int, liquidity: Sequence[Position]) -> None:
        """Open positions in a pool at a price."""
        owner = self.chain.operator.address
        mints = [
            encoded(_MINT, (*tokens, fee, each.low, each.high, *each.amounts(price), 0, 0, owner, FOR_EVER))
            for each in liquidity
        ]
        for start in range(0, len(mints), POSITIONS_AT_ONCE):
            part = mints[start : start + POSITIONS_AT_ONCE]
            await self.chain.operator.send(self.manager, encoded("multicall(bytes[])", part))

    async def trade(self, pool: Pool, amount: int, zero_for_one: bool) -> None:
        """Swap an exact input."""
        tokens = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
        deadline = (FOR_EVER,) if self.swap == _PANCAKE_SWAP else ()
        terms = (*tokens, pool.fee, self.chain.operator.address, *deadline, amount, 0, 0)
        await self.chain.operator.send(self.router, encoded(self.swap, terms))

    async def states(self, pools: list[Pool]) -> dict[str, V3Pool]:
        return await self.chain.whole_pools(pools)

    def question(self, pool: Pool, amount: int, zero_for_one: bool, *, exact_in: bool) -> Call:
        """What the quoter is asked about an exact input, or an exact output."""
        tokens = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
        name = "quoteExactInputSingle" if exact_in else "quoteExactOutputSingle"
        data = encoded(f"{name}((address,address,uint256,uint24,uint160))", (*tokens, amount, pool.fee, 0))
        return "eth_call", [{"to": self.quoter, "data": "0x" + data.hex()}, "latest"]

    def answer(self, data: bytes, zero_for_one: bool) -> tuple[int, bool]:
        """Read an amount, and whether the pool went to its end."""
        amount, price = decode_args(["uint256", "uint160"], data)
        return int(amount), price == (LOWEST_LIMIT if zero_for_one else HIGHEST_LIMIT)


async def uniswap(chain: BareChain) -> V3Venue:
    factory = await chain.deploy("UniswapV3Factory")
    await chain.operator.send(factory, encoded("enableFeeAmount(uint24,int24)", 100, 1))
    manager = await chain.deploy("NonfungiblePositionManager", factory, NOBODY, NOBODY)
    router = await chain.deploy("SwapRouter02", NOBODY, factory, manager, NOBODY)
    quoter = await chain.deploy("QuoterV2", factory, NOBODY)
    spacings = {100: 1, 500: 10, 3000: 60, 10000: 200}
    return V3Venue(chain, factory, manager, router, quoter, UNISWAP_SWAP, spacings)


async def pancakeswap(chain: BareChain) -> V3Venue:
    await chain.rpc.call("anvil_setCode", [PANCAKE_CODE, "0x" + chain.codes["PancakeV3Pool"].hex()])
    maker = await pancake_pool_deployer()
    deployer = await chain.operator.deploy(constructed(maker, ("address",), PANCAKE_CODE))
    factory = await chain.deploy("PancakeV3Factory", deployer)
    manager = await chain.deploy("PancakePositionManager", deployer, factory, NOBODY, NOBODY)
    router = await chain.deploy("PancakeSwapRouter", deployer, factory, NOBODY)
    quoter = await chain.deploy("PancakeQuoterV2", deployer, factory, NOBODY)
    spacings = {100: 1, 500: 10, 2500: 50, 10000: 200}
    return V3Venue(chain, factory, manager, router, quoter, _PANCAKE_SWAP, spacings)
