"""What is read of DFlow's answers, under its own names (in snake case here, in camel case there)."""

import binascii
from base64 import b64decode
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from rhumbline.gateways.fields import Answer, RawAmount
from rhumbline.gateways.svm.address import is_address

MOST_TABLES = 16
_LONGEST = 2048


def _address(value: object) -> str:
    if not isinstance(value, str) or not is_address(value):
        raise ValueError("must be a Solana address")
    return value


def _transaction(value: object) -> bytes:
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError("must be a transaction in base64")
    try:
        return b64decode(value, validate=True)
    except binascii.Error:
        raise ValueError("must be a transaction in base64") from None


class DflowAnswer(Answer):
    """Fields are named in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class Table(DflowAnswer):
    """A lookup table that the transaction uses; what DFlow says is in it is not read."""

    address: Annotated[str, BeforeValidator(_address)]


class Order(DflowAnswer):
    """A swap and its transaction, which nobody has signed; amounts in raw units."""

    input_mint: str
    in_amount: RawAmount
    output_mint: str
    out_amount: RawAmount
    min_out_amount: RawAmount
    slippage_bps: int
    platform_fee: object = None
    price_impact_pct: object = None
    execution_mode: str
    transaction: Annotated[bytes, BeforeValidator(_transaction)]
    last_valid_block_height: int | None = None
    compute_unit_limit: int | None = None
    address_lookup_tables: list[Table] | None = Field(None, max_length=MOST_TABLES)
