"""The fields that are read of Jupiter's answers, under its own names (snake case here, camel case there).

The blockhash and the tips are not read: the service has its own. ``percent`` of a route is a float and not needed.
"""

from typing import Any

from pydantic import Field

from rhumbline.gateways.upstreams.fields import CamelAnswer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import AnsweredInstruction, SvmAddress

EXACT_OUT = "ExactOut"


class QuoteAnswer(CamelAnswer):
    """A price; amounts in raw units."""

    input_mint: SvmAddress
    output_mint: SvmAddress
    in_amount: RawAmount
    out_amount: RawAmount
    swap_mode: str


class BuildAnswer(CamelAnswer):
    """A quote and its instructions; amounts in raw units.

    Lists of tables contain duplicates, and the whole may be null. The tables' stated contents are used only for the
    size of a transaction.
    """

    input_mint: SvmAddress
    output_mint: SvmAddress
    in_amount: RawAmount
    out_amount: RawAmount
    other_amount_threshold: RawAmount
    swap_mode: str
    slippage_bps: int
    price_impact_pct: object = None
    compute_budget_instructions: list[AnsweredInstruction] = Field(default_factory=list)
    setup_instructions: list[AnsweredInstruction]
    swap_instruction: AnsweredInstruction
    cleanup_instruction: AnsweredInstruction | None = None
    other_instructions: list[AnsweredInstruction] | None = None
    tip_instruction: Any = None
    addresses_by_lookup_table_address: dict[SvmAddress, list[SvmAddress]] | None = None
