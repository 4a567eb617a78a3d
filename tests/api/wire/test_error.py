"""Details of errors are described."""

import json
from typing import Any

import pytest

from rhumbline.api.http.errors import unexpected, write_error
from rhumbline.domain.errors import InvalidRequest, KeyMissing, RhumblineError
from rhumbline.domain.quote import Refusal
from rhumbline.routing.refusals import no_quote
from tests.api.api_service import NOW
from tests.api.reference.test_document import validator


@pytest.mark.parametrize(
    "refusals",
    [
        [Refusal("A", "below_minimum", "too small", 5)],
        [Refusal("A", "no_route", "none"), Refusal("B", "transient", "x")],
    ],
)
def test_members_of_details_are_described(document: dict[str, Any], refusals: list[Refusal]) -> None:
    failures: list[RhumblineError] = [
        no_quote(refusals, lambda _, net: net, 5),
        InvalidRequest(["fee is wrong"]),
        KeyMissing("no key"),
        unexpected("abc"),
    ]
    check = validator(document, {"$ref": "#/components/schemas/StandardError"})
    for failure in failures:
        check.validate(json.loads(write_error(failure, NOW, "/v1/quotes").body))
    wrong = json.loads(write_error(failures[0], NOW, None).body)
    wrong["details"]["undescribed"] = 1
    assert list(check.iter_errors(wrong))
