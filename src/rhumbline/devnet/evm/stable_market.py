"""Pools of USDT and DAI of kinds whose code is in no npm package: Curve, Solidly, Slipstream.

No other pool joins the two directly, so an order between them is split over these and paths through USDC.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.devnet.evm.fork_pools import deploy_fork_pools
from rhumbline.devnet.evm.operator import Operator, encoded
from rhumbline.devnet.evm.pools import DECIMALS, raw_amount, sqrt_price_x96
from rhumbline.devnet.evm.rate_pools import StableTerms, deploy_rate_pools
from rhumbline.devnet.pool import Pool

SYMBOLS = ("USDT", "DAI")
CURVE_USD, SOLIDLY_USD, SLIPSTREAM_USD = 60_000, 900_000, 60_000
_SPACING, _WIDTH = 1, 8
# Solidly's fee is 0.05 %, the others' 0.01 %: it has more DAI, which makes up for that in one direction.
_MAX = 2**256 - 1


@dataclass(frozen=True, slots=True)
class StableMarket:
    """The factories, by the names in the sandbox's file, and the pools."""

    contracts: Mapping[str, str]
    pools: tuple[Pool, ...]


async def open_stable_market(
    operator: Operator, codes: Mapping[str, bytes], tokens: Mapping[str, str], depth: int
) -> StableMarket:
    """Deploy the factories and create a pool of each kind; ``depth`` scales amounts, in percent."""
    forks, rates = await deploy_fork_pools(operator, codes), await deploy_rate_pools(operator)
    names = sorted(SYMBOLS, key=lambda symbol: int(tokens[symbol], 16))
    order, places = (names[0], names[1]), [tokens[symbol] for symbol in names]

    def amounts(usd: int) -> list[int]:
        return [raw_amount(symbol, usd) * depth // 100 for symbol in names]

    terms = StableTerms((places[0], places[1]), (DECIMALS[names[0]], DECIMALS[names[1]]))
    curve = await rates.stable(terms, amounts(CURVE_USD))
    uneven = [
        amount * (114 if symbol == "DAI" else 100) // 100
        for symbol, amount in zip(names, amounts(SOLIDLY_USD), strict=True)
    ]
    solidly = await forks.solidly(places, uneven, stable=True)
    slipstream = await forks.slipstream(places, _SPACING, sqrt_price_x96(*order, 20, first_is_token0=True))
    for token in places:
        await operator.send(token, encoded("approve(address,uint256)", forks.position_manager, _MAX))
    slot0 = await operator.read(slipstream, encoded("slot0()"), "uint160", "int24")
    tick = int(str(slot0[1]))
    await forks.add(places, _SPACING, (tick - _WIDTH, tick + _WIDTH), amounts(SLIPSTREAM_USD))
    return StableMarket(
        {
            "stable_factory": rates.stable_factory,
            "solidly_factory": forks.solidly_factory,
            "slipstream_factory": forks.slipstream_factory,
        },
        (
            Pool("curve", curve, order, 100),
            Pool("solidly", solidly, order, 500),
            Pool("slipstream", slipstream, order, 100),
        ),
    )
