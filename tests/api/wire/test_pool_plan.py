"""The pools of an answer, in the contract's words."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.api.wire.pool_plan import liquidity_of
from rhumbline.api.wire.quote import to_quote
from rhumbline.domain.pool_plan import PoolPlan, PoolTrade
from tests.api.api_service import TOKENS, TX_HASH, USDC, USDT, ApiService, bare_answer
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import GOOD

POOL = "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640"
BETWEEN = "0x00000000000000000000000000000000000A11cE"
TRADES = (
    PoolTrade("UNISWAP_V3", "v3", POOL, Fraction(1, 2000), USDC, BETWEEN, 2, 9, Fraction(2, 3)),
    PoolTrade("UNISWAP_V2", "v2", TX_HASH, Fraction(3, 1000), USDC, USDT, 1, 7, Fraction(1, 3)),
)
PLAN = PoolPlan(
    12, TX_HASH, TRADES, {USDC: TOKENS[0]}, 3, 7, Fraction(13, 2), Fraction(7) + Fraction(1, 10**9), Fraction(8)
)


async def test_pools_are_told_where_the_adapter_chose_them(client: Client, api_service: ApiService) -> None:
    await client.ask("/v1/quotes", GOOD)
    bare = bare_answer(api_service.asked[0])
    told = to_quote(replace(bare, pool_plan=PLAN)).model_dump(by_alias=True)
    usdc = {"address": USDC, "symbol": TOKENS[0].symbol, "decimals": TOKENS[0].decimals}
    liquidity = told.pop("liquidity")
    assert told == to_quote(bare).model_dump(by_alias=True), "nothing else of the answer changes"
    assert liquidity == {
        "block": {"number": 12, "hash": TX_HASH},
        "inputAmount": "3",
        "outputAmount": "7",
        "netOutputAmount": "6",
        "bound": {"amount": "7", "gapBps": 0.0001},
        "netBound": {"amount": "8", "gapBps": 1875.0},
        "hops": [
            {
                "source": "UNISWAP_V3",
                "kind": "v3",
                "pool": POOL,
                "fee": "0.0005",
                "tokenIn": usdc,
                "tokenOut": {"address": BETWEEN},
                "amountIn": "2",
                "amountOut": "9",
                "share": "0.666667",
            },
            {
                "source": "UNISWAP_V2",
                "kind": "v2",
                "pool": TX_HASH,
                "fee": "0.003",
                "tokenIn": usdc,
                "tokenOut": {"address": USDT},
                "amountIn": "1",
                "amountOut": "7",
                "share": "0.333333",
            },
        ],
    }


@pytest.mark.parametrize(
    ("bound", "net", "gaps"),
    [
        (Fraction(0), Fraction(-5), (0.0, 16250.0)),
        (Fraction(6999, 1000), Fraction(8), (0.0, 0.0)),
        (Fraction(10**12), Fraction(0), (10_000.0, 10_000.0)),
    ],
)
async def test_gaps_are_rounded_up_and_never_negative(
    client: Client, api_service: ApiService, bound: Fraction, net: Fraction, gaps: tuple[float, float]
) -> None:
    await client.ask("/v1/quotes", GOOD)
    plan = replace(PLAN, bound=bound, net=net)
    told = liquidity_of(plan)
    assert (told.bound.gap_bps, told.net_bound.gap_bps) == gaps
