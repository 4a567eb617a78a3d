"""The fields that are read of DFlow's answers, under its own names (snake case here, camel case there)."""

from pydantic import Field

from rhumbline.gateways.upstreams.fields import CamelAnswer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import Base64Bytes, SvmAddress

MOST_TABLES = 16


class Table(CamelAnswer):
    """A lookup table of the transaction; DFlow's statement of its contents is not read."""

    address: SvmAddress


class Order(CamelAnswer):
    """A swap and its unsigned transaction; amounts in raw units."""

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
