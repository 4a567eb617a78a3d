"""Which transaction of a block is what was handed out."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import records
from tests.tracking.crossings import DEPOSIT, OUTPUT, Crossing
from tests.tracking.evm.test_wallet_calls import direct, look
from tests.tracking.market import Market


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
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.send(market.accounts[sender], to, data, value)
    await look(market, store_engine)
    assert await records(store_engine) == []


async def test_a_call_that_reverts_started_nothing(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market, amount=0)
    data = b"\x01\x02\x03\x04"
    await IssuedTransactions(store_engine).keep(crossing.build(wallet_call=True, to=market.diamond, data=data))
    sent = {"from": crossing.sender, "to": market.diamond, "data": "0x" + data.hex(), "gas": hex(100_000)}
    tx_hash = str(await market.rpc.call("eth_sendTransaction", [sent]))
    assert (await market.receipt(tx_hash))["status"] == "0x0"
    await look(market, store_engine)
    assert await records(store_engine) == []


async def test_of_the_same_call_twice_each_has_its_own_quote(market: Market, store_engine: AsyncEngine) -> None:
    quotes = [Crossing(market, nonce=nonce) for nonce in range(3)]
    now = datetime.now(UTC)
    for age, quote in zip((300, 200, -600), quotes, strict=True):
        await IssuedTransactions(store_engine).keep(direct(quote, created_at=now - timedelta(seconds=age)))
    for _ in range(4):
        await market.send(quotes[0].sender, DEPOSIT, b"\xab\xcd", quotes[0].amount)
    await look(market, store_engine)
    found = [record["transaction_id"] for record in await records(store_engine)]
    one, two, later = ("0x" + quote.identifier.hex() for quote in quotes)
    # The one that seems to be of later than the block is the last choice; the fourth call repeats one.
    assert found[:3] == [two, one, later]
    assert found[3] in (one, two)


async def test_a_contract_is_found_however_the_settings_spell_it(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    called = market.accounts[2]
    assert called.lower() != called
    await IssuedTransactions(store_engine).keep(crossing.build(wallet_call=True, to=called.lower(), data=b"\xab\xcd"))
    tx_hash = await market.send(crossing.sender, called, b"\xab\xcd", crossing.amount)
    await look(market, store_engine)
    assert [record["source_tx_hash"] for record in await records(store_engine)] == [tx_hash]
