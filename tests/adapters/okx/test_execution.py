"""What a quote promises is delivered on the sandbox, by the wallet itself and through the service's contracts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute
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
    assert (upstream.spender is None) == (origin == "ETH")
    assert upstream.spender != upstream.to
    gained = await adapter_fixture.execute(quote, upstream if direct else adapter_fixture.routed(quote, upstream))
    assert gained == quote.output_amount


async def test_what_comes_out_above_the_quote_is_shared_and_nothing_else(adapter_fixture: AdapterFixture) -> None:
    quote, upstream = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    )
    more, back = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("USDC", "WETH", 100_000 * 10**6))
    )
    await adapter_fixture.execute(more, back)
    better = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    assert better.output_amount > quote.output_amount
    assert await adapter_fixture.execute(quote, upstream) == quote.output_amount


async def test_the_minimum_holds_on_chain(adapter_fixture: AdapterFixture) -> None:
    quote, upstream = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    )
    big, first = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", 40 * ONE))
    )
    await adapter_fixture.execute(big, first)
    with pytest.raises(RpcError, match="Min return not reached"):
        await adapter_fixture.execute(quote, upstream)


async def test_the_deadline_is_the_upstreams_own_where_it_is_earlier(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    _, upstream = await adapter_fixture.built(await adapter_fixture.adapter.quote(request))
    assert upstream.expires_at is not None
    assert upstream.expires_at < request.deadline
    _, sooner = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(replace(request, deadline=upstream.expires_at - 60))
    )
    assert sooner.expires_at is None


@pytest.mark.parametrize("lie", sorted(set(Lie) - {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}))
@pytest.mark.parametrize("direct", [True, False], ids=["wallet", "contract"])
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie, direct: bool) -> None:
    assert lie in adapter_fixture.emulator.lies
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE, direct=direct))


async def test_tokens_it_does_not_trade(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    unknown = replace(request.destination_token, address="0x00000000000000000000000000000000000000aA")
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(replace(request, destination_token=unknown))


@pytest.mark.parametrize("name", ["key", "secret", "passphrase"])
async def test_each_credential_is_needed_as_it_is(adapter_fixture: AdapterFixture, name: str) -> None:
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, OkxAdapter)
    credentials = {**adapter.context.credentials, name: "another"}
    http = replace(adapter.context.http, headers=SPEC.headers(credentials))
    other = OkxAdapter(replace(adapter.context, http=http, credentials=credentials))
    with pytest.raises(CredentialsRejected):
        await other.quote(adapter_fixture.request("WETH", "USDC", ONE))


async def test_a_clock_that_is_wrong_is_refused_as_such(adapter_fixture: AdapterFixture) -> None:
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, OkxAdapter)
    late = OkxAdapter(replace(adapter.context, clock=lambda: system_clock() - timedelta(minutes=5)))
    with pytest.raises(CredentialsRejected, match="time"):
        await late.quote(adapter_fixture.request("WETH", "USDC", ONE))
