"""Token lists of EVM chains."""

import pytest

from rhumbline.domain.chain import NATIVE_EVM
from tests.api.api_service import OTHER_WALLET, SOLANA_ID, USDC, USDT
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("api_service")


async def test_a_token_list_is_where_the_chain_says(client: Client) -> None:
    answer = await client.ask("/v1/tokenlists/1.json")
    assert answer.json["name"] == "Rhumbline Ethereum"
    assert answer.json["version"] == {"major": 1, "minor": 0, "patch": 0}
    tokens = answer.json["tokens"]
    assert isinstance(tokens, list)
    assert [token["address"] for token in tokens] == [NATIVE_EVM, USDC, USDT, OTHER_WALLET]
    assert set(tokens[1]) == {"chainId", "address", "name", "decimals", "symbol", "logoURI"}


@pytest.mark.parametrize("name", ["777", "eth", str(SOLANA_ID), "9" * 300])
async def test_no_token_list(client: Client, name: str) -> None:
    answer = await client.ask(f"/v1/tokenlists/{name}.json")
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")
