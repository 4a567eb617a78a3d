"""``GET /v1/requests/{requestId}``: an integrator's own requests; a foreign one is like an unknown one."""

import pytest

from rhumbline.domain.account import EVERY_SCOPE, ApiClient, KeyScope, KeyTerms
from rhumbline.domain.trail import (
    AnswerNote,
    AskedNote,
    CallNote,
    Compared,
    KeptTrail,
    Leaving,
    OfferNote,
    Phase,
    TokenNote,
    TrailBody,
    TrailPart,
    TryNote,
)
from tests.api.api_service import ACME, KEY, NOW, TX_ID, USDC, USDT, ApiService
from tests.api.conftest import Client

PATH = "/v1/requests/"
WITH_KEY = {"x-api-key": KEY}
PART = TrailPart(
    TokenNote(1, USDC, "USDC", 6),
    TokenNote(1, USDT, "USDT", 6),
    "2000000",
    "RECOMMENDED",
    (CallNote("ONCHAIN", "quote", "answered", 12), CallNote("ONCHAIN", "build", "answered", 3)),
    (
        OfferNote("ONCHAIN", "1999000", "1990000", Compared("1999000", "1999000", "100000", 0, "0")),
        OfferNote("RELAY", "1998000", "1990000", Compared("1998000", "1998000", "200000", 0, "0")),
    ),
    (TryNote("ONCHAIN", "SUCCESS", "1999000", "21000", Compared("1999000", "1999000", "100000", 0, "0")),),
    (Leaving("ACROSS", Phase.SELECTION, "unsupported", "does not swap on one chain"),),
    "ONCHAIN",
    "0.000001",
)
ASKED = AskedNote(1, 1, USDC, USDT, "2000000", "RECOMMENDED", "0.005", exclude_bridges=("RELAY",))
BODY = TrailBody(ASKED, (PART,), (AnswerNote(("ONCHAIN",), "1999000", "1990000", TX_ID),))


def trail(name: str, integrator: str | None, body: TrailBody = BODY) -> KeptTrail:
    return KeptTrail(name, "/v1/quotes", NOW, integrator, 1, 200, "", 71, TX_ID, body)


async def test_an_own_request_is_explained(client: Client, api_service: ApiService) -> None:
    api_service.kept = [trail("mine", "Acme")]
    answer = await client.ask(PATH + "mine", headers=WITH_KEY)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert "access-control-allow-origin" not in answer.headers
    (request,) = answer.json["requests"]
    assert (request["requestId"], request["status"], request["durationMs"]) == ("mine", 200, 71)
    assert request["asked"]["excludeBridges"] == ["RELAY"]
    assert request["answers"] == [
        {"adapters": ["ONCHAIN"], "outputAmount": "1999000", "minOutputAmount": "1990000", "transactionId": TX_ID}
    ]
    (part,) = request["parts"]
    onchain, relay, across = part["adapters"]
    assert (onchain["verdict"], onchain["quoteMs"], onchain["buildMs"], onchain["simulation"]) == (
        "chosen", 12, 3, "SUCCESS",
    )  # fmt: skip
    assert relay["verdict"] == "not_built"
    assert relay["lessUsd"] == "0.101000"
    assert relay["why"] == "promises 1.998 USDT less 0.2 USD of costs: 0.101 USD or 5.05 % less than ONCHAIN"
    assert across == {
        "adapter": "ACROSS", "verdict": "not_asked", "kind": "unsupported", "why": "does not swap on one chain"
    }  # fmt: skip
    assert "keyId" not in request


async def test_what_failed_early_has_no_parts(client: Client, api_service: ApiService) -> None:
    api_service.kept = [trail("mine", "Acme", TrailBody(message="amount must be whole"))]
    (request,) = (await client.ask(PATH + "mine", headers=WITH_KEY)).json["requests"]
    assert (request["parts"], request["message"]) == ([], "amount must be whole")
    assert "asked" not in request


async def test_a_foreign_request_is_like_an_unknown_one(client: Client, api_service: ApiService) -> None:
    api_service.kept = [trail("theirs", "rival"), trail("anonymous", None)]
    told = []
    for name in ("theirs", "anonymous", "nothing"):
        answer = await client.ask(PATH + name, headers=WITH_KEY)
        told.append((answer.status, {**answer.json, "path": None}, len(answer.headers)))
    assert told[0][0] == 404
    assert told[0] == told[1] == told[2]


async def test_a_key_of_the_right_scope_is_needed(client: Client, api_service: ApiService) -> None:
    assert (await client.ask(PATH + "mine")).status == 401
    assert (await client.ask(PATH + "mine", headers={"x-api-key": "rl_live_nobody"})).status == 401
    api_service.key_owner = ApiClient(ACME, 1, terms=KeyTerms(EVERY_SCOPE - {KeyScope.TRACKING}))
    assert (await client.ask(PATH + "mine", headers=WITH_KEY)).status == 403


@pytest.mark.parametrize("name", ["a%20b", "x" * 67, "%00", "a%0a", "%C3%BC"])
async def test_what_is_no_id_is_said_to_be_none(client: Client, api_service: ApiService, name: str) -> None:
    answer = await client.ask(PATH + name, headers=WITH_KEY)
    assert answer.status == 400, answer.text
    assert answer.json["details"]["message"][0].startswith("requestId must be an X-Request-Id")
