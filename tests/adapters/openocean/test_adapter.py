"""What OpenOcean is asked beside the pair: the price of gas, a slippage that it takes; by whom."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.devnet.upstreams.openocean.emulator import API_KEY
from rhumbline.domain.errors import CredentialsRejected, SlippageTooTight, UpstreamFailed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.gateways.upstreams.upstream import Upstream
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.exchange import ONE
from tests.adapters.exchanges.stub_upstream import ETHEREUM, REQUEST, StubUpstream


async def test_the_price_of_gas_and_the_page_go_along(stub_upstream: StubUpstream) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert asked.query["gasPriceDecimals"] == str(quantity(await stub_upstream.node.call("eth_gasPrice")))
    assert (asked.headers["referer"], asked.headers["origin"]) == ("https://swap.example/", "https://swap.example")


def test_a_chain_without_a_node_is_not_served(stub_upstream: StubUpstream) -> None:
    base = replace(ETHEREUM, id=8453)
    assert not stub_upstream.adapter.supports(replace(REQUEST, origin=base, destination=base))


@pytest.mark.parametrize(("said", "bps"), [("-0.19%", 19), ("0.01%", 0), ("0.02", None), (3, None), ("--1%", None)])
async def test_a_price_impact_is_a_percentage_with_its_sign(
    stub_upstream: StubUpstream, said: object, bps: int | None
) -> None:
    stub_upstream.says("data.price_impact", said)
    assert (await stub_upstream.adapter.quote(REQUEST)).price_impact_bps == bps


async def test_less_slippage_than_it_takes_is_not_asked_for(stub_upstream: StubUpstream) -> None:
    for slippage in (Fraction(0), Fraction(4999, 10_000_000)):
        with pytest.raises(SlippageTooTight, match=r"0\.05 %"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    assert not stub_upstream.upstream.asked


async def test_who_an_operator_is_to_openocean() -> None:
    assert dict(SPEC.headers({})) == {}
    assert dict(SPEC.headers({"api_key": "k"})) == {"apikey": "k"}
    page = {"Referer": "https://swap.example/", "Origin": "https://swap.example"}
    assert dict(SPEC.headers({"referer": "https://swap.example/"})) == page
    deep = {"Referer": "https://swap.example:8443/app?x=1", "Origin": "https://swap.example:8443"}
    assert dict(SPEC.headers({"referer": deep["Referer"]})) == deep
    assert (SPEC.needs, SPEC.needs_one, SPEC.page) == ((), ("api_key", "referer"), "referer")


async def test_without_a_node_there_is_no_gas_price_and_no_question(stub_upstream: StubUpstream) -> None:
    dead = EvmRpc("http://127.0.0.1:9/secret", stub_upstream.node.http, "dead", 1.0)
    adapter = OpenOceanAdapter(replace(stub_upstream.adapter.context, rpcs={1: dead}))
    with pytest.raises(UpstreamFailed, match="gas price") as failed:
        await adapter.quote(REQUEST)
    assert "secret" not in failed.value.reason
    assert not stub_upstream.upstream.asked


@pytest.mark.parametrize(
    ("credentials", "admitted"),
    [
        ({}, False),
        ({"api_key": "another"}, False),
        ({"referer": "swap.example"}, False),
        ({"referer": "https://swap.example/"}, True),
        ({"api_key": API_KEY}, True),
    ],
)
async def test_who_is_admitted(adapter_fixture: AdapterFixture, credentials: dict[str, str], admitted: bool) -> None:
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, OpenOceanAdapter)
    known = adapter.context.http
    http = Upstream(known.name, known.url, known.pool, SPEC.headers(credentials))
    other = OpenOceanAdapter(replace(adapter.context, http=http))
    if admitted:
        assert (await other.quote(adapter_fixture.request("WETH", "USDC", ONE))).output_amount
        return
    with pytest.raises(CredentialsRejected):
        await other.quote(adapter_fixture.request("WETH", "USDC", ONE))
