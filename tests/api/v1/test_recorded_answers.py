"""Requests without the optional parameters are answered as before there were any: the same to the byte.

`recorded_answers.json` was written before them, with `RECORD_ANSWERS=1`: a new field stays out of every answer whose
request does not ask for it.
"""

import json
import os
from pathlib import Path
from typing import Any

from rhumbline.domain import errors
from tests.api.api_service import SOLANA_ID, SOLANA_USDC, SOLANA_WALLET, USDC, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import BODY, FOREIGN
from tests.api.v1.test_stream import ESTIMATE, REFUSAL
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD, TO_SOLANA

FILE = Path(__file__).with_name("recorded_answers.json")
_WITHOUT_AMOUNT = {name: value for name, value in GOOD.items() if name != "amount"}
QUERIES: list[tuple[str, dict[str, str]]] = [
    ("/v1/quotes", GOOD),
    ("/v1/quotes", {**GOOD, "slippage": "0.01", "order": "FASTEST", "integrator": "rival", "fee": "0.1"}),
    ("/v1/quotes", {**GOOD, "slippageMode": "auto", "includeExchanges": "ONCHAIN", "explain": "true"}),
    ("/v1/quotes", {**TO_SOLANA, "receiverAddress": SOLANA_WALLET}),
    ("/v1/quotes", FROM_SOLANA),
    ("/v1/quotes", {**FROM_SOLANA, "amount": str(2**64)}),
    ("/v1/quotes", {**GOOD, "amount": "0"}),
    ("/v1/quotes", {**GOOD, "senderAddress": "nobody"}),
    ("/v1/quotes", {**GOOD, "slippage": "2", "fee": "0.2", "order": "BEST"}),
    ("/v1/quotes", _WITHOUT_AMOUNT),
    ("/v1/quotes", {}),
    ("/v1/quotes/stream", GOOD),
    ("/v1/quotes/stream", {**GOOD, "destinationCurrency": USDC}),
]
BODIES: list[tuple[str, object]] = [
    ("/v1/advanced/routes", BODY),
    ("/v1/advanced/routes", {**BODY, "slippage": 0.01, "maxRoutes": 3, "integrator": "rival", "fee": 0.1}),
    ("/v1/advanced/routes", {**BODY, "amount": 5}),
    (
        "/v1/advanced/routes",
        {**BODY, "destinationChainId": SOLANA_ID, "destinationCurrency": SOLANA_USDC, "receiverAddress": SOLANA_WALLET},
    ),
    ("/v1/advanced/stepTransaction", FOREIGN),
    ("/v1/advanced/stepTransaction", {**FOREIGN, "context": {"senderAddress": WALLET}}),
]


async def test_answers_are_as_they_were(client: Client, api_service: ApiService) -> None:
    api_service.told = [ESTIMATE, REFUSAL]
    found = await _answers(client, api_service)
    if os.environ.get("RECORD_ANSWERS") == "1":
        FILE.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(FILE.read_text())


async def _answers(client: Client, api_service: ApiService) -> list[dict[str, Any]]:
    """Every request with everything that an answer can have, with nothing optional, and with no quote."""
    found: list[dict[str, Any]] = []
    for kind in ("full", "bare", "none"):
        api_service.full = kind == "full"
        api_service.failure = (
            errors.NoAvailableQuotes("No adapter has one", {"message": []}) if kind == "none" else None
        )
        for path, query in QUERIES:
            answer = await client.ask(path, query)
            found.append({"kind": kind, "path": path, "asked": query, "status": answer.status, "text": answer.text})
        for path, body in BODIES:
            data = json.dumps(body).encode()
            answer = await client.ask(path, method="POST", headers={"content-type": "application/json"}, data=data)
            found.append({"kind": kind, "path": path, "asked": body, "status": answer.status, "text": answer.text})
    return found
