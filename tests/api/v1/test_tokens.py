"""Listed tokens, by chain."""

import pytest

from tests.api.api_service import SOLANA_ID
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("api_service")


@pytest.mark.parametrize(
    ("query", "chains"),
    [
        ({}, ["1", "8453", str(SOLANA_ID)]),
        ({"chains": "8453,eth"}, ["1", "8453"]),
        ({"chains": " bas "}, ["8453"]),
        ({"chainTypes": "SVM"}, [str(SOLANA_ID)]),
        ({"chainTypes": "SVM", "chains": "1"}, []),
    ],
)
async def test_tokens_by_chain(client: Client, query: dict[str, str], chains: list[str]) -> None:
    answer = await client.ask("/v1/tokens", query)
    assert (answer.status, list(answer.json)) == (200, chains)
    assert "null" not in answer.text
