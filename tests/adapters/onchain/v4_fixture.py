"""Uniswap's own V4 manager on a sandbox chain, with pools at the market's prices, some of native itself."""

from bisect import bisect_right
from dataclasses import replace
from pathlib import Path

from rhumbline.devnet.artifacts import contract_codes, pinned_packages
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.devnet.evm.pools import raw_amount, sqrt_price_x96
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.liquidity.deployments import uniswap_v4
from rhumbline.liquidity.kinds.tick_math import MAX_TICK, sqrt_price_at
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.sandbox_fixture import CACHE

PACKAGES = Path(__file__).with_name("packages.toml")
POOLS = (("ETH", "USDC", 500, 10), ("ETH", "USDC", 3000, 60), ("WETH", "USDC", 3000, 60), ("ETH", "DAI", 3000, 60),
         ("USDC", "DAI", 100, 1), ("ETH", "WBTC", 3000, 60))  # fmt: skip
_KEY = "(address,address,uint24,int24,address)"
_ETHER = 10**18
_RICHES = 10**9 * _ETHER
_WIDTHS = (4000, 600, 60)


async def with_v4(fixture: AdapterFixture, *, alone: bool) -> AdapterFixture:
    """The same chain with pools of V4 to choose from; ``alone``: and no others."""
    operator = await unlocked(fixture.rpc, fixture.account, _RICHES)
    codes = await contract_codes(CACHE, lambda _: None, pinned_packages(PACKAGES))
    manager = await operator.deploy(constructed(codes["PoolManager"], ("address",), operator.address))
    adder = await operator.deploy(constructed(codes["PoolModifyLiquidityTest"], ("address",), manager))
    for symbol, token in fixture.tokens.items():
        if symbol == "WETH":
            await operator.send(token.address, encoded("deposit()"), 10**6 * _ETHER)
        elif symbol != "ETH":
            await operator.send(token.address, encoded("mint(address,uint256)", operator.address, 10**30))
        if symbol != "ETH":
            await operator.send(token.address, encoded("approve(address,uint256)", adder, 2**255))
    for number, pool in enumerate(POOLS):
        await _fill(fixture, operator, (manager, adder), pool, 40 * number)
    source = uniswap_v4(manager, fixture.deployment.wrapped_native.address)
    sources = (source,) if alone else (*fixture.deployment.sources, source)
    return fixture.choosing_from(replace(fixture.deployment, sources=sources))


async def _fill(
    fixture: AdapterFixture, operator: Operator, contracts: tuple[str, str], pool: tuple[str, str, int, int], shift: int
) -> None:
    """Create a pool, and put three ranges around its price, which ``shift`` moves, in 0.01 bp."""
    manager, adder = contracts
    *symbols, fee, spacing = pool
    first, second = sorted(map(str, symbols), key=lambda each: int(fixture.tokens[each].address, 16))
    names = ["WETH" if each == "ETH" else each for each in (first, second)]
    price = sqrt_price_x96(names[0], names[1], shift, first_is_token0=True)
    addresses = [NATIVE_EVM if each == "ETH" else fixture.tokens[each].address for each in (first, second)]
    key = (*addresses, fee, spacing, NATIVE_EVM)
    await operator.send(manager, encoded(f"initialize({_KEY},uint160)", key, price))
    usable = range(-(MAX_TICK // spacing) * spacing, MAX_TICK, spacing)
    tick = usable[bisect_right(usable, price, key=sqrt_price_at) - 1]
    # A million dollars until the price has doubled.
    liquidity = raw_amount(names[1], 10**6) * 2**96 // price
    for width in _WIDTHS:
        span = (tick - width * spacing, tick + width * spacing, liquidity, bytes(32))
        data = encoded(f"modifyLiquidity({_KEY},(int24,int24,int256,bytes32),bytes)", key, span, b"")
        await operator.send(adder, data, 10**5 * _ETHER if NATIVE_EVM in addresses else 0)
