"""Pages and lookups, against the real store."""

import asyncio
import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.errors import InvalidRequest, StoreUnavailable
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import (
    NO_EVENT,
    RecordAmount,
    RouteType,
    StatusSource,
    TokenAmount,
    TransactionFilter,
    TransactionRecord,
    TransferState,
    UncheckedFee,
)
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.store import add_records

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
KEY = b"c" * 32
CHAIN = Chain(1, "eth", "Ethereum", ChainType.EVM, Token(1, NATIVE_EVM, "ETH", 18, "Ether"), mainnet=True)
TOKENS = TokenCatalog([CHAIN], [], {})
SVM_SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"

WAITING = sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")


def hash_of(number: int) -> str:
    return "0x" + number.to_bytes(32).hex()


def row(number: int, **changes: Any) -> TransactionRecord:
    """A complete record; whatever is not named does not matter."""
    plain = TransactionRecord(
        id=f"{number:08x}",
        transaction_id=hash_of(number + 10**6),
        origin_chain_id=1,
        origin_tx_hash=hash_of(number),
        origin_log_index=0,
        origin_block_number=number,
        origin_block_hash=hash_of(number + 10**9),
        origin_time=NOON + timedelta(seconds=number),
        sender="0x" + "5e" * 20,
        receiver=None,
        integrator="acme",
        protocol="GENERIC_SWAP",
        route_type=RouteType.SWAP,
        has_destination_call=False,
        input=None,
        status=TransferState.SUCCESS,
        status_source=StatusSource.ANALYTICS,
        created_at=NOON,
        updated_at=NOON,
    )
    return replace(plain, **changes)


async def fill(engine: AsyncEngine, *rows: TransactionRecord) -> None:
    async with engine.begin() as connection:
        await add_records(connection, rows)


@pytest.fixture
def listing(store_engine: AsyncEngine) -> Listing:
    return Listing(store_engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)


async def walk(listing: Listing, integrator: str, wanted: TransactionFilter, limit: int) -> list[str]:
    """All pages; from the second on, the cursor alone carries the filters."""
    page = await listing.page(integrator, wanted, limit)
    found = [shown.record.id for shown in page.transactions]
    while page.next_cursor is not None:
        assert len(page.transactions) == limit
        page = await listing.page(integrator, TransactionFilter(), limit, page.next_cursor)
        assert page.transactions
        found += [shown.record.id for shown in page.transactions]
    return found


async def test_pages_equal_a_sorted_list_for_every_combination_of_filters(
    listing: Listing, store_engine: AsyncEngine
) -> None:
    chance = random.Random(3)
    rows = [
        row(
            number,
            id=f"{chance.getrandbits(64):016x}",
            # Few times, so that many records share one and the ID decides.
            origin_time=NOON + timedelta(microseconds=chance.randrange(60)),
            integrator=chance.choice(["acme", "acme", "other", "Acme", None]),
            status=chance.choice(list(TransferState)[:4]),
            route_type=chance.choice(list(RouteType)),
            origin_chain_id=chance.choice([1, 10]),
            destination_chain_id=chance.choice([1, 10, None]),
        )
        for number in range(700)
    ]
    await fill(store_engine, *rows)
    combinations = itertools.product([None, *TransferState], [None, *RouteType], [None, 1, 10, 99], [None, 1, 10])
    for status, route_type, source, dest in combinations:
        wanted = TransactionFilter(status, route_type, source, dest)
        expected = [
            (r.origin_time, r.id)
            for r in rows
            if r.integrator == "acme"
            and status in (None, r.status)
            and route_type in (None, r.route_type)
            and source in (None, r.origin_chain_id)
            and dest in (None, r.destination_chain_id)
        ]
        expected.sort(reverse=True)
        limit = chance.choice([9, 40, 200])
        assert await walk(listing, "acme", wanted, limit) == [identifier for _, identifier in expected], wanted


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7])
async def test_the_last_page_has_no_cursor(listing: Listing, store_engine: AsyncEngine, limit: int) -> None:
    await fill(store_engine, *(row(n) for n in range(6)))
    assert await walk(listing, "acme", TransactionFilter(), limit) == [f"{n:08x}" for n in reversed(range(6))]


async def test_a_new_record_does_not_disturb_a_walk(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, *(row(n) for n in range(4)))
    first = await listing.page("acme", TransactionFilter(), 2)
    await fill(store_engine, row(100))
    second = await listing.page("acme", TransactionFilter(), 2, first.next_cursor)
    assert [r.record.origin_block_number for r in (*first.transactions, *second.transactions)] == [3, 2, 1, 0]


async def test_conflicting_filters_name_the_cursor(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, *(row(n) for n in range(4)))
    wanted = TransactionFilter(status=TransferState.SUCCESS)
    cursor = (await listing.page("acme", wanted, 2)).next_cursor
    assert len((await listing.page("acme", wanted, 2, cursor)).transactions) == 2
    for conflict in (
        replace(wanted, status=TransferState.REFUNDED),
        replace(wanted, route_type=RouteType.SWAP),
        TransactionFilter(origin_chain_id=1),
        TransactionFilter(destination_chain_id=1),
    ):
        with pytest.raises(InvalidRequest) as caught:
            await listing.page("acme", conflict, 2, cursor)
        assert caught.value.faults[0].startswith("cursor: ")


async def test_a_cursor_of_another_integrator_is_refused(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, *(row(n) for n in range(4)))
    cursor = (await listing.page("acme", TransactionFilter(), 2)).next_cursor
    with pytest.raises(InvalidRequest, match="Invalid request parameters"):
        await listing.page("other", TransactionFilter(), 2, cursor)


async def test_a_cursor_outlives_a_new_key(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, *(row(n) for n in range(4)))
    cursor = (await listing.page("acme", TransactionFilter(), 2)).next_cursor
    rotated = Listing(store_engine, ChainCatalog([CHAIN]), (b"n" * 32, KEY), TOKENS.listed_at)
    assert len((await rotated.page("acme", TransactionFilter(), 2, cursor)).transactions) == 2


@pytest.mark.parametrize("limit", [-1, 0, 201, 10**9])
async def test_limits_are_held(listing: Listing, limit: int) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await listing.page("acme", TransactionFilter(), limit)
    assert caught.value.faults == ("limit: must be from 1 to 200",)


async def test_a_chain_id_larger_than_any_has_no_records(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, row(1))
    for wanted in (TransactionFilter(origin_chain_id=2**63), TransactionFilter(destination_chain_id=10**30)):
        assert (await listing.page("acme", wanted, 5)).transactions == ()


async def test_a_record_has_all_its_members(listing: Listing, store_engine: AsyncEngine) -> None:
    token = RecordAmount(NATIVE_EVM, 2**256 - 1, "ETH", 18)
    await fill(
        store_engine,
        row(
            5,
            input=token,
            output=RecordAmount(NATIVE_EVM, 1),
            origin_gas_fee=replace(token, usd=Decimal("0.10")),
            integrator_fee=UncheckedFee(NATIVE_EVM, (("0x1", 2),)),
            destination_chain_id=77,
        ),
    )
    record = await listing.find("acme", hash_of(5))
    assert record is not None
    assert record.input == TokenAmount(1, NATIVE_EVM, "ETH", 18, 2**256 - 1, None)
    assert (record.output, record.integrator_fee, record.service_fee) == (None, None, None)
    assert record.origin_gas_fee is not None
    assert str(record.origin_gas_fee.usd) == "0.10"
    assert (record.origin_network, record.destination_network) == ("Ethereum", "77")
    assert (record.record.status, record.record.route_type) == (TransferState.SUCCESS, RouteType.SWAP)
    assert record.record.status_source is StatusSource.ANALYTICS
    assert record.record.origin_time.tzinfo is not None


async def test_a_call_without_an_event_of_ours_has_no_log_index(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, row(1, origin_log_index=NO_EVENT), row(2, origin_log_index=0))
    found = [await listing.find("acme", hash_of(number)) for number in (1, 2)]
    assert [None if record is None else record.record.origin_log_index for record in found] == [NO_EVENT, 0]


async def test_any_of_the_three_keys_finds_a_record(listing: Listing, store_engine: AsyncEngine) -> None:
    hashes = {
        "transaction_id": "0x" + "Ab" * 32,
        "origin_tx_hash": "0x" + "cD" * 32,
        "destination_tx_hash": "0x" + "eF" * 32,
    }
    await fill(store_engine, row(1), row(2, **{name: text.lower() for name, text in hashes.items()}), row(3))
    for text in hashes.values():
        for spelled in (text, text.lower(), "0x" + text[2:].upper(), text.upper()):
            found = await listing.find("acme", spelled)
            assert found is not None
            assert found.record.origin_block_number == 2


async def test_solana_signatures_match_exactly(listing: Listing, store_engine: AsyncEngine) -> None:
    await fill(store_engine, row(1, origin_tx_hash=SVM_SIGNATURE))
    assert await listing.find("acme", SVM_SIGNATURE) is not None
    assert await listing.find("acme", SVM_SIGNATURE.swapcase().replace("0", "1").replace("l", "L")) is None
    assert await listing.find("acme", SVM_SIGNATURE[:-1] + "X") is None


async def test_of_several_the_earliest_is_answered(listing: Listing, store_engine: AsyncEngine) -> None:
    shared = hash_of(77)
    await fill(
        store_engine,
        row(9, transaction_id=shared),
        row(4, transaction_id=shared, origin_log_index=8, origin_time=NOON + timedelta(seconds=4)),
        row(
            5, transaction_id=shared, origin_block_number=4, origin_log_index=7, origin_time=NOON + timedelta(seconds=4)
        ),
        row(1, transaction_id=shared, integrator="other"),
    )
    found = await listing.find("acme", shared)
    assert found is not None
    assert (found.record.origin_block_number, found.record.origin_log_index) == (4, 7)


@contextmanager
def statements(engine: AsyncEngine) -> Iterator[list[tuple[str, object]]]:
    seen: list[tuple[str, object]] = []

    def note(connection: object, cursor: object, statement: str, parameters: object, *rest: object) -> None:
        seen.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine.sync_engine, "before_cursor_execute", note)


async def test_a_foreign_record_and_an_unknown_one_are_asked_for_alike(
    listing: Listing, store_engine: AsyncEngine
) -> None:
    await fill(store_engine, row(1, integrator="other"), row(2, integrator=None), row(3, integrator="ACME"))
    answers, asked = [], []
    for number in (1, 2, 3, 4):
        with statements(store_engine) as seen:
            answers.append(await listing.find("acme", hash_of(number)))
        asked.append([statement for statement, _ in seen])
    assert answers == [None] * 4
    assert len(asked[0]) == 2, "how it is planned, and the question"
    assert asked == [asked[0]] * 4


@pytest.mark.parametrize(
    "key",
    [
        *["", "0x", "abc", "0x" + "ab" * 31, "0x" + "ab" * 33, "0x" + "zz" * 32, "x" * 200, "'; --", "0" * 88, "é"],
        # The API refuses these; here they are of unknown form like others.
        *["x" * 201, "0x" + "ab" * 32 + "\n", "a\0b", "\x7f", "\x85"],
        *["\u200babc", "\u202e", "\ufeff", "a b", "\u2028", "\ud800", "\U0010ffff"],
    ],
)
async def test_a_key_of_unknown_form_is_unknown(listing: Listing, key: str) -> None:
    assert await listing.find("acme", key) is None


async def test_a_store_that_is_away_is_named(tmp_path: object) -> None:
    engine = create_engine(f"postgresql://nobody@/rhumbline?host={tmp_path}")
    away = Listing(engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)
    with pytest.raises(StoreUnavailable):
        await away.page("acme", TransactionFilter(), 5)
    with pytest.raises(StoreUnavailable):
        await away.find("acme", hash_of(1))
    await engine.dispose()


def test_a_listing_needs_a_key(store_engine: AsyncEngine) -> None:
    with pytest.raises(ValueError, match="a key"):
        Listing(store_engine, ChainCatalog([CHAIN]), (), TOKENS.listed_at)


async def test_listings_that_hang_end_and_leave_connections_to_others(store_engine: AsyncEngine) -> None:
    listing = Listing(store_engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at, patience_s=0.5)
    async with store_engine.connect() as holder:
        await holder.execute(sql("LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE"))
        asked = asyncio.gather(
            *(listing.page("acme", TransactionFilter(), 5) for _ in range(20)), return_exceptions=True
        )
        async with store_engine.connect() as other:
            seen = [(await other.execute(WAITING)).scalar_one() for _ in range(20)]
            assert [type(outcome) for outcome in await asked] == [StoreUnavailable] * 20
            assert max(seen) <= 4
            left = (await other.execute(WAITING)).scalar_one()
            for _ in range(1000):
                left = (await other.execute(WAITING)).scalar_one() if left else 0
            assert left == 0
    assert (await listing.page("acme", TransactionFilter(), 5)).transactions == ()


async def test_who_registers_a_name_lists_from_then_on(listing: Listing, store_engine: AsyncEngine) -> None:
    """Anybody may have used the name before; what is recorded later is its integrator's, and nobody else's changes."""
    await fill(store_engine, row(1), row(2, integrator="other"))
    accounts = Accounts(store_engine, lambda: NOON)
    await accounts.create_integrator("acme", None, None)
    assert await walk(listing, "acme", TransactionFilter(), 10) == []
    assert await listing.find("acme", hash_of(1)) is None
    await fill(store_engine, row(3))
    await accounts.ensure_integrator("acme", None, None)
    assert len(await walk(listing, "acme", TransactionFilter(), 10)) == 1
    assert len(await walk(listing, "other", TransactionFilter(), 10)) == 1
