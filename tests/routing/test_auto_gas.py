"""How much ``auto`` is: ten ordinary swaps at the destination's price, and never more than five dollars."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.route import RouteRequest
from rhumbline.routing.auto_gas import with_gas_settled
from rhumbline.routing.quote_prices import no_prices
from tests.routing.venues import USDC, WALLET, toy_chain

ASKED = RouteRequest(
    toy_chain(1), toy_chain(2), USDC, USDC, 10**9, WALLET, WALLET, ApiClient(), auto_destination_gas=True
)


@dataclass
class Network:
    """A chain whose gas has a price; ``wei`` None: no node says."""

    wei: int | None

    async def price(self, chain: object, /) -> Any:
        return None if self.wei is None else self

    def cost(self, units: int, /) -> int:
        return units * (self.wei or 0)


def at(usd: str) -> Any:
    seen = datetime(2026, 11, 28, tzinfo=UTC)
    return lambda chain, token: PriceSnapshot(
        chain, token, Decimal(usd), "test", seen, stale=False, tier=PriceTier.HOT, refreshing=False
    )


@pytest.mark.parametrize(
    ("wei", "prices", "amount"),
    [
        (10**8, no_prices, 2 * 10**14),
        (10**8, at("2000"), 2 * 10**14),
        (10**11, at("2000"), 25 * 10**14),
        (10**11, at("3000"), 5 * 10**18 // 3000),
        (0, no_prices, 1),
    ],
)
async def test_auto_is_ten_swaps_within_five_dollars(wei: int, prices: Any, amount: int) -> None:
    composers: Any = {ChainType.EVM: Network(wei)}
    settled = await with_gas_settled(ASKED, composers, prices)
    assert (settled.destination_gas, settled.auto_destination_gas) == (amount, False)
    assert await with_gas_settled(settled, {}, prices) is settled


async def test_without_a_gas_price_an_amount_must_be_named() -> None:
    several: Any = ({ChainType.EVM: Network(None)}, {})
    for known in several:
        with pytest.raises(NoAvailableQuotes, match=r"^destinationGas: "):
            await with_gas_settled(replace(ASKED), known, no_prices)
