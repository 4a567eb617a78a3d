"""What Nordstern is not asked, and what its numbers leave of a minimum."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.nordstern import SPEC
from rhumbline.domain.errors import BelowMinimum, NoRoute, SlippageTooTight, UpstreamFailed
from tests.adapters.exchanges.exchange import STRANGER, put
from tests.adapters.exchanges.stub_upstream import ETHER, REQUEST, StubUpstream
from tests.adapters.nordstern.case import AGGREGATOR, FIRST_RECEIVER_AT, MINIMUM_AT, OUTPUT, changed_call


async def test_what_cannot_be_asked_for_is_not_asked(stub_upstream: StubUpstream) -> None:
    for slippage in (Fraction(0), Fraction(9, 10**7)):
        with pytest.raises(SlippageTooTight, match=r"0\.0001 %"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    with pytest.raises(NoRoute, match="so large"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=2**128))
    assert not stub_upstream.upstream.asked


async def test_who_an_operator_is_to_nordstern(stub_upstream: StubUpstream) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    assert stub_upstream.upstream.asked[0].headers["referer"] == "https://swap.example/"
    assert dict(SPEC.headers({})) == {}
    assert (SPEC.needs, SPEC.optional_credentials) == ((), ("referer",))


async def test_an_output_with_a_fraction_is_what_is_whole_of_it(stub_upstream: StubUpstream) -> None:
    stub_upstream.says("toAmount", f"{OUTPUT}.75")
    assert (await stub_upstream.adapter.quote(REQUEST)).output_amount == OUTPUT


@pytest.mark.parametrize(("slippage", "output"), [(Fraction(1), OUTPUT), (Fraction(5, 1000), 1)])
async def test_what_leaves_no_minimum_is_no_route(stub_upstream: StubUpstream, slippage: Fraction, output: int) -> None:
    """It is the caller's doing, or the amount's: no reason to leave the upstream alone for a while."""
    call = changed_call(stub_upstream.call(), {MINIMUM_AT: 0})
    body = put(stub_upstream.said(), "tx.data", "0x" + call.hex())
    stub_upstream.upstream.says(AGGREGATOR, put(body, "toAmount", str(output)))
    with pytest.raises(BelowMinimum, match="too little for any minimum"):
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))


async def test_a_native_input_goes_to_the_executor(stub_upstream: StubUpstream) -> None:
    marker = "0x" + 20 * "ee"
    call = changed_call(stub_upstream.call(), stub_upstream.exchange.native_call)
    body = put(put(stub_upstream.said(), "src", marker), "tx.value", str(10**18))
    other = changed_call(call, {FIRST_RECEIVER_AT: STRANGER})
    stub_upstream.upstream.says(AGGREGATOR, put(body, "tx.data", "0x" + other.hex()))
    with pytest.raises(UpstreamFailed, match="native input"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
