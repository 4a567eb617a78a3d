"""What anybody may know of a record."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.tracking import (
    RecordAmount,
    TokenAmount,
    UncheckedFee,
)
from rhumbline.tracking.listing import Listing
from tests.tracking.test_listing import CHAIN, KEY, NOON, TOKENS, fill, hash_of, row


async def test_anybody_finds_what_was_seen_by_its_full_id(store_engine: AsyncEngine) -> None:
    listing = Listing(store_engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)
    identifier, arrived = "0x" + "ab" * 32, RecordAmount(NATIVE_EVM, 7)
    paid, fee = RecordAmount(NATIVE_EVM, 9), UncheckedFee(NATIVE_EVM, (("0x" + "11" * 20, 2), ("0x" + "22" * 20, 3)))
    first = row(
        1, transaction_id=identifier, integrator=None, input=paid, output=arrived, service_fee=fee,
        destination_chain_id=1, origin_time=NOON,
    )  # fmt: skip
    await fill(store_engine, first, row(2, transaction_id=identifier, origin_time=NOON + timedelta(seconds=1)))
    found = await listing.seen(identifier.upper())
    assert found is not None
    assert (found.id, found.output_raw, found.output) == (
        first.id, 7, TokenAmount(1, NATIVE_EVM, "ETH", 18, 7)
    )  # fmt: skip
    # Nobody completes what belongs to no integrator: the lists say what its amounts are.
    assert (found.input, found.service_fee) == (
        TokenAmount(1, NATIVE_EVM, "ETH", 18, 9),
        TokenAmount(1, NATIVE_EVM, "ETH", 18, 5),
    )
    assert (found.integrator_fee, found.origin_gas_fee, found.origin_chain_id) == (None, None, 1)
    for key in (identifier[:-1], identifier[2:], hash_of(1), hash_of(2), "0x" + "cd" * 32, "a\x00b"):
        assert await listing.seen(key) is None
