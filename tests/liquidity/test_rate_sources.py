"""What is written down of Curve's factories, vaults and wrapped stakes can be meant as it stands."""

from itertools import chain

from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.deployments import DEPLOYMENTS
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.rate_sources import RATE_SOURCES


def test_every_source_is_of_a_chain_that_is_served() -> None:
    assert RATE_SOURCES.keys() <= DEPLOYMENTS.keys()
    for chain_id, sources in RATE_SOURCES.items():
        assert set(sources) <= set(DEPLOYMENTS[chain_id].sources)


def test_curves_pools_are_run_by_what_was_looked_at() -> None:
    """A pool and a metapool; the factory's owner may add others, whose mathematics nobody here has seen."""
    for source in chain(*RATE_SOURCES.values()):
        if source.kind is PoolKind.CURVE:
            assert len(source.implementations) == 2
            assert all(each == checksummed(each) for each in source.implementations)
            assert source.factory not in source.implementations
        else:
            assert not source.implementations
