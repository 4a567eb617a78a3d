"""What the market says of Solana's pools is what a program gets in them, and what crosses keeps its worth."""

from itertools import permutations
from struct import pack

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.plans import PRICES
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.market import ACROSS_BPS
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmInstruction
from tests.sandbox_fixture import LoopThread, on_sandbox_loop

A, SOLANA = 900_001, 900_003
AGGREGATOR = str(Keypair.from_seed(b"an aggregator for the market it ").pubkey())
SYMBOLS = ("WSOL", "WETH", "WBTC", "USDC", "USDT", "DAI", "TAX")
AMOUNTS = {"WSOL": 10**10, "WETH": 10**7, "WBTC": 10**6, "USDC": 10**9, "USDT": 10**9, "DAI": 10**12, "TAX": 10**11}


def address(world: World, symbol: str) -> str:
    return NATIVE_SVM if symbol == "SOL" else world.chain(SOLANA).tokens[symbol].address


async def quoted(world: World, given: str, wanted: str, amount: int) -> SvmTrade:
    trade = await world.market.quote(SOLANA, address(world, given), address(world, wanted), amount)
    assert isinstance(trade, SvmTrade)
    return trade


def call(world: World, trade: SvmTrade, minimum: int) -> SvmInstruction:
    """Trade by the sandbox's aggregator."""
    solver, destination = world.svm(SOLANA).solver, trade.account(world.svm(SOLANA).solver, trade.legs[-1].token_out)
    heads = (AccountRole(solver, signer=True, writable=True), AccountRole(destination, writable=True))
    data = pack("<BQQ", len(trade.legs), trade.amount_in, minimum)
    return SvmInstruction(AGGREGATOR, heads + trade.steps(solver), data)


@on_sandbox_loop
async def test_every_pair_brings_what_was_said(restored_sandbox: Sandbox, world: World) -> None:
    node = world.svm(SOLANA)
    await node.install_program(AGGREGATOR, "aggregator")
    for given, wanted in [("USDC", "USDT"), ("TAX", "WBTC"), ("DAI", "TAX"), ("WSOL", "TAX"), ("USDT", "WSOL")]:
        trade = await quoted(world, given, wanted, AMOUNTS[given])
        before = await balance_of(node.rpc, trade.token_out, node.solver)
        await node.send([call(world, trade, trade.amount_out)])
        assert await balance_of(node.rpc, trade.token_out, node.solver) - before == trade.amount_out > 0


@pytest.mark.parametrize(("given", "wanted"), list(permutations(SYMBOLS, 2)), ids="-".join)
def test_pools_are_near_the_reference_prices(world: World, sandbox_loop: LoopThread, given: str, wanted: str) -> None:
    trade = sandbox_loop.run(quoted(world, given, wanted, AMOUNTS[given]))
    decimals = {symbol: token.decimals for symbol, token in world.chain(SOLANA).tokens.items()}
    worth_in = trade.amount_in * PRICES[given] / 10 ** decimals[given]
    worth_out = trade.amount_out * PRICES[wanted] / 10 ** decimals[wanted]
    assert 0.95 < worth_out / worth_in < 1.001
    assert len(trade.legs) == len(trade.pools) <= 3


def test_the_native_asset_is_traded_wrapped(world: World, sandbox_loop: LoopThread) -> None:
    native, wrapped = (sandbox_loop.run(quoted(world, symbol, "USDC", 10**9)) for symbol in ("SOL", "WSOL"))
    assert (native.token_in, native.amount_out) == (NATIVE_SVM, wrapped.amount_out)
    assert native.legs == wrapped.legs
    for given, wanted in (("SOL", "WSOL"), ("WSOL", "SOL")):
        with pytest.raises(NoMarket):
            sandbox_loop.run(quoted(world, given, wanted, 10**9))


@pytest.mark.parametrize("amount", [0, 1, 2**63])
def test_nothing_is_promised_where_the_pools_give_nothing(world: World, sandbox_loop: LoopThread, amount: int) -> None:
    if amount == 2**63:
        # A pool with less than what overflows takes it, for nearly all that it has.
        assert sandbox_loop.run(quoted(world, "USDC", "USDT", amount)).amount_out > 0
        return
    with pytest.raises(NoMarket):
        sandbox_loop.run(quoted(world, "DAI", "USDC", amount))


def test_what_crosses_keeps_its_worth(world: World, sandbox_loop: LoopThread) -> None:
    def across(origin: int, given: str, destination: int, wanted: str, amount: int) -> int:
        return sandbox_loop.run(world.market.quote_across(origin, given, destination, wanted, amount))

    here, there = world.chain(A).tokens, world.chain(SOLANA).tokens
    keeps = 10_000 - ACROSS_BPS
    # 18 decimals become 8, and back.
    assert across(A, NATIVE_EVM, SOLANA, there["WETH"].address, 10**18 + 1) == 10**8 * keeps // 10_000
    assert across(SOLANA, there["WETH"].address, A, NATIVE_EVM, 10**8) == 10**18 * keeps // 10_000
    assert across(A, here["USDC"].address, SOLANA, there["USDC"].address, 10**6) == 10**6 * keeps // 10_000
    # SOL is not on the other chain, and crosses as dollars; there and back loses, wherever trades have moved the pool.
    dollars = across(SOLANA, NATIVE_SVM, A, here["USDC"].address, 10**9)
    assert 140 * 10**6 < dollars < 160 * 10**6
    lamports = across(A, here["USDC"].address, SOLANA, NATIVE_SVM, dollars)
    assert 0.98 * 10**9 < lamports < 10**9
    with pytest.raises(NoMarket):
        across(SOLANA, world.svm(SOLANA).solver, A, NATIVE_EVM, 1)
