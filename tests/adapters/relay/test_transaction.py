"""Each number of Relay's that a contract, the solver or the wallet acts on, beyond its bound, signed or not."""

from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.relay.stub_upstream import NOW, REQUEST, StubUpstream, said
from tests.adapters.relay.test_checking import Change, ordering, put

U32, U256 = 2**32 - 1, 2**256 - 1
PAST, ENDS, LATE = int(NOW.timestamp()) - 1, 1_893_456_000, int(NOW.timestamp()) + 8 * 86_400 + 1


def _in_call(name: str, value: object) -> Change:
    return put("steps", -1, "items", 0, "data", name, value=value)


@pytest.mark.parametrize(("field", "change"), [
    ("gas", _in_call("gas", 10**12 + 1)),
    ("gas", _in_call("gas", str(U256))),
    ("gas", _in_call("gas", -1)),
    ("value", _in_call("value", str(U256))),
    ("currencyIn.amount", put("details", "currencyIn", "amount", value=str(U256))),
    ("currencyOut.minimumAmount", put("details", "currencyOut", "minimumAmount", value=str(U256))),
    ("currencyOut.minimumAmount", put("details", "currencyOut", "minimumAmount", value="0")),
    ("output.deadline", ordering("output", "deadline", value=0)),
    ("output.deadline", ordering("output", "deadline", value=PAST)),
    ("output.deadline", ordering("output", "deadline", value=LATE)),
    ("output.deadline", ordering("output", "deadline", value=U32)),
    ("refunds.deadline", ordering("inputs", 0, "refunds", 0, "deadline", value=0)),
    ("refunds.deadline", ordering("inputs", 0, "refunds", 0, "deadline", value=ENDS - 1)),
    ("refunds.deadline", ordering("inputs", 0, "refunds", 0, "deadline", value=U32)),
    ("refunds.minimumAmount", ordering("inputs", 0, "refunds", 0, "minimumAmount", value=str(U256))),
    ("payment.amount", ordering("inputs", 0, "payment", "amount", value=str(U256))),
    ("payment.amount", ordering("inputs", 0, "payment", "amount", value="0")),
    ("payments.minimumAmount", ordering("output", "payments", 0, "minimumAmount", value=str(U256))),
    ("payments.minimumAmount", ordering("output", "payments", 0, "minimumAmount", value="0")),
    ("payments.expectedAmount", ordering("output", "payments", 0, "expectedAmount", value="0")),
    ("fees.amount", ordering("fees", value=[{
        "recipientChainId": "ethereum", "recipient": "0x" + "11" * 20, "currencyChainId": "ethereum",
        "currency": "0x" + "00" * 20, "amount": str(U256),
    }])),
])  # fmt: skip
async def test_a_number_beyond_its_bound_is_refused(stub_upstream: StubUpstream, field: str, change: Change) -> None:
    answer: Any = said("transfer.json")
    await stub_upstream.built(await stub_upstream.adapter.quote(REQUEST))
    change(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(AdapterError):
        await stub_upstream.built(await stub_upstream.adapter.quote(REQUEST))


@pytest.mark.parametrize("deadline", [ENDS - 6 * 86_400, ENDS, ENDS + 86_400])
async def test_orders_of_a_day_to_eight_are_taken(stub_upstream: StubUpstream, deadline: int) -> None:
    answer = said("transfer.json")
    for place in range(len(answer["protocol"]["v2"]["orderData"]["inputs"][0]["refunds"])):
        put("protocol", "v2", "orderData", "inputs", 0, "refunds", place, "deadline", value=deadline)(answer)
    ordering("output", "deadline", value=deadline)(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    built = await stub_upstream.built(await stub_upstream.adapter.quote(REQUEST))
    assert built.expires_at == deadline


async def test_a_bound_is_named(stub_upstream: StubUpstream) -> None:
    answer = said("transfer.json")
    ordering("output", "deadline", value=U32)(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed, match=f"deadline of the order.*to {LATE - 1}"):
        await stub_upstream.built(await stub_upstream.adapter.quote(REQUEST))


@pytest.mark.parametrize(("percent", "bps"), [("-0.5", 50), ("-100", 10_000), ("-101", None), ("1" + "0" * 39, 0)])
async def test_a_swap_impact_of_more_than_all_is_none(
    stub_upstream: StubUpstream, percent: str, bps: int | None
) -> None:
    answer = said("transfer.json")
    answer["details"]["swapImpact"] = {"percent": percent}
    stub_upstream.upstream.says("/quote/v2", answer)
    assert (await stub_upstream.adapter.quote(REQUEST)).price_impact_bps == bps
