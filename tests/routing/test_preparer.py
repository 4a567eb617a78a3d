"""What is settled before anybody is asked."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from rhumbline.domain.errors import NoAvailableQuotes, NoRoute
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import QuoteRequest
from rhumbline.routing.planner import Planner
from rhumbline.routing.preparer import LARGEST_AMOUNT, LARGEST_USD
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import Toy

MILLIONTHS = 10**6


def dollars(chain_id: int, token: str) -> PriceSnapshot:
    return PriceSnapshot(chain_id, token, Decimal(1), "test", datetime.now(UTC), False, PriceTier.HOT, False)


@pytest.mark.parametrize(
    ("amount", "priced", "asked"),
    [
        (2**255, False, False),
        (LARGEST_AMOUNT + 1, False, False),
        (LARGEST_AMOUNT, False, True),
        (LARGEST_USD * MILLIONTHS + 1, True, False),
        (LARGEST_USD * MILLIONTHS, True, True),
    ],
)
async def test_nobody_is_asked_for_an_amount_that_nobody_has(
    quotes: QuoteFixture, amount: int, priced: bool, asked: bool
) -> None:
    """Upstreams answer it as if they were broken, and would be paused for everybody."""
    seen: list[int] = []

    async def act(request: QuoteRequest) -> int:
        seen.append(request.amount)
        raise NoRoute("none")

    service = quotes.with_(
        Toy("TOY", act, chains=(quotes.chain.id,)), **({"prices": dollars} if priced else {})
    ).service
    request = quotes.ask("USDC", "WETH", amount)
    with pytest.raises(NoAvailableQuotes) as raised:
        await service.answer(request)
    assert bool(seen) is asked
    assert asked or raised.value.message.startswith("No adapter is asked: amount: ")
    seen.clear()
    with pytest.raises(NoAvailableQuotes):
        await Planner(service, (KEY,)).routes(request, 1)
    assert bool(seen) is asked
