"""What the adapter does not do, and what it says then."""

from dataclasses import replace

import pytest

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.adapters.onchain.router_calls import TO_CALLER, TO_ROUTER
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.evm.address import checksum_holds, checksummed
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.liquidity.deployments import DEPLOYMENTS, anchors_of, uniswap
from rhumbline.liquidity.kinds.pools import PoolKind
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture, adapter_of, only

ONE = 10**18


async def test_what_is_supported(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    elsewhere = replace(adapter_fixture.chain, id=1)
    supports = adapter_fixture.adapter.supports
    assert supports(request)
    assert not supports(replace(request, destination=elsewhere))
    assert not supports(replace(request, origin=elsewhere, destination=elsewhere))
    assert not supports(replace(request, destination_token=request.origin_token))
    solana = replace(adapter_fixture.chain, type=ChainType.SVM)
    assert not supports(replace(request, origin=solana, destination=solana))
    assert supports(adapter_fixture.request("ETH", "WETH", ONE))
    assert not supports(adapter_fixture.request("ETH", "WETH", ONE, STRANGER)), "wrapping pays whoever calls"
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(replace(request, destination=elsewhere))


def test_it_says_who_it_is(adapter_fixture: AdapterFixture) -> None:
    info = adapter_fixture.adapter.info
    assert (info.key, info.capability, info.chains) == ("ONCHAIN", Capability.EXCHANGE, (adapter_fixture.chain.id,))
    rpc, here = adapter_fixture.rpc, adapter_fixture.chain.id
    both = adapter_of({here: (rpc, adapter_fixture.deployment), 1: (rpc, DEPLOYMENTS[1])})
    assert both.info.chains == (1, adapter_fixture.chain.id)


async def test_a_token_without_pools_has_no_route(adapter_fixture: AdapterFixture) -> None:
    unknown = replace(adapter_fixture.tokens["DAI"], address=STRANGER, symbol="NONE")
    with pytest.raises(NoRoute, match="no path of pools joins WETH and NONE"):
        await adapter_fixture.adapter.quote(
            replace(adapter_fixture.request("WETH", "USDC", ONE), destination_token=unknown)
        )


async def test_more_than_the_liquidity_takes_has_no_route(adapter_fixture: AdapterFixture) -> None:
    v3 = adapter_fixture.choosing_from(only(adapter_fixture.deployment, PoolKind.V3))
    with pytest.raises(NoRoute, match="takes this amount"):
        await v3.quote("WETH", "USDC", 10**40)
    with pytest.raises(NoRoute, match="takes this amount"):
        await adapter_fixture.quote("WETH", "USDC", 2**256 - 1)


@pytest.mark.parametrize(("origin", "destination"), [("WETH", "USDC"), ("DAI", "WBTC"), ("ETH", "USDT")])
async def test_below_one_unit_the_true_minimum_is_told(
    adapter_fixture: AdapterFixture, origin: str, destination: str
) -> None:
    with pytest.raises(BelowMinimum) as refused:
        await adapter_fixture.quote(origin, destination, 1)
    minimum = refused.value.minimum
    assert minimum is not None
    assert (await adapter_fixture.quote(origin, destination, minimum)).output_amount >= 1
    with pytest.raises(BelowMinimum):
        await adapter_fixture.quote(origin, destination, minimum - 1)


@pytest.mark.parametrize("amount", [0, -1])
async def test_an_amount_that_is_not_positive_is_refused(adapter_fixture: AdapterFixture, amount: int) -> None:
    with pytest.raises(RequestRejected, match="amount"):
        await adapter_fixture.quote("WETH", "USDC", amount)


async def test_a_dead_node_is_a_passing_failure_that_names_no_url(
    adapter_fixture: AdapterFixture, http: HttpClient
) -> None:
    dead = adapter_fixture.on(EvmRpc("http://127.0.0.1:9/secret", http, "dead", 1.0))
    with pytest.raises(UpstreamFailed, match="dead: the node does not answer") as failed:
        await dead.quote("WETH", "USDC", ONE)
    assert "secret" not in failed.value.reason
    assert (await dead.quote("ETH", "WETH", ONE)).output_amount == ONE, "wrapping needs no node"


async def test_one_chains_dead_node_stops_no_other_chain(adapter_fixture: AdapterFixture, http: HttpClient) -> None:
    """One guard for all nodes paused the adapter on the healthy chain in 48 of 49 quotes."""
    here, there = adapter_fixture.chain, replace(adapter_fixture.chain, id=77)
    nodes = {here.id: adapter_fixture.rpc, there.id: EvmRpc("http://127.0.0.1:9", http, "dead", 1.0)}
    adapter = adapter_of({chain: (rpc, adapter_fixture.deployment) for chain, rpc in nodes.items()})
    asked = adapter_fixture.request("WETH", "USDC", ONE)
    for _ in range(10):
        with pytest.raises(UpstreamFailed):
            await UpstreamCall(Purpose.QUOTE).run(
                lambda: adapter.quote(replace(asked, origin=there, destination=there))
            )
        assert (await UpstreamCall(Purpose.QUOTE).run(lambda: adapter.quote(asked))).output_amount > 0


async def test_a_router_that_is_none_is_a_failure_and_no_quote(adapter_fixture: AdapterFixture) -> None:
    wrong = adapter_fixture.choosing_from(
        replace(
            adapter_fixture.deployment,
            router=adapter_fixture.contracts["quoter_v2"],
            wrapped_native=adapter_fixture.tokens["DAI"],
        )
    )
    with pytest.raises(UpstreamFailed, match="no SwapRouter02"):
        await wrong.quote("USDC", "USDT", 10**6)
    nowhere = adapter_fixture.choosing_from(replace(adapter_fixture.deployment, multicall=STRANGER))
    with pytest.raises(UpstreamFailed, match="Multicall3"):
        await nowhere.quote("USDC", "USDT", 10**6)


async def test_factories_that_the_router_does_not_use_are_not_used(adapter_fixture: AdapterFixture) -> None:
    other = adapter_fixture.choosing_from(
        replace(
            adapter_fixture.deployment,
            sources=uniswap(adapter_fixture.contracts["uniswap_v3_factory"], adapter_fixture.contracts["quoter_v2"]),
        )
    )
    with pytest.raises(NoRoute, match="joins"):
        await other.quote("WETH", "USDC", ONE)


async def test_without_a_minimum_nothing_is_built(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.quote("WETH", "USDC", ONE)
    for minimum in (None, 0, -1, quote.output_amount + 1):
        with pytest.raises(RequestRejected, match="min_output_amount"):
            await adapter_fixture.adapter.build(replace(quote, min_output_amount=minimum))


async def test_recipients_that_mean_something_else_are_refused(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.quote("WETH", "USDC", ONE)
    router = adapter_fixture.deployment.router
    assert router is not None
    for recipient in ("0x" + "00" * 20, TO_CALLER, TO_ROUTER, router):
        with pytest.raises(RequestRejected, match="recipient"):
            await adapter_fixture.build(replace(quote, request=replace(quote.request, payout_address=recipient)))
    wrap = await adapter_fixture.quote("ETH", "WETH", ONE)
    with pytest.raises(NoRoute):
        await adapter_fixture.build(replace(wrap, request=replace(wrap.request, payout_address=STRANGER)))


async def test_the_fees_are_those_of_every_hop(adapter_fixture: AdapterFixture) -> None:
    v2 = adapter_fixture.choosing_from(only(adapter_fixture.deployment, PoolKind.V2))
    quote = await v2.quote("USDC", "WBTC", 10**9)
    assert isinstance(quote.payload, SwapPlan)
    assert [(fee.token.symbol, fee.amount) for fee in quote.fees] == [
        (hop_token, -(-hop.amount_in * 3 // 1000))
        for hop_token, hop in zip(("USDC", "WETH"), quote.payload.hops, strict=True)
    ]
    native = await adapter_fixture.quote("ETH", "USDC", ONE)
    assert native.fees[0].token.symbol == "ETH"


async def test_the_price_impact_grows_with_the_amount_and_leaves_fees_out(adapter_fixture: AdapterFixture) -> None:
    v2 = adapter_fixture.choosing_from(replace(only(adapter_fixture.deployment, PoolKind.V2), anchors=()))
    small, large = [await v2.quote("WETH", "USDC", amount) for amount in (10**15, 100 * ONE)]
    assert small.price_impact_bps == 1
    # A hundred of about five hundred: a sixth is lost.
    assert large.price_impact_bps is not None
    assert 1600 < large.price_impact_bps < 1700


@pytest.mark.parametrize("chain_id", sorted(DEPLOYMENTS))
def test_the_built_in_data_is_well_formed(chain_id: int) -> None:
    place = DEPLOYMENTS[chain_id]
    anchors = anchors_of(place)
    assert {token.chain_id for token in anchors.values()} == {chain_id}
    assert len(anchors) <= 6
    assert place.router is not None
    contracts = [place.router, place.multicall, *(source.factory for source in place.sources)]
    assert all(checksum_holds(address) and address == checksummed(address) for address in (*contracts, *anchors))
    assert len({*contracts, *anchors}) == len(contracts) + len(anchors)
