"""Answers that others published."""

from pathlib import Path

import pytest

from rhumbline.adapters.mayan.client import ERRORS
from rhumbline.adapters.mayan.wire import MayanQuote, QuotesReply, SwiftQuote, TransferReply
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json, read_json
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.published import published

HERE = Path(__file__).parent
PUBLISHED = {"error_route_not_found": (406, NoRoute), "error_sdk_version": (406, RequestRejected),
          "error_500_bad_chain_name": (500, UpstreamFailed)}  # fmt: skip


def _samples(beginning: str) -> dict[str, Json]:
    return published(HERE, f"{beginning}*", read=read_json)


def test_every_published_quote_is_read() -> None:
    for name, document in _samples("quote_").items():
        assert isinstance(document, dict)
        quotes = read_answer(QuotesReply, document).quotes if "quotes" in document else [document]
        for quote in quotes:
            reply = read_answer(MayanQuote, quote)
            assert (name, str(reply.effective_amount_in64)) == (name, quote["effectiveAmountIn64"])
            assert str(reply.expected_amount_out_base_units) == quote["expectedAmountOutBaseUnits"]
            if reply.type == "SWIFT":
                assert read_answer(SwiftQuote, quote).swift_version == quote["swiftVersion"]


def test_every_published_status_is_read() -> None:
    samples = {**_samples("status_"), **_samples("swap_status_")}
    for document in samples.values():
        assert isinstance(document, dict)
        reply = read_answer(TransferReply, document)
        assert (reply.client_status, reply.to_amount) == (document["clientStatus"], document["toAmount"])


@pytest.mark.parametrize("status", [400, 406, 500])
@pytest.mark.parametrize(
    ("document", "error"),
    [
        ({"code": "AMOUNT_TOO_SMALL", "message": "Amount too small (min ~0.00055 ETH)"}, BelowMinimum),
        ({"code": 0, "msg": "Amount too small (min ~0.00055 ETH)"}, BelowMinimum),
        ({"msg": "Amount too small"}, BelowMinimum),
        ({"code": "ROUTE_NOT_FOUND", "msg": "Route not found"}, NoRoute),
    ],
)
def test_a_refused_amount_is_no_passing_failure(status: int, document: Json, error: type[AdapterError]) -> None:
    assert type(ERRORS.failure(UpstreamRefused("MAYAN", status, document))) is error


def test_every_published_error_is_known() -> None:
    for name, document in _samples("error_").items():
        status, error = PUBLISHED[name]
        assert type(ERRORS.failure(UpstreamRefused("MAYAN", status, document))) is error


def test_no_sample_is_left_out() -> None:
    read = {name for beginning in ("quote_", "status_", "swap_status_", "error_") for name in _samples(beginning)}
    assert read == set(_samples(""))
