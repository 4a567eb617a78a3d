"""What a quote promises is delivered on the sandbox, by the wallet itself and through the service's contracts."""

from dataclasses import replace

import pytest

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.devnet.upstreams.openocean.emulator import API_KEY
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute
from rhumbline.gateways.http.upstream import Upstream
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.adapters.exchanges.adapter_fixture import AdapterFixture

ONE = 10**18
PAIRS = [
    ("WETH", "USDC", ONE),
    ("ETH", "USDC", ONE),
    ("USDC", "ETH", 2_000 * 10**6),
    ("USDT", "WETH", 5_000 * 10**6),
    ("ETH", "WBTC", 2 * ONE),
]


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
@pytest.mark.parametrize("direct", [True, False], ids=["wallet", "contract"])
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int, direct: bool
) -> None:
    quote, upstream = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request(origin, destination, amount, direct=direct))
    )
    assert quote.min_output_amount is not None
    assert quote.min_output_amount >= quote.output_amount * 9950 // 10_000
    gained = await adapter_fixture.execute(quote, upstream if direct else adapter_fixture.routed(quote, upstream))
    assert gained == quote.output_amount


async def test_the_minimum_holds_on_chain(adapter_fixture: AdapterFixture) -> None:
    quote, upstream = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    )
    big, first = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", 40 * ONE))
    )
    await adapter_fixture.execute(big, first)
    with pytest.raises(RpcError, match="Return amount is not enough"):
        await adapter_fixture.execute(quote, upstream)


@pytest.mark.parametrize("lie", sorted(set(Lie) - {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}))
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    assert lie in adapter_fixture.emulator.lies
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE, direct=False))


async def test_tokens_it_does_not_trade(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    unknown = replace(request.destination_token, address="0x00000000000000000000000000000000000000aA")
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(replace(request, destination_token=unknown))


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
