"""A route as a plan of steps, each a transaction of its own, with its expected output."""

from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from math import prod

from rhumbline.domain.route import FeeBreakdown, Order, RouteOffer, RouteRequest


class StepType(StrEnum):
    """The type of a step: a swap on one chain, or a transfer to another."""

    SWAP = "swap"
    BRIDGE = "bridge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep(RouteOffer):
    """One transaction of a plan; ``min_output_amount`` is its guarantee for its input.

    ``request`` asks for this step alone: its signer, receiver and amount. ``quote_amount`` is the upstream's input,
    after fees. ``fee_proof`` shows that a later step's fees were taken on the first one; None if this step takes them.
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
    """The first step that must be on chain before a later step is free of fees: its sender, token and amount.

    ``amount`` is in raw units, fees included. ``charged``: the service's fee must have been paid with it.
    """

    chain_id: int
    sender: str
    integrator: str
    token: str
    amount: int
    charged: bool


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A consistent step for which a client requests the transaction.

    ``request`` asks for this step alone, with the present amount and receiver. ``fees_taken`` is the client's claim,
    ``fee_proof`` its proof. ``route_id`` and ``index`` are as the client sent them.
    """

    route_id: str
    index: int
    tool: str
    request: RouteRequest
    fees_taken: bool = False
    fee_proof: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A route: its steps in order, the first of which takes the fees; every plan has a new ``id``.

    ``fees`` are those of all steps, totalled in the origin's token. ``tags`` are the orders in which no other plan
    found is better.
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
    def surplus(self) -> int | None:
        """How much more than the wanted output is expected; None where none was named."""
        wanted = self.request.wanted_output
        return None if wanted is None else self.output_amount - wanted

    @property
    def seconds(self) -> int | None:
        """The sum of the durations that bridges state; None if none does."""
        stated = [step.seconds for step in self.steps if step.seconds is not None]
        return sum(stated) if stated else None

    @property
    def price_impact(self) -> Fraction | None:
        """The share of its value that all steps together lose; None where it is unknown of one of them."""
        stated = [step.price_impact for step in self.steps if step.price_impact is not None]
        return Fraction(1 - prod(1 - each for each in stated)) if len(stated) == len(self.steps) else None

    @property
    def trust_assumptions(self) -> tuple[str, ...]:
        """The trust assumptions of all steps, each sentence once."""
        return tuple(dict.fromkeys(sentence for step in self.steps for sentence in step.trust_assumptions))
