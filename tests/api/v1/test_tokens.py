"""Listed tokens, by chain."""

import pytest

from tests.api.api_service import (
    SOLANA_ID,
)
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import faults

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


@pytest.mark.parametrize("path", ["/v1/tokens", "/v1/tools"])
@pytest.mark.parametrize("chains", ["777", "1,777", "1,,8453", "", "nope"])
async def test_an_unknown_chain_in_a_list(client: Client, path: str, chains: str) -> None:
    (fault,) = faults(await client.ask(path, {"chains": chains}), 400, "VALIDATION_ERROR")
    assert fault.startswith("chains ")
