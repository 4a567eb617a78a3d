"""Pool state follows the chain: exact after every block, shared by those who ask together, never of two blocks."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.devnet.evm.nodes import go_back
from rhumbline.domain.errors import NoRoute
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.upstreams.guard.guard import GuardRules
from rhumbline.liquidity.block_reads import Head, HeadGone, read_at, read_head
from rhumbline.liquidity.kinds.pools import PoolKind
from tests.adapters.onchain.adapter_fixture import FOR_EVER, STRANGER, AdapterFixture, only
from tests.patience import until

ONE = 10**18


async def v3_output(adapter_fixture: AdapterFixture, origin: str, destination: str, fee: int, amount: int) -> int:
    output, _ = await adapter_fixture.quoter(
        adapter_fixture.tokens[origin].address, adapter_fixture.tokens[destination].address, fee, amount
    )
    return output


async def test_the_next_quote_after_a_foreign_swap_is_exact_again(adapter_fixture: AdapterFixture) -> None:
    """The price crosses ticks, in small and large moves, both ways."""
    one_pool = adapter_fixture.choosing_from(replace(only(adapter_fixture.deployment, PoolKind.V3, 500), anchors=()))
    await adapter_fixture.mint("WETH", 2_000 * ONE)
    await adapter_fixture.mint("USDC", 3_000_000 * 10**6)
    stranger = adapter_fixture.choosing_from(one_pool.deployment)
    for origin, destination, amount in (
        ("WETH", "USDC", ONE), ("WETH", "USDC", 30 * ONE), ("USDC", "WETH", 10**12), ("WETH", "USDC", 900 * ONE),
        ("USDC", "WETH", 2 * 10**12), ("WETH", "USDC", 2 * ONE),
    ):  # fmt: skip
        for question in (("WETH", "USDC", 10 * ONE), ("USDC", "WETH", 10**11)):
            quote = await one_pool.quote(*question)
            assert quote.output_amount == await v3_output(adapter_fixture, question[0], question[1], 500, question[2])
        quote = await stranger.quote(origin, destination, amount, STRANGER)
        gained, _ = await stranger.swap(quote)
        assert gained == quote.output_amount


async def test_new_and_removed_liquidity_is_seen_in_the_next_block(adapter_fixture: AdapterFixture) -> None:
    one_pool = adapter_fixture.choosing_from(replace(only(adapter_fixture.deployment, PoolKind.V3, 500), anchors=()))
    manager = adapter_fixture.contracts["position_manager"]
    question = ("WETH", "USDC", 200 * ONE)
    before = (await one_pool.quote(*question)).output_amount
    assert before == await v3_output(adapter_fixture, "WETH", "USDC", 500, 200 * ONE)

    minted = await adapter_fixture.opening(500, (70, 90), {"WETH": 100 * ONE, "USDC": 10**12})
    position, liquidity = await adapter_fixture.read_as_account(manager, minted, "uint256", "uint128")
    await adapter_fixture.send(manager, minted)
    deeper = (await one_pool.quote(*question)).output_amount
    assert deeper > before
    assert deeper == await v3_output(adapter_fixture, "WETH", "USDC", 500, 200 * ONE)

    removed = encode_call(
        "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
        ["(uint256,uint128,uint256,uint256,uint256)"],
        [(position, liquidity, 0, 0, FOR_EVER)],
    )
    await adapter_fixture.send(manager, removed)
    assert (await one_pool.quote(*question)).output_amount == before


async def test_a_new_pool_is_found_after_a_while(adapter_fixture: AdapterFixture) -> None:
    now = SimpleNamespace(seconds=0.0)
    patient = adapter_fixture.choosing_from(
        replace(only(adapter_fixture.deployment, PoolKind.V3, 500, 10000), anchors=())
    )
    patient = patient.with_clock(lambda: now.seconds)
    await patient.quote("WETH", "USDC", ONE)
    weth, usdc = (adapter_fixture.tokens[symbol].address for symbol in ("WETH", "USDC"))
    token0, token1 = sorted((weth, usdc), key=lambda address: int(address, 16))
    slot0 = await adapter_fixture.read(
        await adapter_fixture.pool("WETH", "USDC", 500), selector("slot0()"), "uint160", "int24"
    )
    types = ["address", "address", "uint24", "uint160"]
    create = encode_call(
        "createAndInitializePoolIfNecessary(address,address,uint24,uint160)", types, [token0, token1, 10000, slot0[0]]
    )
    manager = adapter_fixture.contracts["position_manager"]
    await adapter_fixture.send(manager, create)
    most = {"WETH": 1_500 * ONE, "USDC": 5 * 10**12}
    await adapter_fixture.send(manager, await adapter_fixture.opening(10000, (4000, 4000), most))

    async def fees() -> set[int]:
        quote = await patient.quote("WETH", "USDC", 700 * ONE)
        assert isinstance(quote.payload, SwapPlan)
        return {hop.pool.fee for hop in quote.payload.hops}

    assert await fees() == {500}
    now.seconds = 61.0

    async def is_found() -> bool:
        return 10000 in await fees()

    await until(is_found)


async def test_concurrent_quotes_share_their_reads(adapter_fixture: AdapterFixture) -> None:
    requests: list[str] = []

    class Noting(HttpClient):
        async def ask(self, method: str, *what: Any, **more: Any) -> Reply:
            requests.append(method)
            return await super().ask(method, *what, **more)

    async with Noting() as http:
        shared = adapter_fixture.on(replace(adapter_fixture.rpc, http=http))
        await shared.quote("WETH", "USDC", ONE)
        cold = len(requests)
        assert cold == 3, "the newest block and the pools' places at once, then all pools"

        requests.clear()
        quotes = await asyncio.gather(
            *(shared.quote("WETH", "USDC", ONE * (1 + i)) for i in range(GuardRules().at_once))
        )
        assert len({quote.output_amount for quote in quotes}) > 1
        assert len(requests) == 1, "the newest block, asked once for all"

        await adapter_fixture.rpc.call("anvil_mine", [])
        requests.clear()
        await asyncio.gather(*(shared.quote("WETH", "USDC", ONE * (1 + i)) for i in range(GuardRules().at_once)))
        assert len(requests) == 2, "the newest block, and all pools at it"

        requests.clear()
        await shared.quote("WETH", "USDC", ONE)
        assert len(requests) == 1


async def test_a_cancelled_quote_does_not_disturb_the_others(adapter_fixture: AdapterFixture) -> None:
    impatient = [asyncio.ensure_future(adapter_fixture.quote("USDT", "WBTC", 10**9)) for _ in range(3)]
    patient = asyncio.ensure_future(adapter_fixture.quote("USDT", "WBTC", 10**9))
    await asyncio.sleep(0.001)
    for task in impatient:
        task.cancel()
    assert (await patient).output_amount > 0
    assert all(
        isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*impatient, return_exceptions=True)
    )


async def test_a_replaced_block_is_noticed_and_the_quote_is_of_the_new_one(adapter_fixture: AdapterFixture) -> None:
    weth = adapter_fixture.tokens["WETH"].address
    mark = await adapter_fixture.rpc.call("evm_snapshot", [])
    await adapter_fixture.rpc.call("anvil_mine", [])
    first = await adapter_fixture.quote("WETH", "USDC", ONE)
    gone = await read_head(adapter_fixture.rpc)
    await go_back(adapter_fixture.rpc, mark)
    stranger = adapter_fixture.choosing_from(adapter_fixture.deployment)
    await stranger.swap(await stranger.quote("ETH", "USDC", 5 * ONE, STRANGER))
    here = await read_head(adapter_fixture.rpc)
    assert (here.number, here.hash != gone.hash) == (gone.number, True)
    reads = [Read(weth, encode_call("decimals()", [], []))]
    with pytest.raises(HeadGone):
        await read_at(adapter_fixture.rpc, adapter_fixture.deployment.multicall, gone, reads)
    with pytest.raises(HeadGone):
        await read_at(
            adapter_fixture.rpc, adapter_fixture.deployment.multicall, Head(here.number + 5, gone.hash), reads
        )
    second = await adapter_fixture.quote("WETH", "USDC", ONE)
    assert second.output_amount < first.output_amount
    assert isinstance(second.payload, SwapPlan)
    assert (second.payload.block, second.payload.block_hash) == (here.number, here.hash)


async def test_a_block_replaced_during_a_quote_begins_the_quote_anew(adapter_fixture: AdapterFixture) -> None:
    """Between finding the newest block and the pools, and reading the pools at it, that block is replaced."""
    mark = await adapter_fixture.rpc.call("evm_snapshot", [])
    await adapter_fixture.rpc.call("anvil_mine", [])
    stranger = adapter_fixture.choosing_from(adapter_fixture.deployment)
    before = {"eth_getBlockByNumber", "eth_call"}

    class ReplacingTheBlock(HttpClient):
        async def ask(self, *what: Any, **more: Any) -> Reply:
            reply = await super().ask(*what, **more)
            if not before:
                return reply
            before.difference_update([method for method in before if method in f"{what} {more}"])
            if not before:
                await go_back(adapter_fixture.rpc, mark)
                await stranger.swap(await stranger.quote("ETH", "USDC", 5 * ONE, STRANGER))
            return reply

    async with ReplacingTheBlock() as http:
        quote = await adapter_fixture.on(replace(adapter_fixture.rpc, http=http)).quote("WETH", "USDC", ONE)
    assert isinstance(quote.payload, SwapPlan)
    assert quote.payload.block_hash == (await read_head(adapter_fixture.rpc)).hash
    assert quote.output_amount == (await adapter_fixture.quote("WETH", "USDC", ONE)).output_amount


async def test_a_pool_without_a_price_is_passed_over(adapter_fixture: AdapterFixture) -> None:
    create = encode_call(
        "createPool(address,address,uint24)",
        ["address", "address", "uint24"],
        [adapter_fixture.tokens["WETH"].address, adapter_fixture.tokens["USDC"].address, 10000],
    )
    expected = (await adapter_fixture.quote("WETH", "USDC", ONE)).output_amount
    await adapter_fixture.send(adapter_fixture.contracts["uniswap_v3_factory"], create)
    fresh = adapter_fixture.choosing_from(adapter_fixture.deployment)
    assert (await fresh.quote("WETH", "USDC", ONE)).output_amount == expected
    alone = adapter_fixture.choosing_from(replace(only(adapter_fixture.deployment, PoolKind.V3, 10000), anchors=()))
    with pytest.raises(NoRoute, match="takes this amount"):
        await alone.quote("WETH", "USDC", ONE)


async def test_more_reads_than_one_call_takes_are_answered_in_order(adapter_fixture: AdapterFixture) -> None:
    head = await read_head(adapter_fixture.rpc)
    owners = [f"0x{number:040x}" for number in range(1, 1_001)]
    account = int(adapter_fixture.account, 16)
    owners[700] = f"0x{account:040x}"
    reads = [
        Read(adapter_fixture.tokens["USDC"].address, encode_call("balanceOf(address)", ["address"], [owner]))
        for owner in owners
    ]
    reads[3] = Read(adapter_fixture.tokens["USDC"].address, b"\xde\xad\xbe\xef")
    answers = await read_at(adapter_fixture.rpc, adapter_fixture.deployment.multicall, head, reads)
    assert answers[3] is None
    balance = await adapter_fixture.balance(adapter_fixture.tokens["USDC"], adapter_fixture.account)
    assert [int.from_bytes(answer or b"") for answer in answers] == [balance if i == 700 else 0 for i in range(1_000)]
