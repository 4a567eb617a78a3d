"""What each adapter does within a step's transaction, and a step's tokens."""

from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.quote import OpenAdapterKey
from rhumbline.api.wire.shape import RawAmount, Wire
from rhumbline.api.wire.token import Decimals
from rhumbline.domain.plan import StepType
from rhumbline.domain.route import RouteOffer
from rhumbline.domain.token import Token


class StepToken(Wire):
    """A step's input or output token."""

    address: str
    symbol: str
    decimals: Decimals
    chain_id: int


class IncludedStep(Wire):
    """What one adapter does within a step's transaction."""

    type: StepType
    tool: OpenAdapterKey
    from_token: StepToken
    to_token: StepToken
    from_amount: RawAmount
    to_amount: Annotated[RawAmount, Field(description="As it was quoted; no guarantee.")]


def included_steps(offer: RouteOffer) -> list[IncludedStep] | MISSING:
    found = [
        IncludedStep(
            type=StepType.SWAP if part.origin_token.chain_id == part.destination_token.chain_id else StepType.BRIDGE,
            tool=part.adapter,
            from_token=step_token(part.origin_token),
            to_token=step_token(part.destination_token),
            from_amount=str(part.input_amount),
            to_amount=str(part.output_amount),
        )
        for part in offer.parts
    ]
    return found or MISSING


def step_token(token: Token) -> StepToken:
    return StepToken(address=token.address, symbol=token.symbol, decimals=token.decimals, chain_id=token.chain_id)
