"""Types for fields of upstreams' answers: money never as a float, addresses in their form, no guesses."""

import re
from binascii import unhexlify
from decimal import Decimal
from functools import lru_cache
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel

from rhumbline.gateways.evm.address import checksummed, is_address

LARGEST_AMOUNT = 2**256 - 1
_DIGITS = re.compile(r"(0|[1-9][0-9]{0,77})\Z", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,80})?\Z", re.ASCII)
_MOST_DIGITS = 80
_MOST_PLACES = 400
_QUANTITY = re.compile(r"0[xX][0-9a-fA-F]{1,64}\Z", re.ASCII)


class Answer(BaseModel):
    """The parsed part of an upstream's answer: other fields are ignored, and faults never show the input.

    Field names are the upstream's own. A number is never made of a text, nor a text of a number, but where a field's
    type says so.
    """

    model_config = ConfigDict(
        extra="ignore", frozen=True, strict=True, hide_input_in_errors=True, arbitrary_types_allowed=True
    )


class CamelAnswer(Answer):
    """The same, of an upstream whose fields are in camel case: they are in snake case here."""

    model_config = ConfigDict(alias_generator=to_camel)


def _amount(value: object) -> int:
    """Read base-10 digits or an integer, 0 to 2^256 - 1; no sign, point, exponent or leading zero."""
    if isinstance(value, str) and _DIGITS.match(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_AMOUNT:
        raise ValueError("must be an integer amount of raw units")
    return value


def _quantity(value: object) -> int:
    if isinstance(value, str) and _QUANTITY.match(value):
        return int(value, 16)
    return _amount(value)


def _address(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be an EVM address")
    return _known_address(value)


@lru_cache(maxsize=512)
def _known_address(text: str) -> str:
    """Read an address; routers and tokens come in nearly every answer."""
    if not is_address(text):
        raise ValueError("must be an EVM address")
    return checksummed(text)


def _bytes(value: object) -> bytes:
    try:
        if isinstance(value, str) and value[:2] in ("0x", "0X"):
            # Unlike bytes.fromhex it takes no blanks; a pattern takes ten times as long.
            return unhexlify(value[2:])
    except ValueError:
        pass
    raise ValueError("must be 0x-hex of whole bytes")


def _number(value: object) -> Decimal:
    """Read a plain decimal number, of a text or as it is; never a float."""
    if isinstance(value, str) and _NUMBER.match(value):
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("must be a number")
    number = Decimal(value)
    # Ten to the power of a million is a short text, and an integer that takes a minute to write.
    if not number.is_finite() or not -_MOST_PLACES <= number.adjusted() < _MOST_DIGITS:
        raise ValueError("must be a number of ordinary size")
    return number


RawAmount = Annotated[int, BeforeValidator(_amount)]
"""An amount in raw units: base-10 digits, or a JSON integer."""
Quantity = Annotated[int, BeforeValidator(_quantity)]
"""An amount in raw units that may be 0x-hex as well, as in transactions."""
EvmAddress = Annotated[str, BeforeValidator(_address)]
"""An EVM address in any case; kept in EIP-55 form."""
HexBytes = Annotated[bytes, BeforeValidator(_bytes)]
"""Calldata: 0x-hex."""
Number = Annotated[Decimal, BeforeValidator(_number)]
"""A rate, percentage or USD value: a text or a JSON number, exact."""
