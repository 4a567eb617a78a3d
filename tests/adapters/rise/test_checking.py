"""Each number of Rise's that its program acts on, raised to its type's largest, or let down."""

from dataclasses import replace

import pytest

from rhumbline.adapters.rise.checking import NO_RAISE
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.rise.stub_upstream import MINIMUM, OUTPUT, QUOTE, REQUEST, StubUpstream, call

U64 = 2**64 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("amountIn", U64), ("amountOut", U64), ("amountOut", 0), ("amountOut", -1),
])  # fmt: skip
async def test_a_number_of_an_offer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: int
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.upstream.says("/quote", {"ok": True, "quote": QUOTE | {field: value}})
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "value"), [
    ("amount", U64), ("amount", 0), ("least", 0), ("least", MINIMUM - 1), ("least", OUTPUT + 1), ("least", U64),
])  # fmt: skip
async def test_a_number_of_the_trade_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: int
) -> None:
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=MINIMUM)
    await stub_upstream.adapter.build(quote)
    changed = call(amount=value) if field == "amount" else call(least=value)
    stub_upstream.says(changed)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.build(quote)


async def test_the_floor_is_not_raised_by_numbers_that_nothing_bounds(stub_upstream: StubUpstream) -> None:
    """A purchase may raise the market's floor by five numbers; what is handed out says that it does not."""
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=MINIMUM)
    genuine = call()
    stub_upstream.says(replace(genuine, data=genuine.data[:24] + b"\xff" * 64))
    draft = await stub_upstream.adapter.build(quote)
    trade = next(each for each in draft.instructions if each.program == genuine.program)
    assert trade.data == genuine.data[:24] + NO_RAISE
    assert (trade.data[24:32], len(trade.data)) == (bytes(8), len(genuine.data))
