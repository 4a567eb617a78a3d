"""Each number of DFlow's that its program or the runtime acts on, raised to its type's largest, or let down."""

from dataclasses import replace
from struct import pack
from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET
from tests.adapters.dflow.orders import AMOUNT, OUTPUT, REQUEST, Trade, answered, arguments, leg, whole, wrap
from tests.adapters.dflow.stub_upstream import StubUpstream

U16, U64, U256 = 2**16 - 1, 2**64 - 1, 2**256 - 1


@pytest.mark.parametrize(("field", "values"), [
    ("computeUnitLimit", (-1, -(2**63), MOST_UNITS + 1, U64)),
    ("slippageBps", (0, 51, U16)),
    ("platformFee", ({"amount": str(U64), "feeBps": U16},)),
    ("inAmount", (str(U64), "0")),
    ("outAmount", (str(U256), "0")),
    ("minOutAmount", (str(U256), "0")),
])  # fmt: skip
async def test_a_number_of_an_order_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, values: tuple[Any, ...]
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    for value in values:
        stub_upstream.upstream.says("/order", answered(whole(Trade().instruction())) | {field: value})
        with pytest.raises(AdapterError):
            await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize("data", [
    arguments(leg(U64)), arguments(leg(AMOUNT), quoted=U64), arguments(leg(AMOUNT), quoted=OUTPUT - 1),
    arguments(leg(AMOUNT), slippage=U16), arguments(leg(AMOUNT), slippage=10_000), arguments(leg(AMOUNT), fee=U16),
    arguments(wrap(U64), leg(AMOUNT)),
], ids=["amount", "quoted_out_amount", "less", "slippage_bps", "all", "platform_fee_bps", "wrapped"])  # fmt: skip
async def test_a_number_of_the_program_s_beyond_its_bound_is_refused(stub_upstream: StubUpstream, data: bytes) -> None:
    stub_upstream.says(Trade().instruction())
    await stub_upstream.built()
    stub_upstream.says(replace(Trade(), data=data).instruction())
    with pytest.raises(AdapterError):
        await stub_upstream.built()


@pytest.mark.parametrize(("kind", "value"), [
    ("units", 2**32 - 1), ("heap", 2**32 - 1), ("heap", 0),
])  # fmt: skip
async def test_a_budget_that_the_runtime_does_not_take_is_refused(
    stub_upstream: StubUpstream, kind: str, value: int
) -> None:
    data = pack("<BI", {"units": 2, "heap": 1}[kind], value)
    stub_upstream.upstream.says(
        "/order",
        answered(whole(SvmInstruction(COMPUTE_BUDGET, (), data), Trade().instruction(), budget=ComputeBudget())),
    )
    with pytest.raises(UpstreamFailed):
        await stub_upstream.built()
