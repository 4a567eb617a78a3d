"""What an integrator has earned in tokens that change how they are called."""

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.token import Token
from rhumbline.tracking.collected_fees import Collected, CollectedFees, DayFees
from tests.tracking.conftest import STORED

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
DAY = timedelta(days=1)
USDT = "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"
USDC = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
TOKENS = TokenCatalog(
    [],
    [
        Token(10, USDT, "USDT", 6, "Tether USD"),
        Token(42161, USDC, "USDC", 6, "USD Coin"),
        Token(42161, USDT, "USD₮0", 6, "USD₮0"),
    ],
    {},
)


def row(number: int, symbol: str, raw: int, age: timedelta, token: str = USDT, chain: int = 42161) -> dict[str, object]:
    identifier = f"0x{number:064x}"
    return {
        "id": f"r{number}",
        "transaction_id": identifier,
        "source_chain_id": chain,
        "source_tx_hash": identifier,
        "source_log_index": 0,
        "source_block_number": number,
        "source_block_hash": "0x" + "00" * 32,
        "source_time": NOW - age,
        "dest_chain_id": chain,
        "sender": "0x" + "11" * 20,
        "integrator": "acme",
        "protocol": "GENERIC_SWAP",
        "route_type": "swap",
        "has_dest_call": False,
        "status": "success",
        "status_source": "analytics",
        "created_at": NOW,
        "updated_at": NOW,
        "integrator_fee": {"address": token, "raw": str(raw), "symbol": symbol, "decimals": 6},
    }


async def earned(engine: AsyncEngine, rows: list[dict[str, object]]) -> tuple[CollectedFees, ...]:
    async with engine.begin() as connection:
        await connection.execute(delete(STORED))
        await connection.execute(STORED.insert(), rows)
    return await Collected(engine, TOKENS.listed_at).of("acme", NOW - 5 * DAY)


async def test_a_token_is_called_what_the_lists_call_it(store_engine: AsyncEngine) -> None:
    """However it called itself in the meantime: it is one token, with each day once."""
    today, yesterday = NOW.date(), (NOW - DAY).date()
    found = await earned(
        store_engine,
        [
            row(9, "USDT", 100, DAY),
            row(2, "USD₮0", 11, timedelta(0)),
            row(3, "USDT", 5, 9 * DAY),
            row(4, "USDC", 7, timedelta(0), USDC),
            row(5, "USDT", 3, timedelta(0), chain=10),
        ],
    )
    assert found == (
        CollectedFees(10, USDT, "USDT", 6, 3, 1, (DayFees(today, 3),)),
        CollectedFees(42161, USDC, "USDC", 6, 7, 1, (DayFees(today, 7),)),
        CollectedFees(42161, USDT, "USD₮0", 6, 116, 3, (DayFees(yesterday, 100), DayFees(today, 11))),
    )


async def test_a_token_on_no_list_stands_apart_by_its_address(store_engine: AsyncEngine) -> None:
    """The last to come are those that strangers made, the most used first; no name that they chose is told."""
    fake, faked = "0x" + "Fa" * 20, "0x" + "fB" * 20
    found = await earned(
        store_engine,
        [
            row(1, "USDC", 2 * 10**14, DAY, fake),
            row(2, "USDC", 1, DAY, faked),
            row(3, "USD₮0", 1, DAY, faked),
            row(4, "USDC", 7, DAY, USDC),
        ],
    )
    assert [(fees.symbol, fees.raw, fees.listed) for fees in found] == [
        ("USDC", 7, True), (faked, 2, False), (fake, 2 * 10**14, False),
    ]  # fmt: skip


PAID = st.tuples(
    st.sampled_from(["AAA", "BBB", "CCC"]), st.integers(1, 2**255), st.integers(0, 4), st.sampled_from([USDT, USDC])
)


@given(st.lists(PAID, min_size=1, max_size=12))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_days_of_a_token_are_its_total(
    store_engine: AsyncEngine, paid: list[tuple[str, int, int, str]]
) -> None:
    """When all of it is of late: no fee is counted twice, however its token was called."""
    rows = [row(number, symbol, raw, days * DAY, token) for number, (symbol, raw, days, token) in enumerate(paid)]
    found = await earned(store_engine, rows)
    assert sorted(fees.token for fees in found) == sorted({token for *_, token in paid})
    assert sum(fees.raw for fees in found) == sum(raw for _, raw, _, _ in paid)
    assert sum(fees.count for fees in found) == len(paid)
    for fees in found:
        assert sum(day.raw for day in fees.days) == fees.raw
