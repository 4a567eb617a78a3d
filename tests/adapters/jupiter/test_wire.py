"""Each number of Jupiter's that its program acts on, raised to its type's largest, or let down."""

from base64 import b64decode, b64encode
from struct import pack
from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError
from tests.adapters.exchanges.exchange import put
from tests.adapters.jupiter.stub_upstream import BUYING, SELLING, StubUpstream, bought, sold

U16, U64, U256 = 2**16 - 1, 2**64 - 1, 2**256 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("inAmount", str(U256)), ("outAmount", str(U256)), ("outAmount", "0"), ("otherAmountThreshold", str(U256)),
    ("otherAmountThreshold", "0"), ("slippageBps", U16), ("slippageBps", -1), ("tipInstruction", {"lamports": U64}),
])  # fmt: skip
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: Any
) -> None:
    await stub_upstream.adapter.quote(BUYING)
    stub_upstream.upstream.says("/build", put(bought(), field, value))
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(BUYING)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("field", "form", "at", "value"), [
    ("in_amount", "<Q", 8, U64), ("quoted_out_amount", "<Q", 16, U64), ("slippage_bps", "<H", 24, U16),
    ("platform_fee_bps", "<H", 26, U16), ("positive_slippage_bps", "<H", 28, U16),
])  # fmt: skip
async def test_a_number_of_the_program_s_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, shared: bool, field: str, form: str, at: int, value: int
) -> None:
    body, request = (sold(), SELLING) if shared else (bought(), BUYING)
    data, written = bytearray(b64decode(body["swapInstruction"]["data"])), pack(form, value)
    # The number of a shared authority comes first.
    data[at + shared : at + shared + len(written)] = written
    stub_upstream.upstream.says("/build", put(body, "swapInstruction.data", b64encode(data).decode()))
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(request)
