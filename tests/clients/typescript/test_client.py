"""The TypeScript client against the service's API, failing and older services, and nodes that lose what is sent."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.errors import AmountTooLow
from tests.api.api_service import TX_ID, USDC, USDT, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.reference.write_document import default_document
from tests.clients.python.scripted_service import Reply, ScriptedService, error, scripted
from tests.clients.python.test_client import NOT_FOR_CLIENTS, operations
from tests.clients.python.test_failing_services import DOCUMENT, ID, STATUS, TOOLS, older_document, status
from tests.clients.python.test_senders import PAYER, Solana, evm_quote, relay, solana
from tests.e2e.running_demo import ROOT
from tests.node_program import bundled

__all__ = ["solana"]
SCENARIOS = Path(__file__).with_name("scenarios.mts")
SOURCES = ROOT / "clients" / "typescript" / "src"
ASKED = {
    "senderAddress": WALLET,
    "originChainId": 1,
    "destinationChainId": 1,
    "originCurrency": USDC,
    "destinationCurrency": USDT,
    "amount": "1000000",
}


Run = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="module")
def run() -> Run:
    program = bundled(SCENARIOS)

    async def ran(scenario: str, url: str, **told: object) -> Any:
        command = ["node", str(program), scenario, json.dumps({"url": url, **told})]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        written, failed = await process.communicate()
        assert process.returncode == 0, failed.decode()
        return json.loads(written)

    return ran


@pytest.fixture
async def service() -> AsyncIterator[ScriptedService]:
    async with scripted() as running:
        yield running


def test_every_endpoint_of_the_document_has_a_method_and_no_other() -> None:
    text = "".join(path.read_text("utf-8") for path in SOURCES.glob("*.ts"))
    assert set(re.findall(r'"((?:GET|POST) /\S+)"', text)) == set(operations()) - NOT_FOR_CLIENTS


def test_parameters_are_those_of_the_document() -> None:
    text = (SOURCES / "parameters.ts").read_text("utf-8")
    (fields,) = re.findall(r"interface QuoteParameters \{(.*?)\n\}", text, re.S)
    ours = {name: mark == "" for name, mark in re.findall(r"^  (\w+)(\??):", fields, re.M)}
    documented = default_document()["paths"]["/v1/quotes"]["get"]["parameters"]
    assert ours == {each["name"]: each["required"] for each in documented if each["in"] == "query"}


async def test_the_services_answers_and_errors(run: Run, client: Client, one_service: ApiService) -> None:
    one_service.failure = AmountTooLow("too low", {"message": ["ACROSS: too low"], "minimum": "2500000"})
    number, share, low, routes, streamed, no_id = await run("asked", client.url, asked=ASKED)
    assert number["message"].startswith("amount is 1000000: give a bigint")
    assert share["message"].startswith("slippage is a number")
    assert (low["name"], low["code"]) == ("ServiceError", "AMOUNT_TOO_LOW")
    assert (routes["code"], streamed["code"], no_id["name"]) == ("AMOUNT_TOO_LOW", "AMOUNT_TOO_LOW", "TypeError")
    one_service.failure = None
    _, _, quote, routes, streamed, _ = await run("asked", client.url, asked=ASKED)
    assert quote["minOutputAmount"] == "1990000"
    assert routes > 0
    assert streamed[-1]["kind"] == "answer"
    (change,) = await run("followed", client.url, id=TX_ID)
    assert (change["type"], change["status"]["status"]) == ("transaction.final", "success")


async def test_what_is_repeated_and_what_is_not(run: Run, service: ScriptedService) -> None:
    body: dict[str, list[str]] = {"exchanges": [], "bridges": []}
    failures = [error(503, "UNKNOWN", retry_after="0"), Reply(breaks=True), error(429, "RATE_LIMIT", retry_after="0")]
    service.replies = {TOOLS: [*failures, Reply(body=body)]}
    assert await run("tools", service.url) == body
    assert service.asked == [TOOLS] * 4
    service.replies, service.asked = {TOOLS: [error(429, "RATE_LIMIT", retry_after="7200")]}, []
    refused = await run("tools", service.url)
    assert (refused["code"], refused["retryAfter"], service.asked) == ("RATE_LIMIT", 7200, [TOOLS])
    add = "POST /v1/webhooks"
    service.replies, service.asked = {add: [Reply(breaks=True)]}, []
    assert (await run("add", service.url))["name"] == "Unreachable"
    assert service.asked == [add]


async def test_an_older_service_is_done_without_or_said_plainly(run: Run, service: ScriptedService) -> None:
    quote = DOCUMENT["components"]["schemas"]["QuoteResponse"]["examples"][0]
    service.replies = {
        "GET /openapi.json": [Reply(body=older_document())],
        STATUS: [Reply(body=status("refunded"))],
        "GET /v1/quotes": [Reply(body=quote)],
    }
    followed, streamed, lacking, late = await run("older", service.url, asked=ASKED)
    assert [(each["type"], each["status"]["status"]) for each in followed] == [("transaction.final", "refunded")]
    assert streamed == [{"kind": "answer", "answer": quote}]
    assert lacking["name"] == "EndpointMissing"
    assert "no GET /v1/transactions/stream: it is older than this client" in lacking["message"]
    assert late["name"] == "TimedOut"
    assert f"{STATUS}/stream" in service.asked
    assert ID in STATUS


def written(quote: Any) -> dict[str, Any]:
    text: dict[str, Any] = quote.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return text


async def test_on_evm_chains_nothing_is_sent_twice(run: Run, sandbox: Sandbox) -> None:
    chain = sandbox.evm_chains[0]
    first, second, refused = written(evm_quote(11)), written(evm_quote(12)), written(evm_quote(13, value=hex(10**30)))
    expired = {**written(evm_quote(14)), "expiresAt": "2020-01-01T00:00:00.000Z"}
    async with relay(chain.rpc_url) as node:
        node.faults = ["answer", "request", "request"]
        quotes = [first, first, second, second, second, refused, expired]
        found = await run("evm", node.url, chainId=chain.id, key=PAYER.private_key, quotes=quotes)
        assert found[0] == found[1]
        assert [each.get("name") for each in found] == [
            None, None, "SendUncertain", "SendUncertain", None, "SendRefused", "Expired",
        ]  # fmt: skip
        assert found[2]["hash"] == found[4]["hash"]
        assert len(node.sent) == 5
        assert len(set(node.sent)) == 3


async def test_on_solana_nothing_is_sent_twice(run: Run, solana: Solana) -> None:
    quote, refused = written(await solana.quote(11)), written(await solana.quote(12, lamports=10**18))
    over = written(await solana.quote(13, past=10**6))
    solana.node.faults = ["answer"]
    found = await run("solana", solana.node.url, key=str(solana.wallet), quotes=[quote, quote, refused, over])
    assert found[0] == found[1]
    assert [each.get("name") for each in found] == [None, None, "SendRefused", "Expired"]
    assert len(solana.node.sent) == 2


async def test_on_solana_a_fee_payer_signs_beside_the_wallet(run: Run, solana: Solana) -> None:
    payer = keypair(7)
    quote, another = written(await solana.quote(14, fee_payer=payer)), written(await solana.quote(15, past=10**6))
    found = await run("solana", solana.node.url, key=str(solana.wallet), payer=str(payer), quotes=[quote, another])
    alone, over, together, no_place = found
    assert [each.get("name") for each in (alone, over, together, no_place)] == [
        "WrongWallet", "Expired", None, "WrongWallet",
    ]  # fmt: skip
    assert "hash" in together
    assert len(solana.node.sent) == 1
