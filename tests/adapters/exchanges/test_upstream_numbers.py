"""Each number of an exchange's that its router or the wallet acts on, raised to its type's largest, or let down."""

import pytest

from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, UpstreamFailed
from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.exchanges.exchanges import each_exchange, each_of
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.kyberswap import case as kyberswap
from tests.adapters.nordstern import case as nordstern
from tests.adapters.okx import case as okx
from tests.adapters.openocean import case as openocean

LARGEST, U128 = 2**256 - 1, 2**128 - 1
ANSWERS: dict[str, tuple[str, tuple[tuple[str, object, type[AdapterError]], ...]]] = {
    kyberswap.EXCHANGE.name: ("data.routeSummary.", (
        ("gas", str(10**12 + 1), UpstreamFailed), ("gas", str(LARGEST), UpstreamFailed), ("gas", "-1", UpstreamFailed),
        ("amountIn", str(LARGEST), UpstreamFailed), ("amountOut", "0", BelowMinimum),
    )),
    nordstern.EXCHANGE.name: ("", (
        ("gasEstimate", str(10**12 + 1), UpstreamFailed), ("gasEstimate", "9" * 18, UpstreamFailed),
        ("toAmount", str(LARGEST), UpstreamFailed), ("toAmount", "1", UpstreamFailed),
        ("fromAmount", str(LARGEST), UpstreamFailed),
    )),
    okx.EXCHANGE.name: ("data.0.routerResult.", (
        ("estimateGasFee", str(10**12 + 1), UpstreamFailed), ("estimateGasFee", "9" * 18, UpstreamFailed),
        ("fromTokenAmount", str(LARGEST), UpstreamFailed), ("toTokenAmount", str(LARGEST), UpstreamFailed),
        ("toTokenAmount", "0", UpstreamFailed),
    )),
    openocean.EXCHANGE.name: ("data.", (
        ("estimatedGas", 10**12 + 1, UpstreamFailed), ("estimatedGas", LARGEST, UpstreamFailed),
        ("estimatedGas", -1, UpstreamFailed), ("gmxFee", str(LARGEST), NoRoute), ("rfqDeadline", LARGEST, NoRoute),
        ("inAmount", str(LARGEST), UpstreamFailed), ("outAmount", str(LARGEST), UpstreamFailed),
    )),
}  # fmt: skip
CALLS: dict[str, tuple[tuple[str, int, object], ...]] = {
    kyberswap.EXCHANGE.name: (
        ("desc.amount", 7, LARGEST), ("desc.minReturnAmount", 8, kyberswap.MINIMUM - 1),
        ("desc.minReturnAmount", 8, kyberswap.OUTPUT + 1), ("desc.minReturnAmount", 8, LARGEST),
        ("desc.flags", 9, LARGEST), ("desc.srcAmounts", 3, (LARGEST,)),
    ),
    nordstern.EXCHANGE.name: (
        ("amountIn", 26, U128), ("minAmountOut", 42, 0), ("minAmountOut", 42, nordstern.OUTPUT + 1),
        ("minAmountOut", 42, U128),
    ),
    okx.EXCHANGE.name: (
        ("fromTokenAmount", 2, LARGEST), ("minReturnAmount", 3, okx.MINIMUM - 1),
        ("minReturnAmount", 3, okx.OUTPUT + 1), ("minReturnAmount", 3, LARGEST), ("deadLine", 4, 0),
        ("deadLine", 4, 1_795_233_600),
    ),
    openocean.EXCHANGE.name: (
        ("description.amount", 4, LARGEST), ("description.minReturnAmount", 5, openocean.MINIMUM - 1),
        ("description.minReturnAmount", 5, openocean.OUTPUT + 1), ("description.minReturnAmount", 5, LARGEST),
        ("description.flags", 7, LARGEST),
    ),
}  # fmt: skip


@each_of("field value kind", lambda exchange: ANSWERS[exchange.name][1])
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, exchange: Exchange, field: str, value: object, kind: type[AdapterError]
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says(ANSWERS[exchange.name][0] + field, value)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    assert type(failed.value) is kind


@each_of("field place value", lambda exchange: CALLS[exchange.name])
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, exchange: Exchange, field: str, place: int, value: object
) -> None:
    await stub_upstream.built()
    stub_upstream.says_call(exchange.changed_call(stub_upstream.call(), {place: value}))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.built()


@each_exchange
async def test_a_transaction_value_is_the_input_s(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    stub_upstream.says(exchange.value, str(LARGEST), exchange.calls)
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.built()
