"""What sources call chains."""

from dataclasses import replace
from decimal import Decimal

from rhumbline.pricing.sources.chain_names import COINGECKO, DEFILLAMA, DEXSCREENER
from tests.pricing.conftest import Sources
from tests.pricing.exchange import SOLANA, WSOL, Exchange


def test_what_the_sources_cover(sources: Sources) -> None:
    assert [source.covers(1) for source in sources.all()] == [True, True, False, True]
    assert [source.covers(SOLANA) for source in sources.all()] == [True, True, True, True]
    assert not any(source.covers(31337) for source in sources.all())
    assert DEXSCREENER.keys() == DEFILLAMA.keys() == COINGECKO.keys()


async def test_a_chain_of_the_operators_is_priced_by_the_name_that_it_is_given(
    exchange: Exchange, sources: Sources
) -> None:
    own = replace(sources.defillama, chain_names={900_003: "solana"})
    assert own.covers(900_003)
    assert not own.covers(SOLANA)
    found = await own.prices([(900_003, WSOL)])
    assert found[900_003, WSOL].usd == Decimal("150.25")
