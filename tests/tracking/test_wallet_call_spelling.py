"""A wallet's own call is recognised in a block however an operator's settings spell what it calls."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import records
from tests.tracking.crossings import Crossing
from tests.tracking.evm.test_wallet_calls import look
from tests.tracking.market import Market


async def test_a_contract_is_found_however_the_settings_spell_it(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    called = market.accounts[2]
    assert called.lower() != called
    await IssuedTransactions(store_engine).keep(crossing.build(wallet_call=True, to=called.lower(), data=b"\xab\xcd"))
    tx_hash = await market.send(crossing.sender, called, b"\xab\xcd", crossing.amount)
    await look(market, store_engine)
    assert [record["source_tx_hash"] for record in await records(store_engine)] == [tx_hash]
