"""What a pair of tokens is worth in each other, without a transaction."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from rhumbline.domain.chain import Chain
from rhumbline.domain.price import ratio
from rhumbline.domain.token import Token


@dataclass(frozen=True, slots=True)
class PairRequest:
    """A checked request: ``amount`` in raw units of the origin token, before the service's fee; no wallets."""

    origin: Chain
    destination: Chain
    origin_token: str
    destination_token: str
    amount: int


class PairSource(StrEnum):
    """Where an indicative price is from: pools of the chain, at a block, or the prices of both tokens in USD."""

    POOLS = "POOLS"
    PRICES = "PRICES"


@dataclass(frozen=True, slots=True)
class IndicativePrice:
    """About what ``request`` would bring, in raw units, rounded down: computed at ``at``, guaranteed by nobody."""

    request: PairRequest
    origin_token: Token
    destination_token: Token
    output_amount: int
    source: PairSource
    at: datetime

    @property
    def rate(self) -> Decimal:
        """Whole destination tokens for a whole origin token, to 18 significant digits, rounded down."""
        received = Decimal(self.output_amount * 10**self.origin_token.decimals)
        return ratio(received, Decimal(self.request.amount * 10**self.destination_token.decimals))
