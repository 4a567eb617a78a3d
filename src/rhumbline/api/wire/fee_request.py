"""The integrator of a quote and its fee."""

from fractions import Fraction

from rhumbline.api.parameters.parameter import Parameter, Reading, Share, Text
from rhumbline.domain.account import ApiClient, Integrator

_LARGEST_FEE = Fraction(1, 10)
INTEGRATOR_NAME = Text(31, r"^[A-Za-z0-9._-]{1,31}$", "1 to 31 letters, digits, points, hyphens or underscores")
INTEGRATOR = Parameter(
    "integrator",
    INTEGRATOR_NAME,
    "Integrator of the transaction and its fee. Default: the key's own.",
    "acme",
    remedy="an integrator's name",
)
FEE = Parameter(
    "fee",
    Share(_LARGEST_FEE, "0.01 is 1 %"),
    "The integrator's fee as a fraction of the amount; needs an integrator.",
    "0.01",
    remedy="a fraction from 0 to 0.1",
)


def check_fee(reading: Reading, caller: ApiClient, name: str | None, fee: Fraction | None) -> None:
    """Note what is wrong with the fee and whom it is for, as far as these could be read."""
    if name is not None and caller.integrator is not None and not same_integrator(name, caller.integrator):
        reading.fault(
            INTEGRATOR.name,
            f"must be {caller.integrator.name}, the API key's integrator, or be left out; got {name!r}",
        )
    if reading.has(FEE) and not reading.has(INTEGRATOR) and caller.integrator is None:
        reading.fault(
            INTEGRATOR.name,
            "is missing: it is required together with fee; name the integrator that earns it, or leave fee out",
        )
    limit = _LARGEST_FEE if caller.rule is None else min(_LARGEST_FEE, caller.rule.largest_integrator_share)
    if fee is not None and fee > limit:
        reading.fault(FEE.name, f"must be at most {float(limit):g}, the limit of this API key")


def same_integrator(name: str, integrator: Integrator) -> bool:
    """Return whether a name is this integrator's; names are unique without regard to case."""
    return name.lower() == integrator.name.lower()
