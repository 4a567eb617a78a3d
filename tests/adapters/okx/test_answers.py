"""Every documented failure means what it says, and an answer that differs from the question is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.okx.client import ERRORS
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from tests.adapters.okx.stub_upstream import REQUEST, StubUpstream, recorded_call, said

STRANGER = "0x000000000000000000000000000000000000dead"
MINIMUM = 2_333_950_506


async def failure(stub_upstream: StubUpstream, body: object, status: int = 200) -> AdapterError:
    stub_upstream.upstream.says("/swap", body, status)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    return failed.value


@pytest.mark.parametrize("code", sorted(ERRORS.meanings))
async def test_every_documented_code(stub_upstream: StubUpstream, code: int) -> None:
    kind = ERRORS.meanings[code][0]
    for status in (200, 400, 401, 500):
        for written in (code, str(code)):
            found = await failure(stub_upstream, {"code": written, "msg": "words of theirs", "data": []}, status)
            assert type(found) is kind
            assert "theirs" not in found.reason


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (50011, UpstreamFailed),
        (50014, RequestRejected),
        (50026, UpstreamFailed),
        (50105, CredentialsRejected),
        (50113, CredentialsRejected),
        (51000, RequestRejected),
        (82000, NoRoute),
        (82102, BelowMinimum),
        (82103, NoRoute),
        (82104, NoRoute),
        (82105, NoRoute),
        (82112, SlippageTooTight),
    ],
)
async def test_what_the_codes_mean(stub_upstream: StubUpstream, code: int, kind: type[AdapterError]) -> None:
    assert type(await failure(stub_upstream, {"code": str(code), "msg": "", "data": []})) is kind


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"code": "0", "data": [], "msg": ""}, 200, NoRoute),
        ({"code": "0", "msg": ""}, 200, NoRoute),
        ({"code": "0", "data": [{}], "msg": ""}, 200, UpstreamFailed),
        ({"code": "0", "data": {}, "msg": ""}, 200, UpstreamFailed),
        ({"code": "99999", "data": [], "msg": ""}, 200, UpstreamFailed),
        ({"code": "99999", "data": [], "msg": ""}, 400, RequestRejected),
        ({"code": "no code", "data": []}, 200, UpstreamFailed),
        ({"code": "50011", "data": []}, 429, UpstreamFailed),
        ({"code": None}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ("<html>", 403, CredentialsRejected),
        ("<html>", 418, RequestRejected),
        ("<html>", 500, UpstreamFailed),
    ],
)
async def test_what_is_not_documented(
    stub_upstream: StubUpstream, body: object, status: int, kind: type[AdapterError]
) -> None:
    assert type(await failure(stub_upstream, body, status)) is kind


async def test_two_swaps_are_one_too_many(stub_upstream: StubUpstream) -> None:
    body = said()
    body["data"] *= 2
    assert "several" in (await failure(stub_upstream, body)).reason


@pytest.mark.parametrize(
    ("part", "field", "value", "kind"),
    [
        ("routerResult", "chainIndex", "56", UpstreamFailed),
        ("routerResult", "fromToken", {"tokenContractAddress": STRANGER}, UpstreamFailed),
        ("routerResult", "toToken", {"tokenContractAddress": STRANGER}, UpstreamFailed),
        ("routerResult", "toToken", {"tokenContractAddress": STRANGER, "isHoneyPot": True}, NoRoute),
        ("routerResult", "fromTokenAmount", "1000000000000000001", UpstreamFailed),
        ("routerResult", "toTokenAmount", "2345678901.5", UpstreamFailed),
        ("routerResult", "toTokenAmount", str(MINIMUM - 1), UpstreamFailed),
        ("routerResult", "toTokenAmount", "9345678901", UpstreamFailed),
        ("tx", "to", STRANGER, UpstreamFailed),
        ("tx", "from", STRANGER, UpstreamFailed),
        ("tx", "value", "1", UpstreamFailed),
        ("tx", "data", "0x", UpstreamFailed),
        ("tx", "data", "0xf2c42696", UpstreamFailed),
        ("tx", "data", "0xa9059cbb" + "00" * 64, UpstreamFailed),
    ],
)
async def test_an_answer_about_something_else_is_refused(
    stub_upstream: StubUpstream, part: str, field: str, value: object, kind: type[AdapterError]
) -> None:
    body = said()
    body["data"][0][part][field] = value
    assert type(await failure(stub_upstream, body)) is kind


@pytest.mark.parametrize(("slippage", "told"), [(Fraction(1), str(MINIMUM)), (Fraction(5, 1000), "1")])
async def test_what_leaves_no_minimum_is_no_route(stub_upstream: StubUpstream, slippage: Fraction, told: str) -> None:
    """It is the caller's doing, or the amount's: no reason to leave the upstream alone for a while."""
    body = said()
    body["data"][0]["routerResult"]["toTokenAmount"] = told
    call = recorded_call().replace(MINIMUM.to_bytes(32), bytes(32))
    assert call != recorded_call()
    body["data"][0]["tx"]["data"] = "0x" + call.hex()
    stub_upstream.upstream.says("/swap", body)
    with pytest.raises(BelowMinimum, match="too little for a minimum"):
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))


async def test_fields_that_need_not_be_there(stub_upstream: StubUpstream) -> None:
    body = said()
    for field in ("estimateGasFee", "priceImpactPercent", "dexRouterList", "tradeFee", "router"):
        del body["data"][0]["routerResult"][field]
    for field in ("gas", "gasPrice", "minReceiveAmount", "signatureData", "slippagePercent"):
        del body["data"][0]["tx"][field]
    stub_upstream.upstream.says("/swap", body)
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.gas_units, quote.price_impact_bps, quote.min_output_amount) == (None, None, MINIMUM)
