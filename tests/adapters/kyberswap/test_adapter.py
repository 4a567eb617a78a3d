"""What KyberSwap's two steps promise, and how much tolerance is asked for."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.kyberswap.client import tolerance_bps
from rhumbline.domain.errors import BelowMinimum, RequestRejected, SlippageTooTight
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.exchange import ONE
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.kyberswap.case import BUILD, MINIMUM, OUTPUT


async def test_a_minimum_that_the_build_misses_is_refused(stub_upstream: StubUpstream) -> None:
    """To the unit; and the price's doing is told from the upstream's."""
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(Exception, match="smaller minimum"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))
    stub_upstream.says("data.amountOut", str(OUTPUT - 1), BUILD)
    with pytest.raises(SlippageTooTight, match="moved"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))


async def test_an_output_of_nothing_is_for_too_small_an_amount(stub_upstream: StubUpstream) -> None:
    for nothing in ("0", "1"):
        stub_upstream.says("data.routeSummary.amountOut", nothing)
        with pytest.raises(BelowMinimum, match="nothing"):
            await stub_upstream.adapter.quote(REQUEST)


@given(st.integers(1, 2**120), st.data())
def test_the_tolerance_is_the_largest_that_keeps_the_minimum(output: int, data: st.DataObject) -> None:
    minimum = data.draw(st.integers(1, output))
    tolerance = tolerance_bps(output, minimum)
    assert 0 <= tolerance <= 2000
    assert output * (10_000 - tolerance) // 10_000 >= minimum
    if tolerance < 2000:
        assert output * (10_000 - tolerance - 1) // 10_000 < minimum or output < 10_000


@pytest.mark.parametrize(("minimum", "bps"), [(10_000, 0), (9_999, 1), (9_951, 49), (9_950, 50), (5_000, 2000)])
def test_the_tolerance_is_rounded_down(minimum: int, bps: int) -> None:
    assert tolerance_bps(10_000, minimum) == bps
    assert tolerance_bps(99_999, minimum * 10 - 1) == bps


async def test_a_price_that_moved_is_refused_when_built(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    await adapter_fixture.swapped(*await adapter_fixture.quoted(adapter_fixture.request("WETH", "USDC", 40 * ONE)))
    with pytest.raises(SlippageTooTight):
        await adapter_fixture.built(quote)


async def test_every_unit_can_be_guaranteed(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("WETH", "USDC", ONE))
    bound, built = await adapter_fixture.built(replace(quote, min_output_amount=quote.output_amount))
    assert await adapter_fixture.swapped(bound, built) == quote.output_amount + 1


async def test_a_route_is_handed_back_to_the_digit(adapter_fixture: AdapterFixture) -> None:
    """The emulator knows its route by a checksum, over numbers that a double would not hold."""
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request("USDC", "DAI", 10**9))
    _, built = await adapter_fixture.built(quote)
    assert built.data
    summary = dict(quote.payload.summary)
    changed = replace(quote, payload=replace(quote.payload, summary=summary | {"amountInUsd": "1"}))
    with pytest.raises(RequestRejected):
        await adapter_fixture.built(changed)
