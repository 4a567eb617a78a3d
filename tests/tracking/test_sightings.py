"""Which sightings become records, and for whom."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from tests.tracking.conftest import WALLETS, catch_up, indexer, new_id, records
from tests.tracking.market import Market


async def test_only_what_the_service_gave_out_counts(market: Market, store_engine: AsyncEngine) -> None:
    """An invented ID, a stolen one, one for another integrator, chain or order are nobody's."""
    sender, thief = market.accounts[:2]
    await market.swap(b"\x07" * 32)
    await market.swap(new_id(sender), sender=thief)
    await market.swap(new_id(sender), integrator="other")
    await market.swap(new_id(sender), integrator="ACME")
    await market.swap(new_id(sender, integrator=""), integrator="acme")
    await market.swap(new_id(sender, chain_id=900_002))
    await market.swap(new_id(sender), integrator=b"\xff\xfe")
    identifier = market.identifier(new_id(sender), 10**15)
    await market.swap(identifier, amount=10**14)
    await market.swap(identifier, receiver=thief)
    await market.swap(identifier, adapter="KYBERSWAP")
    await catch_up(indexer(market, store_engine))
    assert await records(store_engine) == []


async def test_a_swap_without_integrator_is_kept_for_nobody(market: Market, store_engine: AsyncEngine) -> None:
    given = new_id(market.accounts[0], integrator="")
    identifier = market.identifier(given, 10**15)
    await market.swap(given, integrator="")
    await catch_up(indexer(market, store_engine))
    assert [(r["transaction_id"], r["integrator"]) for r in await records(store_engine)] == [
        ("0x" + identifier.hex(), None)
    ]


async def test_several_swaps_in_one_transaction(market: Market, store_engine: AsyncEngine) -> None:
    """The same ID twice and another one, fees apart, sent by a contract."""
    sender, receiver = market.multicall, market.accounts[3]
    same, other = new_id(sender), new_id(sender, nonce=1)
    wallet = WALLETS["acme"]
    tx_hash = await market.swap_several(
        [
            market.swap_data(same, 1000, receiver, fees=[(wallet, "integrator", 5)]),
            market.swap_data(same, 1000, receiver),
            market.swap_data(other, 1000, receiver, fees=[(wallet, "integrator", 6), (wallet, "integrator", 7)]),
        ],
        1000,
    )
    await catch_up(indexer(market, store_engine))
    found = await records(store_engine)
    identifiers = [market.identifier(given, 1000, receiver).hex() for given in (same, same, other)]
    assert [r["transaction_id"] for r in found] == ["0x" + identifier for identifier in identifiers]
    assert {r["source_tx_hash"] for r in found} == {tx_hash}
    paid = [[[wallet, "5"]], None, [[wallet, "6"], [wallet, "7"]]]
    columns = [None if fees is None else {"address": NATIVE_EVM, "paid": fees} for fees in paid]
    assert [r["integrator_fee"] for r in found] == columns
    assert len({r["id"] for r in found}) == 3
