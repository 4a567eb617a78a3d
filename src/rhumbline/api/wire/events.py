"""The events of a quote stream: an adapter's quote or refusal. Optionals without a value are left out, never null."""

from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.fees import ParsedFees, to_fees
from rhumbline.api.wire.quote import OpenAdapterKey
from rhumbline.api.wire.shape import RawAmount, Wire
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate


class QuoteEvent(Wire):
    """What an adapter offers, as it says: nothing is built or run yet, and gas is not among the fees."""

    adapter: OpenAdapterKey
    output_amount: RawAmount
    min_output_amount: RawAmount
    fees: ParsedFees
    estimated_time_sec: int | MISSING = MISSING


class RefusalEvent(Wire):
    """Why an adapter offers nothing."""

    adapter: OpenAdapterKey
    kind: Annotated[str, Field(description="As in `details.adapters` of an error.")]
    reason: str


def to_event(told: Estimate | Refusal) -> QuoteEvent | RefusalEvent:
    if isinstance(told, Refusal):
        return RefusalEvent(adapter=told.adapter, kind=told.kind, reason=told.reason)
    return QuoteEvent(
        adapter=told.adapter,
        output_amount=str(told.output_amount),
        min_output_amount=str(told.min_output_amount),
        fees=to_fees(told.fees, told.currency),
        estimated_time_sec=MISSING if told.seconds is None else told.seconds,
    )
