"""A route as a plan of steps, each a transaction of its own, with what it is expected to bring."""

from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from math import prod

from rhumbline.domain.route import FeeBreakdown, Order, RouteOffer, RouteRequest


class StepType(StrEnum):
    """What a step does: trade on one chain, or move to another."""

    SWAP = "swap"
    BRIDGE = "bridge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep(RouteOffer):
    """One transaction of a plan; ``min_output_amount`` is what it guarantees for what it is given.

    ``request`` is the question that asks for this step alone: who signs it, who has its output, how much goes in.
    ``quote_amount`` is what the upstream was asked with, after fees. ``fee_proof`` shows of a later step that the fees
    were taken on the first one; None where this step takes them.
    """

    quote_amount: int
    fee_proof: str | None = None

    @classmethod
    def of(cls, offer: RouteOffer, quote_amount: int) -> "PlannedStep":
        """Return an offer as a step of its own, which takes the fees."""
        return cls(**{each.name: getattr(offer, each.name) for each in fields(RouteOffer)}, quote_amount=quote_amount)

    @property
    def type(self) -> StepType:
        return StepType.SWAP if self.request.origin.id == self.request.destination.id else StepType.BRIDGE


@dataclass(frozen=True, slots=True)
class FirstStep:
    """What must have been made on chain for a later step to be free of fees: who paid with what, and how much of it.

    ``amount`` is in raw units, fees included. ``charged`` tells that the service's fee must have been paid with it.
    """

    chain_id: int
    sender: str
    integrator: str
    token: str
    amount: int
    charged: bool


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A step that a caller wants as a transaction, checked in itself.

    ``request`` asks for this step alone, with the amount and the receiver that hold now. ``fees_taken`` tells that the
    caller says so, ``fee_proof`` is what it shows for it. ``route_id`` and ``index`` are the caller's words.
    """

    route_id: str
    index: int
    tool: str
    request: RouteRequest
    fees_taken: bool = False
    fee_proof: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A route: its steps in their order, the first of which takes the fees; ``id`` is new for every plan.

    ``fees`` are those of all steps, totalled in the origin's token. ``tags`` are the orders in which none of the plans
    that were found is better.
    """

    id: str
    request: RouteRequest
    steps: tuple[PlannedStep, ...]
    fees: FeeBreakdown
    tags: tuple[Order, ...] = ()

    @property
    def output_amount(self) -> int:
        return self.steps[-1].output_amount

    @property
    def min_output_amount(self) -> int:
        return self.steps[-1].min_output_amount

    @property
    def seconds(self) -> int | None:
        """What all bridges on the way say together; None where there is none."""
        told = [step.seconds for step in self.steps if step.seconds is not None]
        return sum(told) if told else None

    @property
    def price_impact(self) -> Fraction | None:
        """The share of its value that all steps together lose; None where it is unknown of one of them."""
        told = [step.price_impact for step in self.steps if step.price_impact is not None]
        return Fraction(1 - prod(1 - each for each in told)) if len(told) == len(self.steps) else None

    @property
    def trust_assumptions(self) -> tuple[str, ...]:
        """What the steps have to be believed in, each sentence once."""
        return tuple(dict.fromkeys(sentence for step in self.steps for sentence in step.trust_assumptions))
