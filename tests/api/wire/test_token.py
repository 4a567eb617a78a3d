"""A token in the contract's words, with and without a price."""

from rhumbline.domain.chain import NATIVE_EVM
from tests.api.api_service import USDC
from tests.api.conftest import Client


async def test_a_token_with_and_without_a_price(client: Client) -> None:
    assert (await client.ask("/v1/token", {"chain": "1", "token": "USDC"})).json == {
        "address": USDC,
        "symbol": "USDC",
        "decimals": 6,
        "chainId": 1,
        "name": "USD Coin",
        "coinKey": "USDC",
        "priceUSD": "1.0001",
        "priceUpdatedAt": "2026-03-04T05:06:07.089Z",
        "priceSource": "pool",
        "priceStale": False,
        "priceTier": "hot",
        "logoURI": "https://logos.example/usdc.svg",
    }
    bare = (await client.ask("/v1/token", {"chain": "base", "token": "ETH"})).json
    assert bare == {
        "address": NATIVE_EVM,
        "symbol": "ETH",
        "decimals": 18,
        "chainId": 8453,
        "name": "Ether",
        "coinKey": "ETH",
        "logoURI": f"http://127.0.0.1:8700/logos/ETH/{NATIVE_EVM}.svg",
        "priceStale": True,
        "priceTier": "cold",
    }
