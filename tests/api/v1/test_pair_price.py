"""Indicative prices over HTTP: what is answered, and what is wrong with a request."""

import pytest

from rhumbline.domain.errors import NoAvailableQuotes
from tests.api.api_service import SOLANA_ID, SOLANA_USDC, USDC, USDT, ApiService
from tests.api.conftest import Client

PAIR = {
    "originChainId": "1", "destinationChainId": "1", "originCurrency": USDC, "destinationCurrency": USDT,
    "amount": "1000000",
}  # fmt: skip


async def test_it_says_what_it_is(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/prices/pair", PAIR)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.json == {
        "indicative": True,
        "inputAmount": "1000000",
        "outputAmount": "2000000",
        "rate": "2",
        "source": "POOLS",
        "originToken": {"address": USDC, "symbol": "USDC", "decimals": 6, "chainId": 1},
        "destinationToken": {"address": USDT, "symbol": "USDT", "decimals": 6, "chainId": 1},
        "at": "2026-03-04T05:06:07.089Z",
    }
    assert api_service.asked == []
    assert api_service.admission.in_progress == 0


@pytest.mark.parametrize(
    ("changed", "status", "words"),
    [
        ({"amount": "0"}, 400, "amount must be"),
        ({"amount": "1.5"}, 400, "amount must be"),
        ({"amount": ""}, 400, "amount is empty"),
        ({"destinationCurrency": USDC}, 400, "destinationCurrency names the same token"),
        ({"originCurrency": "USDC"}, 400, "originCurrency must be a token's address"),
        ({"originChainId": "77"}, 404, "originChainId names"),
        (
            {"originChainId": str(SOLANA_ID), "originCurrency": SOLANA_USDC, "amount": str(2**64)},
            400,
            "amount must be at most 18446744073709551615",
        ),
    ],
)
async def test_what_is_wrong_is_named(
    client: Client, api_service: ApiService, changed: dict[str, str], status: int, words: str
) -> None:
    answer = await client.ask("/v1/prices/pair", {**PAIR, **changed})
    assert (answer.status, api_service.pairs) == (status, [])
    assert words in answer.text


async def test_no_price_is_no_zero(client: Client, api_service: ApiService) -> None:
    api_service.failure = NoAvailableQuotes("Nothing says what this pair is worth", {"message": ["X: unknown"]})
    answer = await client.ask("/v1/prices/pair", PAIR)
    assert (answer.status, answer.json["code"]) == (422, "NO_AVAILABLE_QUOTES")


async def test_it_waits_for_a_place_as_quotes_do(client: Client, api_service: ApiService) -> None:
    api_service.admission.at_once = 0
    answer = await client.ask("/v1/prices/pair", PAIR)
    assert (answer.status, api_service.pairs) == (503, [])
