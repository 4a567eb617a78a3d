"""Each number of Gas.zip's that the deposit or the wallet acts on, raised to its type's largest, or let down."""

from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, BelowMinimum
from tests.adapters.gaszip.stub_upstream import AMOUNT, REQUEST, StubUpstream, said
from tests.adapters.gaszip.test_client import CALL, Change, put

U256 = 2**256 - 1


@pytest.mark.parametrize(("field", "change"), [
    ("contractDepositTxn.value", put(CALL, "value", value=hex(U256))),
    ("contractDepositTxn.value", put(CALL, "value", value="0x0")),
    ("expected", put("quotes", 0, "expected", value=str(U256))),
    ("expected", put("quotes", 0, "expected", value=str(AMOUNT + 1))),
    ("expected", put("quotes", 0, "expected", value="0")),
    ("gas", put("quotes", 0, "gas", value=str(U256))),
    ("decimals", put("quotes", 0, "decimals", value=255)),
])  # fmt: skip
async def test_a_number_beyond_its_bound_is_refused(stub_upstream: StubUpstream, field: str, change: Change) -> None:
    answer: Any = said("quote.json")
    await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))
    change(answer)
    stub_upstream.quotes(answer)
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))


@pytest.mark.parametrize(("side", "field", "value"), [
    (1, "short", 2**16 - 1), (0, "minOutboundNative", str(U256)), (1, "minOutboundNative", str(U256)),
    (0, "maxInboundNative", "0"), (1, "maxOutboundNative", "0"), (1, "bal", "0"),
])  # fmt: skip
async def test_a_limit_of_a_chain_only_leaves_it_out(
    stub_upstream: StubUpstream, side: int, field: str, value: Any
) -> None:
    table = said("chains.json")
    table["chains"][side][field] = value
    stub_upstream.upstream.says("/chains", table)
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


async def test_an_amount_that_gas_alone_eats_is_too_low_and_no_failure(stub_upstream: StubUpstream) -> None:
    answer: Any = said("quote.json")
    put("quotes", 0, "expected", value="0")(answer)
    put("quotes", 0, "gas", value=str(AMOUNT + 1))(answer)
    stub_upstream.quotes(answer)
    with pytest.raises(BelowMinimum):
        await stub_upstream.adapter.quote(REQUEST)
