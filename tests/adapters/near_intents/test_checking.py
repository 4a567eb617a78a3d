"""Each number of 1Click's that the service or the wallet acts on, raised to its type's largest, or let down: signed."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, BelowMinimum
from tests.adapters.bridging.replay import refused
from tests.adapters.near_intents.replay import Replay, recording, replaying, request
from tests.adapters.near_intents.test_payment import quoted

U256 = 2**256 - 1
AMOUNT = 250_000_000


@pytest.mark.parametrize(("field", "value"), [
    ("amountIn", str(U256)), ("minAmountIn", str(U256)), ("amountOut", "0"), ("minAmountOut", str(U256)),
    ("minAmountOut", "0"), ("refundFee", str(U256)), ("refundFee", str(AMOUNT // 4 + 1)),
])  # fmt: skip
async def test_a_number_of_a_quote_beyond_its_bound_is_refused(field: str, value: str) -> None:
    document: Any = recording("quote_dry")
    document["quote"][field] = value
    await refused(replaying(Replay([(200, document)])), AdapterError, lambda adapter: adapter.quote(request()))


@pytest.mark.parametrize(("fee", "least"), [(AMOUNT // 4 + 1, AMOUNT + 4), (U256, None)])
async def test_a_refund_fee_of_more_than_a_quarter_needs_a_larger_amount(fee: int, least: int | None) -> None:
    document = recording("quote_dry")
    document["quote"]["refundFee"] = str(AMOUNT // 4)
    async with replaying(Replay([(200, document)])) as adapter:
        await adapter.quote(request())
    document["quote"]["refundFee"] = str(fee)
    async with replaying(Replay([(200, document)])) as adapter:
        with pytest.raises(BelowMinimum) as found:
            await adapter.quote(request())
    assert found.value.minimum == least


@pytest.mark.parametrize("fees", [[101], [51, 50], [10_000], [99.5, 0.6]])
async def test_app_fees_of_more_than_a_hundredth_are_refused(fees: list[float]) -> None:
    document = recording("quote_dry")
    document["quoteRequest"]["appFees"] = [{"recipient": "somebody.near", "fee": fee} for fee in fees]
    async with replaying(Replay([(200, document)])) as adapter:
        with pytest.raises(AdapterError, match="from 0 to 100"):
            await adapter.quote(request())


@pytest.mark.parametrize(("field", "value"), [
    ("deadline", "2026-11-21T12:34:59.000Z"), ("deadline", "2026-11-24T12:35:01.000Z"),
    ("deadline", "9999-12-31T23:59:59.000Z"), ("timeWhenInactive", "2026-11-21T12:14:59.000Z"),
    ("timeWhenInactive", "1970-01-01T00:00:00.000Z"),
])  # fmt: skip
async def test_a_time_of_an_address_beyond_its_bound_is_refused(field: str, value: str) -> None:
    document = recording("quote_reserved")
    document["quote"][field] = value
    await refused(replaying(Replay([(200, document)])), AdapterError, lambda adapter: adapter.build(quoted()))


async def test_a_quote_that_refunds_the_sender_is_none_for_a_named_refund() -> None:
    named = replace(request(), refund_to="0x3333333333333333333333333333333333333333")
    replay = Replay([(200, recording("quote_dry"))])
    await refused(replaying(replay), AdapterError, lambda adapter: adapter.quote(named))
