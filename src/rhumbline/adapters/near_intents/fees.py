"""What the service keeps, itemised in our words."""

from decimal import Context

from rhumbline.adapters.near_intents.wire import Echo, QuoteFields
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest

_EXACT = Context(prec=1000)


def read_fees(fields: QuoteFields, echo: Echo, request: QuoteRequest) -> tuple[FeeItem, ...]:
    """List what the service keeps: its share of the input, rounded down, and the payment's gas in the output token."""
    shares = [int(_EXACT.multiply(fee.fee, fields.amount_in)) // BASIS_POINTS for fee in echo.app_fees or ()]
    fees = [FeeItem(FeeType.RELAYER_SERVICE, share, request.origin_token) for share in shares if share]
    if fields.withdraw_fee:
        fees.append(FeeItem(FeeType.RELAYER_GAS, fields.withdraw_fee, request.destination_token))
    return tuple(fees)
