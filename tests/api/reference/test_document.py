"""The OpenAPI document: true of the answers, closed over its examples, and the same as the file in docs/."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from rhumbline.api.wire.quote_request import ANSWER_PARAMETERS
from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.adapter import Capability
from tests.api.api_service import KEY, TX_ID, ApiService
from tests.api.conftest import Client
from tests.api.reference.write_document import FILE, default_document
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD


def closed(schema: Any) -> Any:
    """The same schema, with objects that may hold nothing but what it names."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) if key != "examples" else value for key, value in schema.items()}
    if "properties" in copy and isinstance(copy.get("type"), str):
        copy.setdefault("additionalProperties", False)
    return copy


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    schemas = closed(document["components"]["schemas"])
    return Draft202012Validator({**schema, "components": {"schemas": schemas}}, format_checker=FormatChecker())


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


REQUESTS = [
    ("/v1/quotes", GOOD, 200),
    ("/v1/quotes", FROM_SOLANA, 200),
    ("/v1/quotes", {}, 400),
    ("/v1/quotes", {**GOOD, "senderAddress": "0x1"}, 400),
    ("/v1/quotes", {**GOOD, "originChainId": "777"}, 404),
    ("/v1/chains", {}, 200),
    ("/v1/chains", {"chainTypes": "X"}, 400),
    ("/v1/token", {"chain": "1", "token": "USDC"}, 200),
    ("/v1/token", {"chain": "8453", "token": "ETH"}, 200),
    ("/v1/token", {"chain": "1", "token": "NOPE"}, 404),
    ("/v1/tokens", {}, 200),
    ("/v1/tools", {}, 200),
    ("/v1/tokenlists/{chainId}.json", {"chainId": "1"}, 200),
    ("/v1/transactions", {}, 200),
    ("/v1/transactions", {"limit": "0"}, 400),
    ("/v1/transactions", {"integrator": "rival"}, 403),
    ("/v1/transactions/{lookupKey}", {"lookupKey": TX_ID}, 200),
    ("/v1/transactions/{lookupKey}", {"lookupKey": "nope"}, 404),
    ("/v1/transactions/{lookupKey}/status", {"lookupKey": TX_ID}, 200),
    ("/v1/status/{transactionId}", {"transactionId": TX_ID}, 200),
    ("/v1/status/{transactionId}", {"transactionId": "nope"}, 404),
    ("/v1/prices", {"tokens": "1:USDC,777:A"}, 200),
    ("/v1/prices", {"chainId": "1"}, 400),
    ("/health", {}, 200),
    ("/v1/health", {}, 200),
    ("/health/live", {}, 200),
    ("/health/ready", {}, 200),
]


@pytest.mark.parametrize(("path", "query", "status"), REQUESTS)
@pytest.mark.parametrize("full", [True, False])
async def test_answers_are_what_the_document_says(
    client: Client, api_service: ApiService, path: str, query: dict[str, str], status: int, full: bool
) -> None:
    api_service.full = full or query == GOOD
    if query == FROM_SOLANA:
        api_service.full = False
    document = (await client.ask("/openapi.json")).json
    in_path = {name: value for name, value in query.items() if f"{{{name}}}" in path}
    rest = {name: value for name, value in query.items() if name not in in_path}
    answer = await client.ask(path.format(**in_path), rest, headers={"x-api-key": KEY})
    assert answer.status == status, answer.text
    described = document["paths"][path]["get"]["responses"][str(status)]
    validator(document, described["content"]["application/json"]["schema"]).validate(answer.json)
    for name in described["headers"]:
        assert name == "X-Api-Key-Status" or name.lower() in {header.lower() for header in answer.headers}


@pytest.mark.parametrize("path", sorted({path for path, _, status in REQUESTS if status == 200}))
async def test_an_answer_that_is_kept_is_described(
    client: Client, api_service: ApiService, document: dict[str, Any], path: str
) -> None:
    """Who sends a tag describes it, and who describes it sends it and honours it."""
    query = next(query for where, query, status in REQUESTS if (where, status) == (path, 200))
    in_path = {name: value for name, value in query.items() if f"{{{name}}}" in path}
    rest = {name: value for name, value in query.items() if name not in in_path}
    first = await client.ask(path.format(**in_path), rest, headers={"x-api-key": KEY})
    operation = document["paths"][path]["get"]
    named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"}
    assert ("ETag" in first.headers) == ("304" in operation["responses"]) == ("If-None-Match" in named)
    if "ETag" not in first.headers:
        return
    assert re.search(document["components"]["headers"]["ETag"]["schema"]["pattern"], first.headers["ETag"])
    kept = {"x-api-key": KEY, "if-none-match": first.headers["ETag"]}
    again = await client.ask(path.format(**in_path), rest, headers=kept)
    assert (again.status, again.text) == (304, "")
    assert again.headers["ETag"] == first.headers["ETag"]
    described = operation["responses"]["304"]
    assert "content" not in described
    assert set(described["headers"]) == {"X-Request-Id", "X-Api-Key-Status", "ETag"}
    other = await client.ask(path.format(**in_path), rest, headers={**kept, "if-none-match": '"another"'})
    assert (other.status, other.text) == (200, first.text)


async def test_not_ready_is_described(client: Client, api_service: ApiService) -> None:
    api_service.dependencies["store"] = "down"
    answer = await client.ask("/health/ready")
    document = default_document()
    described = document["paths"]["/health/ready"]["get"]["responses"]["503"]
    validator(document, described["content"]["application/json"]["schema"]).validate(answer.json)


def test_the_validator_would_notice(document: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/Health"}
    assert list(validator(document, schema).iter_errors({"status": "ok", "more": 1}))
    assert list(validator(document, schema).iter_errors({}))


def test_the_file_in_docs_is_current(document: dict[str, Any]) -> None:

    assert json.loads(FILE.read_text("utf-8")) == document, "run: python -m tests.api.reference.write_document"


def test_every_parameter_is_described_by_its_rule(document: dict[str, Any]) -> None:
    parameters = document["paths"]["/v1/quotes"]["get"]["parameters"]
    names = [parameter.name for parameter in ANSWER_PARAMETERS]
    assert [parameter["name"] for parameter in parameters] == [*names, "x-api-key"]
    assert [parameter["name"] for parameter in parameters if parameter["required"]] == list(GOOD)
    for path, operation in operations(document):
        assert set(re.findall(r"{(\w+)}", path)) == {
            parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"
        }
        for parameter in operation["parameters"]:
            Draft202012Validator.check_schema(parameter["schema"])
            if parameter["name"] == "x-api-key":
                # The page that shows the document would send an example.
                assert parameter["schema"] == {"type": "string"}
                continue
            for example in parameter["schema"]["examples"]:
                Draft202012Validator(parameter["schema"]).validate(example)


def test_examples_of_parameters_are_accepted() -> None:
    for parameter in ANSWER_PARAMETERS:
        parameter.rule.read(parameter.example)


def test_an_adapter_that_joins_later_breaks_no_route_step_tool_or_event(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name, member in (
        ("AdvancedRoute", "adapter"),
        ("Step", "tool"),
        ("PostedStep", "tool"),
        ("Tool", "key"),
        ("QuoteEvent", "adapter"),
        ("RefusalEvent", "adapter"),
    ):
        validator(document, schemas[name]["properties"][member]).validate("JOINS_LATER")
    assert schemas["QuoteResponse"]["properties"]["adapter"]["enum"] == list(KNOWN_ADAPTERS)


def paths_of(schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """The paths of all members that a schema requires."""
    for name in schema.get("required", ()):
        yield f"{at}{name}"
        yield from paths_of(schema["properties"][name], f"{at}{name}.")


async def test_a_stream_is_a_text_whose_events_are_described(client: Client, document: dict[str, Any]) -> None:
    """As an object, clients that are made of the document failed at every answer."""
    content = document["paths"]["/v1/quotes/stream"]["get"]["responses"]["200"]["content"]
    schema = content["text/event-stream"]["schema"]
    assert schema["type"] == "string"
    answer = await client.ask("/v1/quotes/stream", GOOD)
    validator(document, schema).validate(answer.text)
    names = {"quote": "QuoteEvent", "refusal": "RefusalEvent", "answer": "QuoteResponse", "error": "StandardError"}
    events = [dict(line.split(": ", 1) for line in event.split("\n")) for event in answer.text.strip().split("\n\n")]
    assert [event["event"] for event in events][-1] == "answer"
    for event in events:
        described = {"$ref": f"#/components/schemas/{names[event['event']]}"}
        validator(document, described).validate(json.loads(event["data"]))


def test_the_page_names_the_keys_of_each_filter(document: dict[str, Any]) -> None:
    page = (FILE.parent / "api.md").read_text("utf-8")
    for filters, kind in (
        ("`includeBridges`, `excludeBridges`", Capability.BRIDGE),
        ("`includeExchanges`, `excludeExchanges`", Capability.EXCHANGE),
        ("all four", Capability.MULTI),
    ):
        (keys,) = re.findall(rf"\| {filters} \|(.*)\|", page)
        named = {key for key, own in KNOWN_ADAPTERS.items() if own is kind}
        assert set(re.findall(r"`([A-Z_]+)`", keys)) == named
    for parameter in document["paths"]["/v1/quotes"]["get"]["parameters"]:
        if parameter["name"].endswith(("Bridges", "Exchanges")):
            kind = Capability.BRIDGE if parameter["name"].endswith("Bridges") else Capability.EXCHANGE
            valid = {key for key, own in KNOWN_ADAPTERS.items() if own in (kind, Capability.MULTI)}
            assert set(re.findall(r"`([A-Z_]+)`", parameter["description"])) == valid
