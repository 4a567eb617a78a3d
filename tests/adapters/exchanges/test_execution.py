"""What an exchange's quote promises is delivered on the sandbox, by the wallet itself and through the contracts."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.errors import AdapterError, NoRoute
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.exchange import ONE, Exchange
from tests.adapters.exchanges.exchanges import each_exchange, each_of

PAIRS = [
    ("WETH", "USDC", ONE),
    ("ETH", "USDC", ONE),
    ("USDC", "ETH", 2_000 * 10**6),
    ("USDT", "WETH", 5_000 * 10**6),
    ("ETH", "WBTC", 2 * ONE),
]
either_form = pytest.mark.parametrize("direct", [True, False], ids=["wallet", "contract"])


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
@either_form
@each_exchange
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, exchange: Exchange, origin: str, destination: str, amount: int, direct: bool
) -> None:
    quote, upstream = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount, direct=direct))
    assert (upstream.spender is None) == (origin == "ETH")
    assert quote.min_output_amount is not None
    assert quote.min_output_amount >= quote.output_amount * 9950 // 10_000
    gained = await adapter_fixture.swapped(quote, upstream if direct else adapter_fixture.routed(quote, upstream))
    assert gained == quote.output_amount + exchange.above


@each_exchange
async def test_the_minimum_holds_on_chain(adapter_fixture: AdapterFixture, exchange: Exchange) -> None:
    quote, upstream = await adapter_fixture.quoted(adapter_fixture.request("WETH", "USDC", ONE))
    await adapter_fixture.swapped(*await adapter_fixture.quoted(adapter_fixture.request("WETH", "USDC", 40 * ONE)))
    with pytest.raises(RpcError, match=exchange.reverts):
        await adapter_fixture.swapped(quote, upstream)


@each_of("lie", lambda exchange: sorted(exchange.emulator.lies - exchange.harmless))
@either_form
async def test_every_lie_is_refused(
    adapter_fixture: AdapterFixture, exchange: Exchange, lie: Lie, direct: bool
) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE, direct=direct)
    # Where the call is made by another endpoint, that is the one to lie.
    quote = None if exchange.fixes_minimum else await adapter_fixture.adapter.quote(request)
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await adapter_fixture.built(quote or await adapter_fixture.adapter.quote(request))


@each_exchange
def test_only_a_lie_that_it_has_no_word_for_cannot_be_told(exchange: Exchange) -> None:
    assert set(Lie) - exchange.emulator.lies <= {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}


@each_exchange
async def test_tokens_it_does_not_trade(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    unknown = replace(request.destination_token, address="0x00000000000000000000000000000000000000aA")
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(replace(request, destination_token=unknown))
