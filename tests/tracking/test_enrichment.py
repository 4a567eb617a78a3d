"""What a record gets after it was seen: tokens, the fees that count, gas."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import TokenAmount, TrackedTransaction
from rhumbline.gateways.nodes.evm.rpc import quantity
from rhumbline.tracking.enrichment import FeeWallets
from rhumbline.tracking.listing import Listing
from tests.tracking.conftest import SERVICE_WALLET, STORED, WALLETS, catch_up, enricher, fixed_clock, indexer, new_id
from tests.tracking.market import Fee, Market
from tests.tracking.node import PASS, Node

NOBODY = "0x" + "12" * 20


async def seen(market: Market, engine: AsyncEngine, *fees: Fee, integrator: str = "acme") -> str:
    """Sends a swap of 10,000 wei and takes it in."""
    identifier = new_id(market.accounts[0], integrator)
    tx_hash = await market.swap(identifier, amount=10_000, fees=fees, integrator=integrator)
    await catch_up(indexer(market, engine))
    return tx_hash


async def found(market: Market, engine: AsyncEngine, tx_hash: str, integrator: str = "acme") -> TrackedTransaction:
    weth = Token(market.chain.id, market.weth, "WETH", 18, "Wrapped Ether")
    listed_at = TokenCatalog([market.chain], [weth], {}).listed_at
    record = await Listing(engine, ChainCatalog([market.chain]), (b"c" * 32,), listed_at).find(integrator, tx_hash)
    assert record is not None
    return record


def native(raw: int) -> TokenAmount:
    return TokenAmount(900_001, NATIVE_EVM, "ETH", 18, raw)


async def test_a_record_is_completed(market: Market, store_engine: AsyncEngine) -> None:
    tx_hash = await seen(market, store_engine, (WALLETS["acme"], "integrator", 30), (SERVICE_WALLET, "service", 10))
    assert (await found(market, store_engine, tx_hash)).input is None
    assert await enricher(market, store_engine).enrich() is False
    record = await found(market, store_engine, tx_hash)
    receipt = await market.receipt(tx_hash)
    gas = quantity(receipt["gasUsed"]) * quantity(receipt["effectiveGasPrice"])
    assert gas > 0
    assert record.input == native(10_000)
    assert record.output == TokenAmount(900_001, market.weth, "WETH", 18, 9_960)
    assert (record.integrator_fee, record.service_fee) == (native(30), native(10))
    assert (record.origin_gas_fee, record.destination_gas_fee) == (native(gas), None)
    assert record.record.last_receipt_checked_at is not None
    assert record.record.updated_at > record.record.created_at


@pytest.mark.parametrize(
    ("fees", "integrator_fee", "service_fee"),
    [
        ([], None, None),
        ([(NOBODY, "integrator", 5), (NOBODY, "service", 6)], None, None),
        ([(SERVICE_WALLET, "integrator", 5), (WALLETS["acme"], "service", 6)], None, None),
        ([(WALLETS["acme"], "integrator", 5), (NOBODY, "integrator", 6), (WALLETS["acme"], "integrator", 7)], 12, None),
        ([(SERVICE_WALLET, "service", 5), (SERVICE_WALLET, "tip", 6)], None, 5),
        ([(SERVICE_WALLET, "service", 5), (SERVICE_WALLET, b"\xff", 6)], None, 5),
    ],
)
async def test_only_fees_to_the_configured_wallets_count(
    market: Market, store_engine: AsyncEngine, fees: list[Fee], integrator_fee: int | None, service_fee: int | None
) -> None:
    tx_hash = await seen(market, store_engine, *fees)
    await enricher(market, store_engine).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.integrator_fee == (None if integrator_fee is None else native(integrator_fee))
    assert record.service_fee == (None if service_fee is None else native(service_fee))
    assert record.origin_gas_fee is not None


async def test_an_integrator_without_wallet_has_collected_nothing(market: Market, store_engine: AsyncEngine) -> None:
    tx_hash = await seen(market, store_engine, (WALLETS["acme"], "integrator", 5), integrator="poor")
    await enricher(market, store_engine).enrich()
    assert (await found(market, store_engine, tx_hash, "poor")).integrator_fee is None


async def test_a_node_that_is_away_is_asked_again_for_a_day(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """The record is listed meanwhile, with what is known without the node."""
    tx_hash = await seen(market, store_engine, (WALLETS["acme"], "integrator", 5))
    born = (await found(market, store_engine, tx_hash)).record.created_at
    node.down = True
    assert await enricher(market, store_engine, node.rpc, fixed_clock(born)).enrich() is False
    record = await found(market, store_engine, tx_hash)
    assert (record.input, record.integrator_fee) == (native(10_000), native(5))
    assert (record.output, record.origin_gas_fee) == (None, None)
    node.down = False
    await enricher(market, store_engine, node.rpc, fixed_clock(born + timedelta(hours=24, seconds=1))).enrich()
    assert (await found(market, store_engine, tx_hash)).origin_gas_fee is None
    await enricher(market, store_engine, node.rpc, fixed_clock(born + timedelta(hours=23, minutes=59))).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.origin_gas_fee is not None
    assert record.output is not None


async def test_a_node_that_is_silent_costs_one_time_limit(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """However many tokens are wanting."""
    for _ in range(3):
        await seen(market, store_engine)
    async with store_engine.begin() as connection:
        for n, identifier in enumerate((await connection.execute(select(STORED.c.id))).scalars().all()):
            output = {"address": "0x" + f"{n:040x}", "raw": "1"}
            await connection.execute(update(STORED).where(STORED.c.id == identifier).values(output=output))
    asked = 0

    def answer(method: str, params: list[object]) -> object:
        nonlocal asked
        asked += method == "eth_getCode"
        return {"result": 5} if method == "eth_getCode" else PASS

    node.answer = answer
    await enricher(market, store_engine, node.rpc).enrich()
    assert asked == 1


async def test_pauses_grow_with_age(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    tx_hash = await seen(market, store_engine)
    born = (await found(market, store_engine, tx_hash)).record.created_at
    node.down = True
    tries = []
    for second in range(200):
        moment = born + timedelta(seconds=second)
        await enricher(market, store_engine, node.rpc, fixed_clock(moment)).enrich()
        if (await found(market, store_engine, tx_hash)).record.last_receipt_checked_at == moment:
            tries.append(second)
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert tries[:3] == [0, 2, 4]
    assert pauses == sorted(pauses)
    assert len(tries) < 15


async def test_gas_waits_for_tokens_that_could_not_be_read(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """Else nobody would ask for them again."""
    tx_hash = await seen(market, store_engine)
    node.answer = lambda method, _: {"error": {"code": 1, "message": "no"}} if method == "eth_getCode" else PASS
    await enricher(market, store_engine, node.rpc).enrich()
    record = await found(market, store_engine, tx_hash)
    assert (record.output, record.origin_gas_fee) == (None, None)
    node.answer = lambda method, _: PASS
    later = fixed_clock(system_clock() + timedelta(seconds=10))
    await enricher(market, store_engine, node.rpc, later).enrich()
    record = await found(market, store_engine, tx_hash)
    assert None not in (record.output, record.origin_gas_fee)


async def test_a_contract_that_is_no_token_leaves_its_amount_out_for_good(
    market: Market, store_engine: AsyncEngine
) -> None:
    tx_hash = await seen(market, store_engine)
    async with store_engine.begin() as connection:
        await connection.execute(update(STORED).values(output={"address": market.diamond, "raw": "1"}))
    await enricher(market, store_engine).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.output is None
    assert record.origin_gas_fee is not None


async def test_a_record_that_was_replaced_meanwhile_is_left_alone(market: Market, store_engine: AsyncEngine) -> None:
    """The same swap in another block: what was found out about the old one is not written to the new one."""
    await seen(market, store_engine, (WALLETS["acme"], "integrator", 5))
    other = "0x" + "ee" * 32

    async def replace_and_tell(integrator: str) -> str | None:
        async with store_engine.begin() as connection:
            await connection.execute(update(STORED).values(source_block_hash=other))
        return WALLETS[integrator]

    slow = replace(enricher(market, store_engine), wallets=FeeWallets(None, replace_and_tell))
    await slow.enrich()
    async with store_engine.connect() as connection:
        columns = (STORED.c.source_gas_fee, STORED.c.last_receipt_checked_at)
        assert (await connection.execute(select(*columns))).one() == (None, None)


async def test_a_backlog_is_worked_off_in_batches(market: Market, store_engine: AsyncEngine) -> None:
    sender, receiver = market.multicall, market.accounts[3]
    for part in range(6):
        ids = [new_id(sender, nonce=n + 100 * part) for n in range(10)]
        await market.swap_several([market.swap_data(i, 1000, receiver) for i in ids], 1000)
    await catch_up(indexer(market, store_engine))
    worker = enricher(market, store_engine)
    assert [await worker.enrich(), await worker.enrich(), await worker.enrich()] == [True, False, False]
    async with store_engine.connect() as connection:
        gas = (await connection.execute(select(STORED.c.source_gas_fee))).scalars().all()
    assert len(gas) == 60
    assert None not in gas
