"""What a service answers about chains, tokens and trades, as tests have it."""

from typing import Any

from tests.clients.python.scripted_service import Reply

TIME = "2026-01-01T00:00:00.000Z"
CHAINS, TOKENS, TOKEN = "GET /v1/chains", "GET /v1/tokens", "GET /v1/token"
QUOTES = "GET /v1/quotes"
ALICE = "0x" + "a1" * 20
ID = "0x" + "ab" * 32


def chain(number: int, key: str, name: str, kind: str = "EVM") -> dict[str, Any]:
    native = {**token(number, "ETH", address="0x" + "00" * 20, decimals=18), "name": "Ether"}
    return {
        "id": number, "key": key, "name": name, "chainType": kind, "idHex": hex(number), "mainnet": True, "logoURI": "",
        "rpcUrls": [], "nativeToken": native, "served": True,
    }  # fmt: skip


def token(chain_id: int, symbol: str, *, address: str, decimals: int = 6, name: str = "A token") -> dict[str, Any]:
    return {
        "address": address, "symbol": symbol, "decimals": decimals, "chainId": chain_id, "name": name,
        "coinKey": symbol, "priceStale": False, "priceTier": "cold", "logoURI": "",
    }  # fmt: skip


def quote(**more: Any) -> dict[str, Any]:
    fees = {
        "total": {"amount": "1", "currencySymbol": "USDC", "currencyAddress": "0x", "chainId": 1, "decimals": 6},
        "breakdown": [],
    }
    return {
        "inputAmount": "1500000", "outputAmount": "2000000", "adapter": "ONCHAIN", "transactionId": ID,
        "calldata": {"to": "0x" + "cc" * 20, "value": "0x0", "data": "0x01"}, "fees": fees, **more,
    }  # fmt: skip


USDC, WETH = "0x" + "01" * 20, "0x" + "02" * 20
ONE_CHAIN = {
    CHAINS: [Reply(body={"chains": [chain(1, "eth", "Ethereum")]})],
    TOKENS: [Reply(body={"1": [token(1, "USDC", address=USDC), token(1, "WETH", address=WETH, decimals=18)]})],
}
"""A chain with two tokens."""
SWAP: dict[str, Any] = {"from_chain": "eth", "from_token": "USDC", "to_token": "WETH", "amount": "1.5"}
