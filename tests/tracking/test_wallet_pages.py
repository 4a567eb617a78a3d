"""Pages of wallets are what a plain query answers, whatever else is asked for."""

import itertools
import random
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransactionRecord, TransferState
from rhumbline.tracking.listing import Listing
from tests.tracking.test_listing import CHAIN, KEY, NOON, TOKENS, fill, row, walk

EVM, SOLANA = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
WALLETS = (EVM, SOLANA, "0x" + "5e" * 20)


@pytest.fixture
def listing(store_engine: AsyncEngine) -> Listing:
    return Listing(store_engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)


def matches(record: TransactionRecord, wanted: TransactionFilter) -> bool:
    return (
        record.integrator == "acme"
        and wanted.status in (None, record.status)
        and wanted.route_type in (None, record.route_type)
        and wanted.origin_chain_id in (None, record.origin_chain_id)
        and wanted.destination_chain_id in (None, record.destination_chain_id)
        and wanted.sender in (None, record.sender)
        and wanted.receiver in (None, record.receiver)
        and (wanted.since is None or record.origin_time >= wanted.since)
        and (wanted.until is None or record.origin_time < wanted.until)
    )


def made(chance: random.Random, count: int) -> list[TransactionRecord]:
    return [
        row(
            number,
            id=f"{chance.getrandbits(64):016x}",
            origin_time=NOON + timedelta(microseconds=chance.randrange(60)),
            integrator=chance.choice(["acme", "acme", "other", None]),
            sender=chance.choice([EVM, EVM, EVM, SOLANA]),
            receiver=chance.choice([EVM, SOLANA, None]),
            status=chance.choice(list(TransferState)[:3]),
            route_type=chance.choice(list(RouteType)[:2]),
            origin_chain_id=chance.choice([1, 10]),
            destination_chain_id=chance.choice([1, 10, None]),
        )
        for number in range(count)
    ]


async def test_pages_equal_a_sorted_list_for_filters_at_random(listing: Listing, store_engine: AsyncEngine) -> None:
    chance = random.Random(5)
    rows = made(chance, 300)
    await fill(store_engine, *rows)
    moments = [None, *(NOON + timedelta(microseconds=each) for each in (0, 20, 41, 70))]
    every = [
        TransactionFilter(*each)
        for each in itertools.product(
            [None, *list(TransferState)[1:4]], [None, RouteType.BRIDGE], [None, 1], [None, 10],
            [None, *WALLETS], [None, EVM, SOLANA], moments, moments,
        )
    ]  # fmt: skip
    for wanted in chance.sample(every, 250):
        expected = sorted(((r.origin_time, r.id) for r in rows if matches(r, wanted)), reverse=True)
        found = await walk(listing, "acme", wanted, chance.choice([2, 9, 200]))
        assert found == [identifier for _, identifier in expected], wanted
