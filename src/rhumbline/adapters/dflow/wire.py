"""What is read of DFlow's answers, under its own names (in snake case here, in camel case there)."""

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from rhumbline.gateways.upstreams.fields import Answer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import Base64Bytes, SvmAddress

MOST_TABLES = 16


class DflowAnswer(Answer):
    """Fields are named in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class Table(DflowAnswer):
    """A lookup table that the transaction uses; what DFlow says is in it is not read."""

    address: SvmAddress


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
    transaction: Base64Bytes
    last_valid_block_height: int | None = None
    compute_unit_limit: int | None = None
    address_lookup_tables: list[Table] | None = Field(None, max_length=MOST_TABLES)
