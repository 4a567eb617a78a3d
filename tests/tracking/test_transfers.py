"""A transfer becomes a record, and only what was handed out is believed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.transfer import StoredBuild
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.builds import KEPT_FOR, Builds, builds
from rhumbline.tracking.indexing import Indexer, IndexingSettings
from rhumbline.tracking.transfers import ScanPages, transfer_of
from tests.tracking.conftest import catch_up, records, service_keys
from tests.tracking.crossings import DEPOSIT, OUTPUT, Crossing, known
from tests.tracking.market import Market


def follower_of(market: Market, engine: AsyncEngine, **changes: Any) -> Indexer:
    chain = replace(market.chain, **changes)
    settings = IndexingSettings(market.first_block, 2000)
    return Indexer(chain, market.rpc, engine, service_keys, system_clock, settings, known=known(market))


async def test_a_transfer_becomes_a_record_that_waits_for_its_bridge(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(crossing.build())
    tx_hash = await crossing.send()
    follower = follower_of(market, store_engine)
    await catch_up(follower)
    (record,) = await records(store_engine)
    assert (record["source_tx_hash"], record["dest_tx_hash"]) == (tx_hash, None)
    assert (record["protocol"], record["route_type"], record["has_dest_call"]) == ("TOYBRIDGE", "bridge", False)
    assert (record["source_chain_id"], record["dest_chain_id"]) == (900_001, 900_002)
    assert (record["sender"], record["receiver"]) == (crossing.sender, market.accounts[1])
    assert (record["status"], record["status_source"]) == ("bridge_pending", "analytics")
    assert record["input"] == {"address": NATIVE_EVM, "raw": str(10**15)}
    assert record["output"] is None
    assert record["bridge_scan_url"] == f"https://scan.example/{tx_hash}/deposit-1"
    assert record["next_bridge_check_at"] is not None
    transfer = transfer_of(record)
    assert (transfer.adapter, transfer.reference, transfer.tx_hash) == ("TOYBRIDGE", "deposit-1", tx_hash)
    assert (transfer.sent_amount, transfer.min_output, transfer.output_token) == (10**15, 490, OUTPUT)
    assert (transfer.refund_to, transfer.receiver) == (crossing.sender, market.accounts[1])
    assert await follower.step() is False


@pytest.mark.parametrize(
    "claim",
    [
        {"adapter": "ACROSS"},
        {"reference": "deposit-2"},
        {"reference": None},
        {"receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C9"},
        {"min_output": 1},
        {"expected_output": 10**30},
        {"output_token": NATIVE_EVM},
        {"amount": 10**14, "net": 10**14, "sent": 10**14},
    ],
)
async def test_a_claim_that_was_not_handed_out_is_unknown_and_nobody_is_asked(
    market: Market, store_engine: AsyncEngine, claim: dict[str, Any]
) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(crossing.build())
    await crossing.send(**claim)
    await catch_up(follower_of(market, store_engine))
    (record,) = await records(store_engine)
    assert (record["status"], record["status_source"]) == ("unknown", "unknown")
    assert (record["transfer"], record["next_bridge_check_at"], record["bridge_scan_url"]) == (None, None, None)


async def test_without_what_was_handed_out_a_record_is_there_and_unknown(
    market: Market, store_engine: AsyncEngine
) -> None:
    await Crossing(market).send()
    await catch_up(follower_of(market, store_engine))
    (record,) = await records(store_engine)
    assert (record["status"], record["protocol"]) == ("unknown", "TOYBRIDGE")


async def test_an_id_of_somebody_else_is_nobodys(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(crossing.build())
    await crossing.send(integrator="other")
    await crossing.send(id=b"\x07" * 32)
    await catch_up(follower_of(market, store_engine))
    assert await records(store_engine) == []


async def test_swaps_and_transfers_in_one_range(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(crossing.build())
    await market.swap(Crossing(market, nonce=5).identifier)
    await crossing.send()
    await catch_up(follower_of(market, store_engine))
    assert [record["route_type"] for record in await records(store_engine)] == ["swap", "bridge"]


def direct(crossing: Crossing, **changes: Any) -> StoredBuild:
    return crossing.build(direct=True, to=DEPOSIT, data=b"\xab\xcd", **changes)


async def test_a_call_that_the_wallet_makes_itself_is_found(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(direct(crossing))
    await market.mine(3)
    tx_hash = await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await market.mine(30)
    follower = follower_of(market, store_engine)
    await catch_up(follower)
    (record,) = await records(store_engine)
    assert (record["source_tx_hash"], record["source_log_index"]) == (tx_hash, -1)
    assert (record["status"], record["protocol"], record["integrator"]) == ("bridge_pending", "TOYBRIDGE", "acme")
    assert transfer_of(record).log_index == -1
    again = await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(follower)
    assert [record["source_tx_hash"] for record in await records(store_engine)] == [tx_hash, again]


async def test_a_chain_without_a_diamond_is_followed_for_such_calls(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(direct(crossing))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(follower_of(market, store_engine, diamond=None, executor=None))
    assert [record["protocol"] for record in await records(store_engine)] == ["TOYBRIDGE"]


@pytest.mark.parametrize(
    ("sender", "to", "data", "value"),
    [
        (1, DEPOSIT, b"\xab\xcd", 10**15),
        (0, OUTPUT, b"\xab\xcd", 10**15),
        (0, DEPOSIT, b"\xab\xce", 10**15),
        (0, DEPOSIT, b"\xab\xcd", 10**15 - 1),
    ],
)
async def test_another_call_is_not_taken_for_it(
    market: Market, store_engine: AsyncEngine, sender: int, to: str, data: bytes, value: int
) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(direct(crossing))
    await market.send(market.accounts[sender], to, data, value)
    await catch_up(follower_of(market, store_engine))
    assert await records(store_engine) == []


async def test_a_call_that_reverts_started_nothing(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market, amount=0)
    data = b"\x01\x02\x03\x04"
    await Builds(store_engine).keep(crossing.build(direct=True, to=market.diamond, data=data))
    sent = {"from": crossing.sender, "to": market.diamond, "data": "0x" + data.hex(), "gas": hex(100_000)}
    tx_hash = str(await market.rpc.call("eth_sendTransaction", [sent]))
    assert (await market.receipt(tx_hash))["status"] == "0x0"
    await catch_up(follower_of(market, store_engine))
    assert await records(store_engine) == []


async def test_a_call_that_came_too_late_is_not_looked_for(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    long_ago = int((datetime.now(UTC) - timedelta(days=2)).timestamp())
    await Builds(store_engine).keep(direct(crossing, expires_at=long_ago))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(follower_of(market, store_engine))
    assert await records(store_engine) == []


async def test_a_call_that_a_reorganisation_takes_back_is_gone(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await Builds(store_engine).keep(direct(crossing))
    follower = follower_of(market, store_engine)
    await catch_up(follower)
    mark = await market.snapshot()
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(follower)
    assert len(await records(store_engine)) == 1
    await market.revert(mark)
    await market.mine(3)
    await catch_up(follower)
    assert await records(store_engine) == []


async def test_builds_are_kept_once_and_forgotten_late(market: Market, store_engine: AsyncEngine) -> None:
    kept, now = Builds(store_engine), datetime.now(UTC)
    largest = Crossing(market).build(value=2**256 - 1, input_amount=2**256 - 1)
    await kept.keep(largest)
    old = int((now - KEPT_FOR - timedelta(seconds=5)).timestamp())
    await kept.keep(Crossing(market, nonce=1).build(expires_at=old))
    assert await kept.forget(now) == 1
    async with store_engine.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(builds))).scalar_one() == 1


async def test_a_store_that_is_down_is_said_to_be() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable):
        await Builds(engine).keep(_any_build())
    await engine.dispose()


def _any_build() -> StoredBuild:
    now = datetime.now(UTC)
    return StoredBuild(
        "0x00", "A", False, 1, 2, "s", "r", "", "t", 0, b"", "i", 1, 1, "o", 1, 1, None, now, int(now.timestamp())
    )  # fmt: skip


def test_pages_need_what_they_name() -> None:
    pages = ScanPages({"A": "https://a.example/{txHash}", "B": "https://b.example/{reference}"})
    assert pages.url("A", "0x1", None) == "https://a.example/0x1"
    assert pages.url("B", "0x1", None) is None
    assert pages.url("B", "0x1", "r") == "https://b.example/r"
    assert pages.url("C", "0x1", "r") is None
