"""The pools that an answer trades with. Optionals without a value are left out, never null."""

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import DecimalText, RawAmount, Wire, decimal_text
from rhumbline.api.wire.token import Decimals
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.pool_plan import PoolPlan, PoolTrade

_SHARE_PLACES = 10**6
_GAP_PLACES = 10**4


class LiquidityBlock(Wire):
    """The block whose state the amounts are exact for."""

    number: int
    hash: Annotated[str, Field(pattern="^0x[0-9a-f]{64}$")]


class LiquidityToken(Wire):
    """A token between two pools, or at either end; native assets are wrapped before they are traded."""

    address: str
    symbol: str | MISSING = MISSING
    decimals: Decimals | MISSING = MISSING


class LiquidityHop(Wire):
    """The input and output of one pool."""

    source: Annotated[str, Field(description="Whose pool it is.", examples=["UNISWAP_V3"])]
    kind: Annotated[str, Field(description="The pool's design; new ones may join.", examples=["v2", "v3"])]
    pool: Annotated[str, Field(description="Its address, or its ID where one contract has many pools.")]
    fee: Annotated[DecimalText, Field(description="Share of its input that the pool keeps: 0.0005 is 0.05 %.")]
    token_in: LiquidityToken
    token_out: LiquidityToken
    amount_in: RawAmount
    amount_out: RawAmount
    share: Annotated[DecimalText, Field(description="The part of all of `tokenIn` that goes through this pool.")]


class LiquidityBound(Wire):
    """The upper bound of all plans over the same pools, and how far below it this plan is."""

    amount: RawAmount
    gap_bps: Annotated[float, Field(description="In basis points, rounded up to four places.")]


class Liquidity(Wire):
    """A plan over pools, exact for one block. Amounts are of the plan: after fees, and before any simulation."""

    block: LiquidityBlock
    input_amount: RawAmount
    output_amount: RawAmount
    net_output_amount: Annotated[
        str, Field(pattern=r"^(0|-?[1-9][0-9]*)$", description="The output less the gas of its hops, in its own token.")
    ]
    bound: Annotated[LiquidityBound, Field(description="Of the output.")]
    net_bound: Annotated[LiquidityBound, Field(description="Of the output less gas.")]
    hops: Annotated[list[LiquidityHop], Field(description="In the order of their execution.")]


UsedLiquidity = Annotated[
    Liquidity, Field(description="ONCHAIN only: the pools that are traded with. Beyond the contract.")
]


def liquidity_of(plan: PoolPlan) -> Liquidity:
    return Liquidity(
        block=LiquidityBlock(number=plan.block, hash=plan.block_hash),
        input_amount=str(plan.input),
        output_amount=str(plan.output),
        net_output_amount=str(floor(plan.net)),
        bound=_bound(plan.bound, Fraction(plan.output)),
        net_bound=_bound(plan.net_bound, plan.net),
        hops=[_hop(plan, trade) for trade in plan.trades],
    )


def _hop(plan: PoolPlan, trade: PoolTrade) -> LiquidityHop:
    return LiquidityHop(
        source=trade.source,
        kind=trade.kind,
        pool=trade.pool,
        fee=_share(trade.fee),
        token_in=_token(plan, trade.token_in),
        token_out=_token(plan, trade.token_out),
        amount_in=str(trade.amount_in),
        amount_out=str(trade.amount_out),
        share=_share(trade.share),
    )


def _token(plan: PoolPlan, address: str) -> LiquidityToken:
    token = plan.tokens.get(address)
    if token is None:
        return LiquidityToken(address=address)
    return LiquidityToken(address=address, symbol=token.symbol, decimals=token.decimals)


def _bound(bound: Fraction, reached: Fraction) -> LiquidityBound:
    """Round the bound down: no plan has a part of a unit. The gap is rounded up."""
    gap = max(Fraction(0), (bound - reached) / bound) if bound else Fraction(0)
    return LiquidityBound(
        amount=str(max(floor(bound), 0)), gap_bps=ceil(gap * BASIS_POINTS * _GAP_PLACES) / _GAP_PLACES
    )


def _share(share: Fraction) -> str:
    """Write a share with six places, to the nearest."""
    return decimal_text(Decimal(round(share * _SHARE_PLACES)) / _SHARE_PLACES)
