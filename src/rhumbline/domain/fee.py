"""Fees: their rules, the amounts taken, and their itemised form in an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from rhumbline.domain.chain import ChainType
from rhumbline.domain.token import Token

_LARGEST_SHARES: Mapping[ChainType, Fraction] = MappingProxyType(
    # On EVM chains the Diamond refuses more. Elsewhere only this service does.
    {ChainType.EVM: Fraction(1, 5), ChainType.SVM: Fraction(1, 5)}
)


def largest_share(chain_type: ChainType) -> Fraction:
    """Return the most of an input that all fees together may take on a chain of this type."""
    return _LARGEST_SHARES[chain_type]


class FeeType(StrEnum):
    """The types of a fee item: those of the contract, and what native on arrival costs."""

    GAS = "gas"
    RELAYER = "relayer"
    RELAYER_GAS = "relayerGas"
    RELAYER_SERVICE = "relayerService"
    CAPITAL = "capital"
    LP = "lp"
    APP = "app"
    TOTAL = "total"
    DESTINATION_GAS = "destinationGas"


class FeeKind(StrEnum):
    """Who earns a fee that the Diamond takes; the value is the ``kind`` in its events."""

    SERVICE = "service"
    INTEGRATOR = "integrator"


@dataclass(frozen=True, slots=True)
class FeeItem:
    """One item of an answer's breakdown: ``amount`` in raw units of ``token``.

    ``unit_usd`` is the USD value of a whole token, None without a price. ``included``: already deducted from input or
    output; otherwise the wallet pays it beside the amount, or ``paid_by`` does, another wallet.
    """

    type: FeeType
    amount: int
    token: Token
    unit_usd: Decimal | None = None
    included: bool = True
    paid_by: str | None = None


@dataclass(frozen=True, slots=True)
class Charge:
    """A fee the Diamond takes from the input: ``amount`` in raw units of the input token, paid to ``recipient``."""

    kind: FeeKind
    recipient: str
    amount: int


@dataclass(frozen=True, slots=True)
class FeeRule:
    """The fees of a caller: the service's share of the input, and the largest share that an integrator may ask."""

    service_share: Fraction = Fraction(0)
    largest_integrator_share: Fraction = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class ChainWallets:
    """One party's fee wallets: a canonical address per chain type, None if it earns no fee there."""

    evm: str | None = None
    svm: str | None = None

    def of(self, chain_type: ChainType) -> str | None:
        return {ChainType.EVM: self.evm, ChainType.SVM: self.svm}[chain_type]
