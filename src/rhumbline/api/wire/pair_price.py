"""Indicative prices of pairs: the parameters, and the answer."""

from typing import Annotated, Literal

from pydantic import Field

from rhumbline.api.parameters.addresses import judged, read_currency
from rhumbline.api.parameters.parameter import Parameter, Reading, required
from rhumbline.api.wire.included_step import StepToken
from rhumbline.api.wire.quote_request import (
    AMOUNT,
    DESTINATION_CHAIN,
    DESTINATION_CURRENCY,
    ORIGIN_CHAIN,
    ORIGIN_CURRENCY,
)
from rhumbline.api.wire.shape import Number, RawAmount, Timestamp, Wire
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.amount import MAX_SVM
from rhumbline.domain.chain import ChainType
from rhumbline.domain.indicative import IndicativePrice, PairRequest, PairSource
from rhumbline.domain.token import Token

PAIR_PARAMETERS: tuple[Parameter[object], ...] = (
    ORIGIN_CHAIN, DESTINATION_CHAIN, ORIGIN_CURRENCY, DESTINATION_CURRENCY, AMOUNT,
)  # fmt: skip


class PairPrice(Wire):
    """About what an amount would bring. No quote: nothing was built or simulated, and nobody guarantees it."""

    indicative: Literal[True]
    input_amount: RawAmount
    output_amount: RawAmount
    rate: Annotated[Number, Field(description="Whole destination tokens for a whole origin token.")]
    source: Annotated[
        PairSource,
        Field(
            description="`POOLS`: what pools of the chain would pay now, less the service's fee. `PRICES`: both "
            "tokens' cached prices in USD, less that fee: without costs and price impact of any exchange or bridge."
        ),
    ]
    origin_token: StepToken
    destination_token: StepToken
    at: Annotated[Timestamp, Field(description="When it was computed; it may be a second old.")]


def parse_pair_request(reading: Reading, chains: ChainCatalog) -> PairRequest:
    """Parse and check the parameters without any I/O.

    Raise InvalidRequest with all faults at once; NotFound when a chain is not served and nothing else is wrong.
    """
    origin, destination = reading.chain(ORIGIN_CHAIN, chains), reading.chain(DESTINATION_CHAIN, chains)
    amount = reading.take(AMOUNT)
    if amount is not None and origin is not None and origin.type is ChainType.SVM and amount > MAX_SVM:
        reading.fault(AMOUNT.name, f"must be at most {MAX_SVM} (2^64-1) on {origin.name}; got {amount}")
    sold, bought = reading.take(ORIGIN_CURRENCY), reading.take(DESTINATION_CURRENCY)
    origin_token = judged(read_currency, reading.fault, ORIGIN_CURRENCY, sold, origin)
    destination_token = judged(read_currency, reading.fault, DESTINATION_CURRENCY, bought, destination)
    if origin is not None and origin is destination and origin_token is not None and origin_token == destination_token:
        reading.fault(
            DESTINATION_CURRENCY.name,
            "names the same token on the same chain as originCurrency: name another token or chain",
        )
    reading.finish()
    return PairRequest(
        required(origin), required(destination), required(origin_token), required(destination_token), required(amount)
    )


def to_pair_price(price: IndicativePrice) -> PairPrice:
    return PairPrice(
        indicative=True,
        input_amount=str(price.request.amount),
        output_amount=str(price.output_amount),
        rate=price.rate,
        source=price.source,
        origin_token=_token(price.origin_token),
        destination_token=_token(price.destination_token),
        at=price.at,
    )


def _token(token: Token) -> StepToken:
    return StepToken(address=token.address, symbol=token.symbol, decimals=token.decimals, chain_id=token.chain_id)
