"""What upstreams write, as far as it is sound."""

from decimal import Decimal

import pytest

from rhumbline.pricing.sources.answers import moment, positive
from tests.pricing.exchange import NOW


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1.50", Decimal("1.50")),
        (Decimal("0.1"), Decimal("0.1")),
        (3, Decimal(3)),
        ("1e-9", Decimal("1e-9")),
        (0, None),
        ("-1", None),
        ("NaN", None),
        ("Infinity", None),
        ("", None),
        ("abc", None),
        ("1" * 200, None),
        ("1e500", None),
        (True, None),
        (None, None),
        ({}, None),
        ([], None),
    ],
)
def test_numbers(value: object, number: Decimal | None) -> None:
    assert value is None or isinstance(value, bool | int | Decimal | str | list | dict)
    assert positive(value) == number


def test_moments() -> None:
    assert moment(int(NOW.timestamp())) == NOW
    assert moment(Decimal("1772600767.9")) == NOW
    assert [moment(value) for value in (None, "1", True, 10**30, -(10**30))] == [None] * 5
