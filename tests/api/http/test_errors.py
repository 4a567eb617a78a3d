"""Every failure has its status."""

import json
from typing import get_args

import pytest

from rhumbline.api.http.errors import STATUS_OF_CODE, STATUS_OF_KIND, status_of, write_error
from rhumbline.api.wire.error import ErrorCode
from rhumbline.domain import errors
from tests.api.api_service import NOW


def test_every_failure_has_a_status() -> None:
    def leaves(kind: type[errors.RhumblineError]) -> list[type[errors.RhumblineError]]:
        return [kind] + [leaf for inner in kind.__subclasses__() for leaf in leaves(inner)]

    codes = {kind.code for kind in leaves(errors.RhumblineError)}
    assert codes == set(STATUS_OF_CODE) == set(get_args(ErrorCode))
    # A step without a quote is the one exception that the contract's decisions make.
    ordinary = STATUS_OF_KIND.keys() - {errors.NoStepQuote}
    assert all(kind.code in ("VALIDATION_ERROR", "UNKNOWN") for kind in ordinary)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.InvalidRequest(["amount is missing"]), 400),
        (errors.WrongAddress(["senderAddress is none"]), 400),
        (errors.NotFound("x"), 404),
        (errors.KeyMissing("x"), 401),
        (errors.KeyInvalid("x"), 401),
        (errors.IntegratorMismatch("x"), 403),
        (errors.RateLimited("x"), 429),
        (errors.NoAvailableQuotes("x"), 422),
        (errors.AmountTooLow("x"), 422),
        (errors.SlippageExceeded("x"), 422),
        (errors.AdaptersRejected("x"), 422),
        (errors.AdaptersUnauthorized("x"), 502),
        (errors.AdaptersFailed("x"), 502),
        (errors.StoreUnavailable("x"), 503),
        (errors.QuotingPaused("x"), 503),
        (errors.Unexpected("x"), 500),
    ],
)
def test_status_of_each_failure(error: errors.RhumblineError, status: int) -> None:
    assert status_of(error) == status
    body = json.loads(write_error(error, NOW, None).body)
    assert (body["statusCode"], body["code"], body["message"]) == (status, error.code, error.message)
    assert "path" not in body


def test_paused_quoting_is_not_asked_for_again_at_once() -> None:
    """By our own clients not at all: they wait for half a minute at most."""
    assert ("retry-after", "60") in write_error(errors.QuotingPaused("x"), NOW, None).headers
