"""What OKX's answers leave of a minimum, and what its deadlines and shares do on the sandbox."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.deployments import SOLANA
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.exchange import ONE, put
from tests.adapters.exchanges.stub_upstream import REQUEST, USDC, WETH, StubUpstream
from tests.adapters.okx.case import EXCHANGE, MINIMUM, SWAP_PATH

WANTED = 5_000 * 10**6


@pytest.mark.parametrize(("slippage", "told"), [(Fraction(1), str(MINIMUM)), (Fraction(5, 1000), "1")])
async def test_what_leaves_no_minimum_is_no_route(stub_upstream: StubUpstream, slippage: Fraction, told: str) -> None:
    """It is the caller's doing, or the amount's: no reason to leave the upstream alone for a while."""
    call = stub_upstream.call().replace(MINIMUM.to_bytes(32), bytes(32))
    assert call != stub_upstream.call()
    body = put(stub_upstream.said(), "data.0.routerResult.toTokenAmount", told)
    stub_upstream.upstream.says(SWAP_PATH, put(body, EXCHANGE.call, "0x" + call.hex()))
    with pytest.raises(BelowMinimum, match="too little for any minimum"):
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))


async def test_what_comes_out_above_the_quote_is_shared_and_nothing_else(adapter_fixture: AdapterFixture) -> None:
    quote, upstream = await adapter_fixture.quoted(adapter_fixture.request("WETH", "USDC", ONE))
    await adapter_fixture.swapped(
        *await adapter_fixture.quoted(adapter_fixture.request("USDC", "WETH", 100_000 * 10**6))
    )
    better = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    assert better.output_amount > quote.output_amount
    assert await adapter_fixture.swapped(quote, upstream) == quote.output_amount


async def test_the_deadline_is_the_upstreams_own_where_it_is_earlier(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request("WETH", "USDC", ONE)
    _, upstream = await adapter_fixture.quoted(request)
    assert upstream.expires_at is not None
    assert upstream.expires_at < request.deadline
    _, sooner = await adapter_fixture.quoted(replace(request, deadline=upstream.expires_at - 60))
    assert sooner.expires_at is None


def test_what_is_called_is_not_what_is_approved() -> None:
    for number, place in SPEC.deployments.items():
        assert number == SOLANA or place.token_approve not in place.routers


def named(**changes: object) -> dict[str, object]:
    """The answer to the question for 5,000 USDC; no printed one was found: the fields are those of the page."""
    tokens = [{"tokenContractAddress": token.address.lower(), "isHoneyPot": False} for token in (WETH, USDC)]
    terms = {"chainIndex": "1", "swapMode": "exactOut", "fromToken": tokens[0], "toToken": tokens[1]}
    amounts = {"fromTokenAmount": str(2 * 10**18), "toTokenAmount": str(WANTED)}
    return {"code": "0", "msg": "", "data": [{**terms, **amounts, **changes}]}


async def test_the_input_for_an_output_is_asked_for_where_no_price_tells_it(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote", named())
    adapter = stub_upstream.adapter
    assert await adapter.input_for(REQUEST, WANTED) == 2 * 10**18
    (asked,) = stub_upstream.upstream.asked
    assert (asked.path, asked.query) == (
        "/api/v6/dex/aggregator/quote",
        {
            "chainIndex": "1", "amount": str(WANTED), "swapMode": "exactOut", "fromTokenAddress": WETH.address.lower(),
            "toTokenAddress": USDC.address.lower(),
        },
    )  # fmt: skip
    assert [adapter.names_input(REQUEST, priced=priced) for priced in (True, False)] == [False, True]
    assert sorted(number for number, place in SPEC.deployments.items() if place.takes_outputs) == [1, 56, 8453, 42161]


@pytest.mark.parametrize(
    "changes",
    [
        {"swapMode": "exactIn"},
        {"chainIndex": "10"},
        {"fromToken": {"tokenContractAddress": USDC.address}},
        {"toToken": {"tokenContractAddress": WETH.address}},
        {"toTokenAmount": str(WANTED - 1)},
        {"fromTokenAmount": "-1"},
    ],
)
async def test_an_answer_to_another_question_names_no_input(
    stub_upstream: StubUpstream, changes: dict[str, object]
) -> None:
    stub_upstream.upstream.says("/quote", named(**changes))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.input_for(REQUEST, WANTED)
    stub_upstream.upstream.says("/quote", {"code": "0", "msg": "", "data": []})
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.input_for(REQUEST, WANTED)
