"""The events of a quote stream: an adapter's quote or refusal. Optionals without a value are left out, never null."""

from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.fees import ParsedFees, to_fees
from rhumbline.api.wire.quote import OpenAdapterKey
from rhumbline.api.wire.shape import RawAmount, Wire
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate


class QuoteEvent(Wire):
    """An adapter's offer: nothing is built or simulated yet, and the fees do not include gas."""

    adapter: OpenAdapterKey
    output_amount: RawAmount
    min_output_amount: RawAmount
    fees: ParsedFees
    estimated_time_sec: int | MISSING = MISSING
    input_amount: (
        Annotated[RawAmount, Field(description="With `tradeType=EXACT_OUTPUT` only. Beyond the contract.")] | MISSING
    ) = MISSING


class RefusalEvent(Wire):
    """Why an adapter offers nothing."""

    adapter: OpenAdapterKey
    kind: Annotated[str, Field(description="As in `details.adapters` of an error.")]
    reason: str


def to_event(outcome: Estimate | Refusal) -> QuoteEvent | RefusalEvent:
    if isinstance(outcome, Refusal):
        return RefusalEvent(adapter=outcome.adapter, kind=outcome.kind, reason=outcome.reason)
    return QuoteEvent(
        adapter=outcome.adapter,
        output_amount=str(outcome.output_amount),
        min_output_amount=str(outcome.min_output_amount),
        fees=to_fees(outcome.fees, outcome.currency),
        estimated_time_sec=MISSING if outcome.seconds is None else outcome.seconds,
        input_amount=MISSING if outcome.input_amount is None else str(outcome.input_amount),
    )
