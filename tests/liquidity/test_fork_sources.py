"""What is written down of other protocols' factories can be meant as it stands."""

from itertools import chain

import pytest

from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.deployments import DEPLOYMENTS
from rhumbline.liquidity.fork_sources import FORKS
from rhumbline.liquidity.kinds.kind import PlainKind
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, PoolSource, pair_of
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.kinds.v2 import V2Kind, kept

CREATES_PANCAKES_POOLS = "0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9"
PAIR = "0x" + "11" * 20, "0x" + "22" * 20
OF_ONE_PAIR = {PoolKind.VAULT, PoolKind.STAKE}
"""Kinds whose source is a pool itself."""
EVERY = [(chain_id, source) for chain_id, place in DEPLOYMENTS.items() for source in place.sources]


def test_every_fork_is_of_a_chain_that_is_served() -> None:
    assert FORKS.keys() <= DEPLOYMENTS.keys()
    assert {source for each in FORKS.values() for source in each} <= {source for _, source in EVERY}


@pytest.mark.parametrize("chain_id", DEPLOYMENTS)
def test_no_two_sources_of_a_chain_share_a_key_or_a_factory(chain_id: int) -> None:
    """The store keeps a pool's factory by its source's key."""
    sources = DEPLOYMENTS[chain_id].sources
    assert len({source.key for source in sources}) == len(sources)
    assert len({(source.kind, source.factory) for source in sources}) == len(sources)


@pytest.mark.parametrize("source", [pytest.param(each, id=f"{chain_id}-{each.key}") for chain_id, each in EVERY])
def test_a_source_has_what_its_kind_asks(source: PoolSource) -> None:
    assert source.factory == checksummed(source.factory) != CREATES_PANCAKES_POOLS
    if source.kind in (PoolKind.VAULT, PoolKind.STAKE):
        # One pair alone, of which the source's own token is one.
        assert not KINDS[source.kind].lookups(source, PAIR)
        assert KINDS[source.kind].lookups(source, pair_of(source.factory, PAIR[0]))
        return
    lookups = KINDS[source.kind].lookups(source, PAIR)
    assert lookups or source.kind in OF_ONE_PAIR
    if source.kind is PoolKind.SLIPSTREAM:
        assert len(lookups) == len({spacing for _, spacing in source.tiers})
    elif isinstance(KINDS[source.kind], PlainKind):
        assert not source.tiers
    else:
        assert len({fee for fee, _ in source.tiers}) == len(source.tiers)
        assert all(0 < fee < 1_000_000 for fee, _ in source.tiers)


def test_a_pairs_fee_is_the_forks() -> None:
    fees = {(each.key, each.fee) for each in chain(*FORKS.values()) if each.kind is PoolKind.V2}
    assert fees == {("PANCAKESWAP_V2", 2500), ("SUSHISWAP_V2", 3000)}
    for key, parts in (("PANCAKESWAP_V2", 9975), ("SUSHISWAP_V2", 9970)):
        source = next(each for each in FORKS[1] if each.key == key)
        (lookup,) = V2Kind().lookups(source, PAIR)
        pool = lookup.pool(bytes(12) + b"\x33" * 20)
        assert isinstance(pool, Pool)
        assert kept(pool) == parts
