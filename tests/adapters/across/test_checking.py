"""Answers that are wrong in one thing are refused, and nothing that was asked for is given up."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.checking import evm_deposit
from rhumbline.adapters.across.client import ERRORS
from rhumbline.adapters.across.route import route_of
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.across.stub_upstream import REQUEST, TO_SOLANA, StubUpstream, said

U32, U256 = 2**32 - 1, 2**256 - 1
STRANGER = "0x9999999999999999999999999999999999999999"
POOL_SVM = "DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru"


def changed(document: Any, path: str, value: object) -> Any:
    """A copy in which the member at a dotted path is another."""
    copy = deepcopy(document)
    *parents, last = path.split(".")
    place = copy
    for name in parents:
        place = place[name]
    place[last] = value
    return copy


def data_with(place: int, word: str) -> str:
    """The swap's calldata with another word among its arguments."""
    data = str(said("swap_approval.json")["swapTx"]["data"])
    begin = 10 + 64 * place
    return data[:begin] + word.rjust(64, "0") + data[begin + 64 :]


DATA = said("swap_approval.json")["swapTx"]["data"]
SWAP_CHANGES: list[tuple[str, object]] = [
    ("inputAmount", "999999999"),
    ("expectedOutputAmount", "999878416"),
    ("minOutputAmount", "999878414"),
    ("inputToken.address", STRANGER),
    ("inputToken.chainId", 10),
    ("outputToken.address", STRANGER),
    ("outputToken.chainId", 10),
    ("refundToken.address", STRANGER),
    ("refundToken.chainId", 8453),
    ("checks.allowance.spender", STRANGER),
    ("steps.bridge.inputAmount", "1"),
    ("steps.bridge.outputAmount", "1"),
    ("steps.bridge.tokenIn.address", STRANGER),
    ("steps.bridge.tokenOut.address", STRANGER),
    ("swapTx.to", STRANGER),
    ("swapTx.chainId", 10),
    ("swapTx.value", "1"),
    ("swapTx.value", "0x1"),
    ("swapTx.data", "0x"),
    ("swapTx.data", "0x7b939232"),
    ("swapTx.data", DATA + "00"),
    ("swapTx.data", DATA + "1dc0de"),
    ("swapTx.data", DATA[:-6] + "1dc0debeef73c0de"),
    ("swapTx.data", data_with(0, "99" * 20)),
    ("swapTx.data", data_with(1, "99" * 20)),
    ("swapTx.data", data_with(2, "99" * 20)),
    ("swapTx.data", data_with(3, "99" * 20)),
    ("swapTx.data", data_with(4, "1")),
    ("swapTx.data", data_with(5, "1")),
    ("swapTx.data", data_with(6, "1")),
    ("swapTx.data", data_with(7, "0")),
    ("swapTx.data", data_with(12, "1")),
    ("expectedOutputAmount", 999878415.0),
    ("expectedOutputAmount", "-1"),
    ("expectedOutputAmount", str(2**256)),
    ("expectedFillTime", -1),
    ("quoteExpiryTimestamp", 2**32),
]


@pytest.mark.parametrize(("path", "value"), SWAP_CHANGES)
async def test_a_swap_that_is_another_is_refused(stub_upstream: StubUpstream, path: str, value: object) -> None:
    stub_upstream.upstream.says("/swap/approval", changed(said("swap_approval.json"), path, value))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)
    # A lie is no reason to ask elsewhere.
    assert len(stub_upstream.upstream.asked) == 1


OTHER_WAYS: list[tuple[str, object]] = [
    ("steps.bridge.provider", "cctp"),
    ("steps.destinationSwap", {"outputAmount": "1"}),
    ("steps.originSwap", {"outputAmount": "1"}),
    ("crossSwapType", "bridgeableToAny"),
    ("crossSwapType", "bridgeableToBridgeableIndirect"),
]


@pytest.mark.parametrize(("path", "value"), OTHER_WAYS)
async def test_another_way_is_no_route(stub_upstream: StubUpstream, path: str, value: object) -> None:
    stub_upstream.upstream.says("/swap/approval", changed(said("swap_approval.json"), path, value))
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(REQUEST)


FEES_CHANGES: list[tuple[str, object]] = [
    ("spokePoolAddress", STRANGER),
    ("destinationSpokePoolAddress", STRANGER),
    ("inputToken.address", STRANGER),
    ("inputToken.chainId", 10),
    ("outputToken.address", STRANGER),
    ("outputToken.chainId", 10),
    ("outputAmount", "1000000001"),
    ("outputAmount", "-1"),
    ("outputAmount", 999878415.5),
    ("outputAmount", str(2**256)),
    ("exclusiveRelayer", "0x" + "00" * 20),
    ("exclusiveRelayer", "somebody"),
    ("exclusiveRelayer", "0x" + "00" * 19),
    ("exclusivityDeadline", -1),
    ("timestamp", "yesterday"),
    ("fillDeadline", str(2**32)),
    ("limits", {}),
    ("lpFee", {"total": "-5"}),
    ("isAmountTooLow", "no"),
]


@pytest.mark.parametrize(("path", "value"), FEES_CHANGES)
async def test_fees_of_another_deposit_are_refused(stub_upstream: StubUpstream, path: str, value: object) -> None:
    stub_upstream.upstream.says("/suggested-fees", changed(said("suggested_fees.json"), path, value))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.keyless.quote(REQUEST)


async def test_a_pool_on_solana_is_compared_to_the_letter(stub_upstream: StubUpstream) -> None:
    answer = said("suggested_fees_solana.json")
    assert answer["destinationSpokePoolAddress"] == POOL_SVM
    stub_upstream.upstream.says("/suggested-fees", answer | {"destinationSpokePoolAddress": POOL_SVM.lower()})
    with pytest.raises(UpstreamFailed, match="SpokePool"):
        await stub_upstream.keyless.quote(TO_SOLANA)


async def test_fees_in_the_shape_of_the_document_are_read_too(stub_upstream: StubUpstream) -> None:
    """The published document has ``total`` where the API's source has ``amount``."""
    details = {
        name: {"pct": part["pct"], "total": part["amount"]}
        for name, part in said("swap_approval.json")["steps"]["bridge"]["fees"]["details"].items()
        if isinstance(part, dict)
    }
    stub_upstream.upstream.says(
        "/swap/approval", changed(said("swap_approval.json"), "steps.bridge.fees.details", details)
    )
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert [item.amount for item in quote.fees] == [31_240, 78_000, 12_345]


async def test_fees_without_details_are_one(stub_upstream: StubUpstream) -> None:
    answer = said("swap_approval.json")
    del answer["steps"]["bridge"]["fees"]["details"]
    stub_upstream.upstream.says("/swap/approval", answer)
    (fee,) = (await stub_upstream.adapter.quote(REQUEST)).fees
    assert (fee.type.value, fee.amount) == ("relayer", 121_585)


async def test_calldata_without_marks_is_read_too(stub_upstream: StubUpstream) -> None:
    for end in ("", "1dc0de1234", "73c0de", "1dc0de123473c0de"):
        stub_upstream.upstream.says(
            "/swap/approval", changed(said("swap_approval.json"), "swapTx.data", DATA[:-16] + end)
        )
        assert (await stub_upstream.adapter.quote(REQUEST)).output_amount == 999_878_415


@pytest.mark.parametrize("code", ["UPSTREAM_GATEWAY_TIMEOUT", "UNEXPECTED_ERROR", "SOMETHING_NEW"])
def test_how_long_to_wait_is_heard_whatever_the_code(code: str) -> None:
    meant = ERRORS.failure(UpstreamRefused("ACROSS", 503, {"code": code, "message": "later"}, 17.0))
    assert isinstance(meant, UpstreamFailed)
    assert meant.retry_after_s == 17


def test_too_many_requests_are_that_whatever_the_code() -> None:
    meant = ERRORS.failure(UpstreamRefused("ACROSS", 429, {"code": "INVALID_PARAM", "message": "no"}, 17.0))
    assert isinstance(meant, UpstreamFailed)
    assert meant.retry_after_s == 17


@pytest.mark.parametrize(("field", "value"), [
    ("outputAmount", str(REQUEST.amount + 1)), ("outputAmount", str(U256)), ("outputAmount", "0"),
    ("limits.minDeposit", str(U256)), ("limits.maxDeposit", "0"),
])  # fmt: skip
async def test_an_amount_beyond_its_bound_is_refused(stub_upstream: StubUpstream, field: str, value: str) -> None:
    await stub_upstream.keyless.quote(REQUEST)
    stub_upstream.upstream.says("/suggested-fees", changed(said("suggested_fees.json"), field, value))
    with pytest.raises(AdapterError):
        await stub_upstream.keyless.quote(REQUEST)


async def test_a_swap_tx_value_is_none(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/swap/approval", changed(said("swap_approval.json"), "swapTx.value", str(U256)))
    with pytest.raises(UpstreamFailed, match="value"):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("told", "seconds"), [(7 * 86_400, 7 * 86_400), (7 * 86_400 + 1, None), (U32, None)])
async def test_an_estimated_fill_time_of_more_than_a_week_is_none(
    stub_upstream: StubUpstream, told: int, seconds: int | None
) -> None:
    answer = said("suggested_fees.json") | {"estimatedFillTimeSec": told}
    stub_upstream.upstream.says("/suggested-fees", answer)
    assert (await stub_upstream.keyless.quote(REQUEST)).seconds == seconds


async def test_a_named_refund_is_the_depositor_and_nobody_else(stub_upstream: StubUpstream) -> None:
    named = replace(REQUEST, refund_to=STRANGER)
    stub_upstream.upstream.says("/swap/approval", said("swap_approval.json"))
    with pytest.raises(UpstreamFailed, match="depositor"):
        await stub_upstream.adapter.quote(named)
    asked = stub_upstream.upstream.asked[-1].query
    assert (asked["depositor"], asked["refundAddress"]) == (STRANGER, STRANGER)
    held = changed(said("swap_approval.json"), "swapTx.data", data_with(0, STRANGER[2:].lower()))
    stub_upstream.upstream.says("/swap/approval", held)
    quote = await stub_upstream.adapter.quote(named)
    route = route_of(named, stub_upstream.adapter.known_deployments(named))
    assert route is not None
    built = evm_deposit(named, route, quote.payload)
    assert built.data[4:36].hex() == STRANGER[2:].lower().rjust(64, "0")
