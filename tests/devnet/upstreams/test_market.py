"""Prices are those of the pools, and a trade's calldata brings exactly what was quoted, or reverts."""

from itertools import permutations

import pytest

from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.evm.operator import Operator, SetUpError, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.devnet.upstreams.market import ACROSS_BPS
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from tests.sandbox_fixture import LoopThread, on_sandbox_loop

SYMBOLS = ("ETH", "WETH", "USDC", "USDT", "DAI", "WBTC")
AMOUNTS = {"ETH": 10**17, "WETH": 3 * 10**18, "USDC": 5_000_000, "USDT": 777_777_777, "DAI": 10**19, "WBTC": 1_000_000}
PAIRS = [pair for pair in permutations(SYMBOLS, 2) if set(pair) != {"ETH", "WETH"}]
RECEIVER = "0x00000000000000000000000000000000000cafe1"


def address(chain: SandboxChain, symbol: str) -> str:
    return NATIVE_EVM if symbol == "ETH" else chain.tokens[symbol].address


async def trader(world: World, chain_id: int, token: str, router: str) -> Operator:
    account = await unlocked(world.rpc(chain_id), sandbox_account(0).address, 10**22)
    if token != NATIVE_EVM:
        await account.send(token, encoded("approve(address,uint256)", router, 0))
        await account.send(token, encoded("approve(address,uint256)", router, 2**255))
    return account


@pytest.mark.parametrize("chain_id", [900_001, 900_002])
@on_sandbox_loop
async def test_a_trade_brings_exactly_what_was_quoted(restored_sandbox: Sandbox, world: World, chain_id: int) -> None:
    chain, rpc = world.chain(chain_id), world.rpc(chain_id)
    for sold, bought in PAIRS:
        token_in, token_out = address(chain, sold), address(chain, bought)
        trade = await world.market.quote(chain_id, token_in, token_out, AMOUNTS[sold])
        account = await trader(world, chain_id, token_in, trade.router)
        before = await balance_of(rpc, token_out, RECEIVER)
        to, data = trade.calldata(RECEIVER, trade.amount_out)
        await account.send(to, data, trade.value)
        gained = await balance_of(rpc, token_out, RECEIVER) - before
        assert (sold, bought, gained) == (sold, bought, trade.amount_out)
        left = await balance_of(rpc, token_in, trade.router)
        assert left == 0, "nothing stays with the router"


@on_sandbox_loop
async def test_the_best_way_is_taken(sandbox: Sandbox, world: World) -> None:
    chain = world.chain(900_001)
    for amount in (10**15, 10**18, 10**20, 10**21):
        trade = await world.market.quote(chain.id, address(chain, "WETH"), address(chain, "USDC"), amount)
        for fee in (500, 3000):
            terms = (address(chain, "WETH"), address(chain, "USDC"), amount, fee, 0)
            said = await world.rpc(chain.id).eth_call(
                chain.contracts["quoter_v2"],
                encoded("quoteExactInputSingle((address,address,uint256,uint24,uint160))", terms),
            )
            assert int.from_bytes(said[:32]) <= trade.amount_out
    trade = await world.market.quote(chain.id, address(chain, "USDT"), address(chain, "WBTC"), 10**9)
    assert len(trade.legs) == 3, "by way of USDC and WETH"


@on_sandbox_loop
async def test_a_minimum_is_kept(restored_sandbox: Sandbox, world: World) -> None:
    chain = world.chain(900_001)
    for sold, bought in (("ETH", "USDC"), ("USDT", "WBTC"), ("DAI", "ETH")):
        token_in = address(chain, sold)
        trade = await world.market.quote(chain.id, token_in, address(chain, bought), AMOUNTS[sold])
        account = await trader(world, chain.id, token_in, trade.router)
        to, data = trade.calldata(RECEIVER, trade.amount_out + 1)
        with pytest.raises(SetUpError):
            await account.send(to, data, trade.value)


@pytest.mark.parametrize(
    ("sold", "bought"), [("ETH", "WETH"), ("WETH", "ETH"), ("USDC", "USDC"), ("TAX", "WETH"), ("USDC", "TAX")]
)
def test_what_has_no_market(sandbox: Sandbox, world: World, sandbox_loop: LoopThread, sold: str, bought: str) -> None:
    chain = world.chain(900_001)
    with pytest.raises(NoMarket):
        sandbox_loop.run(world.market.quote(chain.id, address(chain, sold), address(chain, bought), 10**9))


def test_a_strangers_token_has_no_market(sandbox: Sandbox, world: World, sandbox_loop: LoopThread) -> None:
    other = world.chain(900_002).tokens["USDC"].address
    with pytest.raises(NoMarket):
        sandbox_loop.run(world.market.quote(900_001, other, NATIVE_EVM, 10**9))


@on_sandbox_loop
async def test_a_crossing_costs_its_share_and_converts_where_it_must(sandbox: Sandbox, world: World) -> None:
    first, second = world.chain(900_001), world.chain(900_002)
    usdc = await world.market.quote_across(first.id, address(first, "USDC"), second.id, address(second, "USDC"), 999)
    assert usdc == 999 * (10_000 - ACROSS_BPS) // 10_000 == 998, "rounded down"
    ether = await world.market.quote_across(first.id, NATIVE_EVM, second.id, address(second, "WETH"), 10**18)
    assert ether == 10**18 * (10_000 - ACROSS_BPS) // 10_000, "the native asset counts as its wrapping"
    other = await world.market.quote_across(first.id, address(first, "USDC"), second.id, NATIVE_EVM, 10**9)
    crossed = 10**9 * (10_000 - ACROSS_BPS) // 10_000
    assert other == (await world.market.quote(second.id, address(second, "USDC"), NATIVE_EVM, crossed)).amount_out
