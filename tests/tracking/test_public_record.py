"""What anybody may know of a record."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.tracking import (
    KeptAmount,
    TokenAmount,
)
from rhumbline.tracking.listing import Listing
from tests.tracking.test_listing import CHAIN, KEY, NOON, TOKENS, fill, hash_of, row


async def test_anybody_finds_what_was_seen_by_its_full_id(store_engine: AsyncEngine) -> None:
    listing = Listing(store_engine, ChainCatalog([CHAIN]), (KEY,), TOKENS.listed_at)
    identifier, arrived = "0x" + "ab" * 32, KeptAmount(NATIVE_EVM, 7)
    first = row(1, transaction_id=identifier, integrator=None, output=arrived, destination_chain_id=1, origin_time=NOON)
    await fill(store_engine, first, row(2, transaction_id=identifier, origin_time=NOON + timedelta(seconds=1)))
    found = await listing.seen(identifier.upper())
    assert found is not None
    assert (found.id, found.output_raw, found.output) == (
        first.id, 7, TokenAmount(1, NATIVE_EVM, "ETH", 18, 7)
    )  # fmt: skip
    for key in (identifier[:-1], identifier[2:], hash_of(1), hash_of(2), "0x" + "cd" * 32, "a\x00b"):
        assert await listing.seen(key) is None
