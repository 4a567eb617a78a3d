"""What amounts of records were worth: told once, from a price of that time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import RecordAmount, RouteType, TransferState
from rhumbline.tracking.columns import serialise
from rhumbline.tracking.transfers import route_type
from rhumbline.tracking.values import valued
from tests.tracking.conftest import enricher
from tests.tracking.crossings import OUTPUT
from tests.tracking.market import Market
from tests.tracking.test_enrichment import found, seen
from tests.tracking.test_status_worker import PROOF, Hands, Scripted, one, poller, says, started

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
AMOUNT = RecordAmount(NATIVE_EVM, 1_500_000, "USDC", 6)


def price(usd: str | None, at: datetime | None = NOON, *, refreshing: bool = False) -> PriceSnapshot:
    value = None if usd is None else Decimal(usd)
    return PriceSnapshot(1, NATIVE_EVM, value, "defillama", at, stale=False, tier=PriceTier.HOT, refreshing=refreshing)


class Prices:
    """Knows the price of everything, or nothing yet."""

    def __init__(self, usd: str | None, at: datetime | None, *, refreshing: bool = False) -> None:
        self.snapshot = price(usd, at, refreshing=refreshing)

    def __call__(self, chain_id: int, token: str) -> PriceSnapshot:
        return self.snapshot


@pytest.mark.parametrize(
    "snapshot",
    [
        None,
        price(None),
        price("0"),
        price("1", None),
        price("1", NOON + timedelta(minutes=61)),
        price("1", NOON - timedelta(minutes=61)),
    ],
)
def test_no_price_of_that_time_is_no_value(snapshot: PriceSnapshot | None) -> None:
    assert valued(AMOUNT, snapshot, NOON) == AMOUNT


def test_what_was_told_stays() -> None:
    told = valued(AMOUNT, price("1.0001", NOON - timedelta(minutes=59)), NOON)
    assert told == replace(AMOUNT, usd=Decimal("1.500150"))
    assert serialise(told.usd) == "1.500150"
    assert valued(told, price("2"), NOON) == told
    incomplete = RecordAmount(NATIVE_EVM, 1_500_000)
    assert valued(incomplete, price("2"), NOON) == incomplete


@given(st.integers(0, 2**256 - 1), st.integers(0, 36), st.decimals("1e-12", "1e9", places=12))
def test_a_value_is_rounded_down_to_six_places(raw: int, decimals: int, usd: Decimal) -> None:
    told = valued(RecordAmount("a", raw, decimals=decimals), price(str(usd)), NOON)
    exact = Fraction(raw, 10**decimals) * Fraction(usd)
    if usd <= 0:
        assert told.usd is None
        return
    assert told.usd is not None
    value = Fraction(Decimal(str(serialise(told.usd))))
    assert value <= exact < value + Fraction(1, 10**6)


async def test_a_record_tells_what_its_amounts_were_worth(market: Market, store_engine: AsyncEngine) -> None:
    tx_hash = await seen(market, store_engine)
    born = (await found(market, store_engine, tx_hash)).record.origin_time
    await enricher(market, store_engine, prices=Prices("2000", born)).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.input is not None
    assert record.output is not None
    assert record.origin_gas_fee is not None
    # 10,000 wei of 2,000 USD are less than a millionth.
    assert (record.input.usd, record.output.usd) == (Decimal(0), Decimal(0))
    assert record.origin_gas_fee.usd == Decimal(record.origin_gas_fee.raw * 2000 // 10**12) / 10**6 > 0


async def test_a_young_record_waits_for_a_price_that_is_on_its_way(market: Market, store_engine: AsyncEngine) -> None:
    tx_hash = await seen(market, store_engine)
    record = await found(market, store_engine, tx_hash)
    moment = record.record.origin_time
    coming = Prices(None, None, refreshing=True)
    await enricher(market, store_engine, clock=lambda: moment, prices=coming).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.input is not None
    assert (record.input.usd, record.origin_gas_fee) == (None, None)
    moment += timedelta(seconds=59)
    await enricher(market, store_engine, clock=lambda: moment, prices=Prices("2000", moment)).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.input is not None
    assert record.origin_gas_fee is not None
    assert record.input.usd == Decimal(0)


async def test_it_waits_a_minute(market: Market, store_engine: AsyncEngine) -> None:
    tx_hash = await seen(market, store_engine)
    moment = (await found(market, store_engine, tx_hash)).record.origin_time + timedelta(seconds=61)
    coming = Prices(None, None, refreshing=True)
    await enricher(market, store_engine, clock=lambda: moment, prices=coming).enrich()
    assert (await found(market, store_engine, tx_hash)).origin_gas_fee is not None


async def test_what_arrived_has_a_value(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock = Hands()
    bridge = Scripted(says(TransferState.SUCCESS, PROOF, output_amount=497_000_000))
    await poller(market, store_engine, bridge, clock, prices=Prices("1.5", clock())).poll("TOYBRIDGE")
    output = (await one(store_engine))["output"]
    assert output == {"address": OUTPUT, "raw": "497000000", "symbol": "OUT", "decimals": 6, "usd": "745.500000"}


async def test_of_a_success_without_any_amount_the_minimum_is_told(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, PROOF))
    chain_indexer = poller(market, store_engine, bridge, clock)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["output"] is None, "a proof's log may still tell"
    clock.move(minutes=61)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["output"] == {"address": OUTPUT, "raw": "490", "symbol": "OUT", "decimals": 6}


@pytest.mark.parametrize("state", [TransferState.REFUNDED, TransferState.RECOVERED, TransferState.BRIDGE_FAILED])
async def test_what_did_not_arrive_has_no_minimum(
    market: Market, store_engine: AsyncEngine, state: TransferState
) -> None:
    await started(market, store_engine)
    await poller(market, store_engine, Scripted(says(state)), Hands()).poll("TOYBRIDGE")
    assert (await one(store_engine))["output"] is None


def token(symbol: str, coin_key: str | None = None) -> Token:
    return Token(1, OUTPUT, symbol, 6, symbol, coin_key)


@pytest.mark.parametrize(
    ("sold", "bought", "kind"),
    [
        (token("USDC", "USDC"), token("USDC.e", "USDC"), RouteType.BRIDGE),
        (token("USDC"), token("usdc"), RouteType.BRIDGE),
        (token("ETH", "ETH"), token("USDC", "USDC"), RouteType.BRIDGE_SWAP),
        (token("USDT", "USDT"), token("USDC"), RouteType.BRIDGE_SWAP),
        (None, token("USDC"), RouteType.BRIDGE),
    ],
)
def test_an_asset_that_changes_on_the_way(sold: Token | None, bought: Token | None, kind: RouteType) -> None:
    assert route_type(sold, bought) is kind
