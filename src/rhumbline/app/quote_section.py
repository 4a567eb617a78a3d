"""The settings of quotes: how long they may take, and what they may lose, gain and cost."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, model_validator

from rhumbline.app.sections import Section, Share


class GainSettings(Section):
    """How much more than its input an output may be worth at known prices, by the kind of pair."""

    same_asset: Share = Decimal("0.005")
    stable: Share = Decimal("0.01")
    major: Share = Decimal("0.03")
    long_tail: Share = Decimal("0.1")


class SideCostSettings(Section):
    """The largest fee and rent of one Solana transaction: in USD, and as a share of the amount."""

    usd: Annotated[Decimal, Field(gt=0, le=10_000)] = Decimal(10)
    share: Annotated[Decimal, Field(gt=0, le=100)] = Decimal("0.5")


class UnitPriceSettings(Section):
    """The bounds of the price of a compute unit on Solana, in millionths of a lamport."""

    least: Annotated[int, Field(ge=0, le=10_000_000)] = 10_000
    most: Annotated[int, Field(ge=0, le=10_000_000)] = 1_000_000

    @model_validator(mode="after")
    def _in_order(self) -> "UnitPriceSettings":
        if self.least > self.most:
            raise ValueError("least must be at most most")
        return self


class QuoteSettings(Section):
    """How long a quote may take and how long its transaction is valid; the deadlines in milliseconds."""

    soft_deadline_ms: Annotated[int, Field(ge=50, le=30_000)] = 1200
    hard_deadline_ms: Annotated[int, Field(ge=50, le=60_000)] = 4000
    simulation_budget_ms: Annotated[int, Field(ge=50, le=30_000)] = 1500
    transaction_ttl_s: Annotated[int, Field(ge=30, le=86_400)] = 1200
    largest_loss: Share = Decimal("0.2")
    largest_gain: GainSettings = GainSettings()
    largest_side_cost: SideCostSettings = SideCostSettings()
    solana_unit_price: UnitPriceSettings = UnitPriceSettings()
