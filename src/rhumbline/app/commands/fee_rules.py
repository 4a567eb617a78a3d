"""Reading and printing fee rules in commands, and the fee wallets that are refused."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated

import typer

from rhumbline.accounts.integrators import canonical_wallet, to_decimal
from rhumbline.api.portal.wallet_checks import own_contracts
from rhumbline.app.chains import known_to
from rhumbline.app.settings import Settings
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.fee import FeeRule

LARGEST_SHARE = Decimal("0.1")
"""The limit of either share, as in the settings: the Diamond takes a fifth of the input at most, for both together."""
_DECIMALS = 18

ServiceShare = Annotated[
    str | None, typer.Option(help="The service's share of every input, at most 0.1: 0.001 is 0.1 %.")
]
LargestShare = Annotated[str | None, typer.Option(help="The largest fee that the integrator may ask for, at most 0.1.")]


def read_shares(service: str | None, largest: str | None, *, default: bool) -> dict[str, Fraction]:
    """Return given shares by fields of `FeeRule`; raise InvalidRequest with every fault. ``default`` goes alone."""
    if default == (service is not None or largest is not None):
        raise InvalidRequest(["fees: give --service-share, --largest-share or both; or --default alone"])
    texts = {"service_share": service, "largest_integrator_share": largest}
    shares: dict[str, Fraction] = {}
    faults = []
    for name, text in texts.items():
        if text is None:
            continue
        share = _share(text)
        if share is None:
            faults.append(
                f"{name}: must be a number from 0 to {LARGEST_SHARE} with at most 18 decimals; 0.001 is 0.1 %"
            )
        else:
            shares[name] = share
    if faults:
        raise InvalidRequest(faults)
    return shares


def _share(text: str) -> Fraction | None:
    try:
        number = Decimal(text)
        # Looked at before it becomes a fraction, which of 1e-999999999 would take all memory.
        fits = 0 <= number <= LARGEST_SHARE and number == round(number, _DECIMALS)
    except InvalidOperation:
        return None
    return Fraction(number) if fits else None


def rule_of_settings(settings: Settings) -> FeeRule:
    return FeeRule(Fraction(settings.fees.service_share), Fraction(settings.fees.largest_integrator_share))


def in_words(rule: FeeRule, whose: str) -> str:
    shares = [
        format(to_decimal(share).normalize(), "f") for share in (rule.service_share, rule.largest_integrator_share)
    ]
    return f"service share {shares[0]}, largest integrator share {shares[1]} ({whose})"


def refuse_own_contracts(settings: Settings, wallet: str | None) -> None:
    """Refuse a contract of the service's own as a fee wallet, as the portal does; other faults are found later."""
    address, _ = canonical_wallet(ChainType.EVM, wallet)
    if address is not None and address in own_contracts(known_to(settings)):
        raise InvalidRequest(["evm_wallet: is a contract of the service itself, where fees would be lost"])
