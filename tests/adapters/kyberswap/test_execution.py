"""What a quote promises is delivered on the sandbox, by the wallet itself and through the service's contracts."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected, SlippageTooTight
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
    gained = await adapter_fixture.execute(quote, upstream if direct else adapter_fixture.routed(quote, upstream))
    # The route promises one unit more than its build.
    assert gained == quote.output_amount + 1
    assert quote.min_output_amount is not None
    assert gained >= quote.min_output_amount


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


async def test_a_price_that_moved_is_refused_when_built(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    big, first = await adapter_fixture.built(
        await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", 40 * ONE))
    )
    await adapter_fixture.execute(big, first)
    with pytest.raises(SlippageTooTight):
        await adapter_fixture.built(quote)


async def test_every_unit_can_be_guaranteed(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    bound, built = await adapter_fixture.built(replace(quote, min_output_amount=quote.output_amount))
    assert await adapter_fixture.execute(bound, built) == quote.output_amount + 1


@pytest.mark.parametrize("lie", sorted(lie for lie in Lie if lie is not Lie.OTHER_REFUND))
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    assert lie in adapter_fixture.emulator.lies
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE, direct=False))
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await adapter_fixture.built(quote)


async def test_a_route_is_handed_back_to_the_digit(adapter_fixture: AdapterFixture) -> None:
    """The emulator knows its route by a checksum, over numbers that a double would not hold."""
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("USDC", "DAI", 10**9))
    _, built = await adapter_fixture.built(quote)
    assert built.data
    summary = dict(quote.payload.summary)
    changed = replace(quote, payload=replace(quote.payload, summary=summary | {"amountInUsd": "1"}))
    with pytest.raises(RequestRejected):
        await adapter_fixture.built(changed)


async def test_tokens_and_chains_it_does_not_know(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    unknown = replace(request.destination_token, address="0x00000000000000000000000000000000000000aA")
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(replace(request, destination_token=unknown))
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(adapter_fixture.request("ETH", "WETH", ONE))
