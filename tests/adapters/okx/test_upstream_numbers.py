"""Each number of OKX's that a router or a program acts on, raised to its type's largest, or let down."""

from base64 import b64decode, b64encode
from struct import pack

import pytest

from rhumbline.domain.errors import AdapterError
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.okx.case import MINIMUM, OUTPUT, changed_call
from tests.adapters.okx.svm.test_checking import changed, checked, swap_of
from tests.adapters.okx.svm.test_checking import said as said_on_solana
from tests.adapters.okx.test_calldata import ending, trim

U16, U30, U64, U256 = 2**16 - 1, 2**30 - 1, 2**64 - 1, 2**256 - 1


@pytest.mark.parametrize(("part", "field", "value"), [
    ("routerResult", "estimateGasFee", str(10**12 + 1)), ("routerResult", "estimateGasFee", "9" * 18),
    ("routerResult", "fromTokenAmount", str(U256)), ("routerResult", "toTokenAmount", str(U256)),
    ("routerResult", "toTokenAmount", "0"), ("tx", "value", str(U256)),
])  # fmt: skip
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, part: str, field: str, value: str
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says(f"data.0.{part}.{field}", value)
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "place", "value"), [
    ("fromTokenAmount", 2, U256), ("minReturnAmount", 3, MINIMUM - 1), ("minReturnAmount", 3, OUTPUT + 1),
    ("minReturnAmount", 3, U256), ("deadLine", 4, 0), ("deadLine", 4, 1_795_233_600),
])  # fmt: skip
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, place: int, value: int
) -> None:
    stub_upstream.says_call(changed_call(stub_upstream.call(), {place: value}))
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize("end", [trim(rate=101), trim(rate=2**48 - 1), trim(rate=0), trim(expected=MINIMUM - 1)])
async def test_a_trim_beyond_its_bound_is_refused(stub_upstream: StubUpstream, end: bytes) -> None:
    """``trim``: thousandths of what is above ``expectAmountOut``."""
    stub_upstream.says_call(ending(stub_upstream, end))
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "form", "at", "value"), [
    ("amount_in", "<Q", 16, U64), ("expect_amount_out", "<Q", 24, U64), ("slippage_bps", "<H", 32, U16),
    ("slippage_bps", "<H", 32, 9_999), ("commission_info", "<I", -7, U30), ("platform_fee_rate", "<H", -3, U16),
    ("trim_rate", "<B", -1, 255),
])  # fmt: skip
def test_a_number_of_the_program_s_beyond_its_bound_is_refused(field: str, form: str, at: int, value: int) -> None:
    checked(said_on_solana())
    body, written = said_on_solana(), pack(form, value)
    data = bytearray(b64decode(swap_of(body)["data"]))
    at %= len(data)
    data[at : at + len(written)] = written
    swap_of(body)["data"] = b64encode(data).decode()
    with pytest.raises(AdapterError):
        checked(body)


@pytest.mark.parametrize(("kind", "value"), [(1, 2**32 - 1), (2, 2**32 - 1), (2, 1_400_001), (4, 0)])
def test_a_compute_budget_that_the_runtime_does_not_take_is_refused(kind: int, value: int) -> None:
    with pytest.raises(AdapterError):
        checked(changed("instructionLists.0.data", b64encode(pack("<BI", kind, value)).decode()))
