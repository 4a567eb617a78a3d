"""Whether a request's amount is what is sent, or what the receiver gets. Beyond the contract."""

from fractions import Fraction

from rhumbline.api.parameters.parameter import Choice, Parameter, Reading
from rhumbline.domain.route import TradeType

_MOST_SLIPPAGE = Fraction(1, 2)
"""With a larger one more than twice the input would be sent for an output."""
TRADE_TYPE = Parameter(
    "tradeType",
    Choice(tuple(TradeType)),
    "With `EXACT_OUTPUT` the `amount` is what the receiver gets at least, in the destination token's smallest units, "
    "and the answer's `inputAmount` is what has to be sent. Default: `EXACT_INPUT`. Beyond the contract.",
    "EXACT_INPUT",
    remedy="EXACT_INPUT or EXACT_OUTPUT",
)


def check_exact_output(reading: Reading, slippage: Fraction | None) -> None:
    """Note a slippage that an exact output cannot have: the client's bound, None if it does not count."""
    if slippage is not None and slippage > _MOST_SLIPPAGE:
        reading.fault("slippage", "must be at most 0.5 with tradeType EXACT_OUTPUT: the input grows with it")
