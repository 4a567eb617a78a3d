"""A record in the contract's words, whole and in short."""

from tests.api.api_service import TX_HASH, TX_ID, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_transactions import LIST, NOW, WITH_KEY


async def test_one_transaction(client: Client, api_service: ApiService) -> None:
    for key in (TX_ID, TX_HASH):
        answer = await client.ask(f"{LIST}/{key}", headers=WITH_KEY)
        assert (answer.status, answer.json["transactionId"]) == (200, TX_ID)
    assert api_service.found == [("Acme", TX_ID), ("Acme", TX_HASH)]


async def test_its_status(client: Client, api_service: ApiService) -> None:
    answer = await client.ask(f"{LIST}/{TX_ID}/status", headers=WITH_KEY)
    assert answer.json == {
        "id": "1-cd-0",
        "transactionId": TX_ID,
        "sourceTxHash": TX_HASH,
        "destTxHash": TX_HASH,
        "status": "success",
        "substatus": "done",
        "statusSource": "analytics",
        "updatedAt": NOW,
    }
