"""What a plan through the Diamond costs beside SwapRouter02, called by the wallet, with the same pools and amounts."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench.rows import Row
from bench.v3_market import CACHE
from rhumbline.adapters.onchain.pool_plans import PlannedHop, encode, tokens_of
from rhumbline.adapters.onchain.router_calls import TO_ROUTER, Leg, Payout, RouterCall
from rhumbline.adapters.onchain.router_calls import encode as encode_call_of_router
from rhumbline.devnet.evm.nodes import go_back
from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.evm.pools import PoolPlan, Range, Seeder
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxChain, SandboxConfig
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.routing.evm.router_call import RouterOrder, router_call

GOALS: Mapping[str, tuple[str, float]] = {
    "one V3 pool": ("plan-gas", 1.40),
    "five V3 pools": ("plan-gas-five", 1.05),
}
ONE = 10**18
HALF, THIRD = (1 << 32) // 2, (1 << 32) // 3
KEPT = 9970
RECEIVER = "0x00000000000000000000000000000000000A11cE"
FOR_EVER = 2**40
MOST = 2**256 - 1
# Beside the sandbox's own, so that two paths share no pool.
SECOND_POOL = PoolPlan("DAI", "WETH", 500, 0, ranges=(Range(-6000, 6000, 500_000),))


@dataclass(frozen=True)
class Trade:
    """An order as SwapRouter02 makes it and as the Executor does; amounts in raw units of ``origin``."""

    origin: str
    destination: str
    amount: int
    legs: tuple[Leg, ...]
    hops: tuple[PlannedHop, ...]
    payout: Payout | None = None

    @property
    def value(self) -> int:
        return self.amount if self.origin == NATIVE_EVM else 0


@dataclass(frozen=True)
class Market:
    """One chain, its tokens by symbol, and the wallet that has them."""

    chain: SandboxChain
    wallet: Operator
    tokens: Mapping[str, str]

    async def pool(self, first: str, second: str, fee: int) -> str:
        """Return the address of a V3 pool, of a V2 pair where the fee is 0."""
        factory = self.chain.contracts["uniswap_v3_factory" if fee else "uniswap_v2_factory"]
        pair = self.tokens[first], self.tokens[second]
        if not fee:
            return await self.wallet.address_of(factory, encoded("getPair(address,address)", *pair))
        return await self.wallet.address_of(factory, encoded("getPool(address,address,uint24)", *pair, fee))

    async def hop(self, first: str, second: str, fee: int, share: int = 0) -> PlannedHop:
        place = bytes.fromhex((await self.pool(first, second, fee))[2:])
        ends = self.tokens[first], self.tokens[second]
        if fee:
            return PlannedHop(HopKind.CONCENTRATED, share, *ends, place)
        return PlannedHop(HopKind.PAIR, share, *ends, place + KEPT.to_bytes(2))

    def leg(self, path: tuple[str, ...], fees: tuple[int, ...], amount: int, recipient: str = RECEIVER) -> Leg:
        tokens = tuple(self.tokens[symbol] for symbol in path)
        return Leg(PoolKind.V3 if fees else PoolKind.V2, tokens, fees, amount, 1, recipient)


async def run() -> list[Row]:
    """Compare on a chain of the sandbox, whose pools are Uniswap's own code."""
    async with running_sandbox(SandboxConfig(cache=CACHE)) as sandbox, HttpClient() as http:
        chain = sandbox.evm_chains[0]
        account = next(each.address for each in sandbox.accounts if each.type is ChainType.EVM)
        wallet = await unlocked(EvmRpc(chain.rpc_url, http, chain.key, 60.0), account, 10**6 * ONE)
        market = Market(chain, wallet, {symbol: token.address for symbol, token in chain.tokens.items()})
        await _prepare(market)
        gas = {name: await _both(market, trade) for name, trade in (await _trades(market)).items()}
    for name in [each for each in gas if each not in GOALS]:
        print(f"{name:>22}  {_comparison(*gas[name])}")
    return [
        Row(
            name=row,
            value=f"{name}: {_comparison(*gas[name])}",
            goal=f"<= {goal:.2f} of SwapRouter02's gas",
            met=gas[name][0] <= goal * gas[name][1],
        )
        for name, (row, goal) in GOALS.items()
    ]


def _comparison(plan: int, router: int) -> str:
    return f"{plan:,} / {router:,} = {plan / router:.3f}"


async def _prepare(market: Market) -> None:
    """Open the second pool, and let the router and the Diamond take what the wallet has."""
    wallet, contracts = market.wallet, market.chain.contracts
    for symbol, token in market.tokens.items():
        if symbol == "WETH":
            await wallet.send(token, encoded("deposit()"), 10_000 * ONE)
        else:
            await wallet.send(token, encoded("mint(address,uint256)", wallet.address, 10**7 * ONE))
        for spender in (contracts["swap_router_02"], contracts["diamond"]):
            await wallet.send(token, encoded("approve(address,uint256)", spender, MOST))
    await Seeder(wallet, market.tokens, contracts, 100, turned=False).seed((SECOND_POOL,))


async def _trades(market: Market) -> dict[str, Trade]:
    token, leg, hop = market.tokens, market.leg, market.hop
    dai, weth, usdc, amount = token["DAI"], token["WETH"], token["USDC"], 3000 * ONE
    third, rest = amount // 3, amount - 2 * (amount // 3)
    direct = await hop("WETH", "USDC", 500)
    back = await hop("USDC", "WETH", 500)
    return {
        "one V3 pool": Trade(weth, usdc, ONE, (leg(("WETH", "USDC"), (500,), ONE),), (direct,)),
        "five V3 pools": Trade(
            dai, usdc, amount,
            (
                leg(("DAI", "USDC"), (100,), third),
                leg(("DAI", "WETH", "USDC"), (3000, 500), third),
                leg(("DAI", "WETH", "USDC"), (500, 3000), rest),
            ),
            (
                await hop("DAI", "USDC", 100, THIRD),
                await hop("DAI", "WETH", 3000, HALF), await hop("DAI", "WETH", 500),
                await hop("WETH", "USDC", 500, HALF), await hop("WETH", "USDC", 3000),
            ),
        ),
        "one V2 pool": Trade(
            weth, usdc, ONE, (leg(("WETH", "USDC"), (), ONE),), (await hop("WETH", "USDC", 0),)
        ),
        "V3 then V3": Trade(
            dai, usdc, amount, (leg(("DAI", "WETH", "USDC"), (3000, 500), amount),),
            (await hop("DAI", "WETH", 3000), direct),
        ),
        "native to V3": Trade(
            NATIVE_EVM, usdc, ONE, (leg(("WETH", "USDC"), (500,), ONE),),
            (PlannedHop(HopKind.WRAP, 0, NATIVE_EVM, weth), direct),
        ),
        "V3 to native": Trade(
            usdc, NATIVE_EVM, 3000 * 10**6, (leg(("USDC", "WETH"), (500,), 3000 * 10**6, TO_ROUTER),),
            (back, PlannedHop(HopKind.UNWRAP, 0, weth, NATIVE_EVM)), Payout(None, 1, RECEIVER),
        ),
    }  # fmt: skip


async def _both(market: Market, trade: Trade) -> tuple[int, int]:
    contracts = market.chain.contracts
    data = encode_call_of_router(RouterCall(FOR_EVER, trade.legs, trade.payout, refund=False))
    router = await _gas(market, contracts["swap_router_02"], data, trade.value)
    made = _by_diamond(market, trade)
    return await _gas(market, made.to, made.data, made.value), router


def _by_diamond(market: Market, trade: Trade) -> EvmTransaction:
    contracts, own = market.chain.contracts, market.chain
    native = Token(own.id, NATIVE_EVM, "ETH", 18, "Ether")
    chain = Chain(own.id, own.key, own.name, ChainType.EVM, native, mainnet=False,
                  diamond=contracts["diamond"], executor=contracts["executor"])  # fmt: skip
    ends = trade.origin, trade.destination
    between = tuple(token for token in tokens_of(trade.hops) if token not in (*ends, NATIVE_EVM))
    plan = EvmTransaction(
        own.id, contracts["executor"], trade.value, encode(trade.hops), kind=CallKind.POOLS, sweep_tokens=between
    )
    order = RouterOrder(
        bytes(range(1, 33)), chain, None, "ONCHAIN", RECEIVER, trade.origin, trade.amount, trade.amount,
        trade.destination, 1, FOR_EVER, 0, (),
    )  # fmt: skip
    return router_call(order, plan)


async def _gas(market: Market, to: str, data: bytes, value: int) -> int:
    """Return the gas of a transaction that follows the same one in its block.

    So its receiver holds the token already, and neither of two ways writes the pools' oracles.
    """
    rpc, wallet = market.wallet.rpc, market.wallet.address
    mark = await rpc.call("evm_snapshot", [])
    await rpc.call("evm_setAutomine", [False])
    nonce = quantity(await rpc.call("eth_getTransactionCount", [wallet, "latest"]))
    call = {"from": wallet, "to": to, "data": "0x" + data.hex(), "value": hex(value), "gas": hex(5_000_000)}
    for number in range(2):
        made = await rpc.call("eth_sendTransaction", [{**call, "nonce": hex(nonce + number)}])
    await rpc.call("evm_mine", [])
    await rpc.call("evm_setAutomine", [True])
    receipt = await rpc.call("eth_getTransactionReceipt", [made])
    await go_back(rpc, mark)
    assert isinstance(receipt, dict)
    assert quantity(receipt["status"]) == 1
    return quantity(receipt["gasUsed"])
