"""The types of which models are made: amounts are integers, values in USD decimals, and no float holds money."""

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

MOST_DIGITS = 100
"""More than any amount of a chain has; Python reads longer texts slowly."""


class Model(BaseModel):
    """An answer. Members that this client does not know, of a newer service, are in ``model_extra``."""

    model_config = ConfigDict(extra="allow", frozen=True, validate_by_name=True, use_attribute_docstrings=True)


def _integer(given: object) -> int:
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if isinstance(given, str) and len(given) <= MOST_DIGITS and given.removeprefix("-").isdecimal() and given.isascii():
        return int(given)
    raise ValueError("an amount is an integer, written as a string")


def _quantity(given: object) -> int:
    if isinstance(given, str) and given.startswith("0x") and len(given) <= MOST_DIGITS:
        return int(given, 16)
    return _integer(given)


def _decimal(given: object) -> Decimal:
    if isinstance(given, Decimal):
        return given
    if isinstance(given, str) and len(given) <= MOST_DIGITS:
        number = Decimal(given) if given.removeprefix("-").replace(".", "", 1).isdecimal() else None
        if number is not None:
            return number
    raise ValueError("a value is a decimal number, written as a string")


Amount = Annotated[int, BeforeValidator(_integer), PlainSerializer(str, when_used="json")]
"""An amount in the token's smallest unit; a string of digits on the wire."""
Quantity = Annotated[int, BeforeValidator(_quantity), PlainSerializer(hex, when_used="json")]
"""A number of a chain in hexadecimal, such as wei or a limit of gas."""
Number = Annotated[Decimal, BeforeValidator(_decimal), PlainSerializer(str, when_used="json")]
"""A decimal number, such as a value in USD, with every digit that was sent."""
