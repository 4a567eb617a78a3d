"""Answers are kept as long as they would be given again, and no longer."""

from rhumbline.api.v1.prices import PRICES
from rhumbline.domain.price import PriceTier
from tests.api.api_service import USDC, USDT
from tests.api.v1.conftest import Counter


async def test_a_price_from_the_first_question_to_a_stale_answer(counter: Counter) -> None:
    question = {"chainId": "1", "token": USDC}
    unseen = {"chainId": 1, "token": USDC, "stale": True, "tier": "cold", "refreshing": True}
    assert await counter.prices(question) == [unseen]
    assert counter.exchange.calls() == 0
    await counter.book.refresh_due()
    fresh = {
        "chainId": 1,
        "token": USDC,
        "priceUSD": "1.0001",
        "source": "defillama",
        "updatedAt": "2026-03-04T05:06:07.000Z",
        "stale": False,
        "tier": "hot",
        "refreshing": False,
    }
    assert await counter.prices(question) == [fresh]
    counter.clock.move(seconds=60)
    assert await counter.prices(question) == [{**fresh, "refreshing": True}]
    counter.clock.move(seconds=0.001)
    assert await counter.prices(question) == [{**fresh, "stale": True, "refreshing": True}]
    calls = counter.exchange.calls()
    counter.exchange.defillama.mode = "down"
    await counter.book.refresh_due()
    assert await counter.prices(question) == [{**fresh, "stale": True, "refreshing": True}]
    assert counter.exchange.calls() == calls + 1


async def test_an_answer_is_never_kept_by_others(counter: Counter) -> None:
    answer = await counter.client.ask(PRICES, {"tokens": f"1:{USDC}"})
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"
    assert "x-request-id" in answer.headers


async def test_the_same_question_sees_tokens_that_were_listed_since(counter: Counter) -> None:
    """What is kept of a question is kept for one version of the lists; faults are not kept at all."""
    for _ in range(2):
        assert (await counter.client.ask(PRICES, {"chainId": "1", "token": "NOPE"})).status == 404
        (price,) = await counter.prices({"chainId": "1", "token": "usdt"})
        assert price["token"] == USDT
        assert price["tier"] in set(PriceTier)
