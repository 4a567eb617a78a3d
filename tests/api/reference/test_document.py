"""The OpenAPI document: true of the answers, closed over its examples, and the same as the file in docs/."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from starlette.routing import Match

from rhumbline.api.http.errors import unexpected, write_error
from rhumbline.api.server.application import create_app
from rhumbline.api.wire.quote_request import QUOTE_PARAMETERS
from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.adapter import Capability
from rhumbline.domain.errors import InvalidRequest, KeyMissing, RhumblineError
from rhumbline.domain.quote import Refusal
from rhumbline.routing.refusals import no_quote
from tests.api.api_service import KEY, NOW, TX_ID, ApiService, services
from tests.api.conftest import Client
from tests.api.reference.write_document import FILE, default_document
from tests.api.v1.test_routes import BODY, FOREIGN, ROUTES, STEP, posted
from tests.api.v1.test_step_transaction import altered
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return default_document()


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
        (operation,) = methods.values()
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


def test_every_schema_is_valid_and_every_example_fits(document: dict[str, Any]) -> None:
    seen = 0
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        for example in schema.get("examples", []):
            validator(document, {"$ref": f"#/components/schemas/{name}"}).validate(example)
            seen += 1
    assert seen == 5


def test_every_parameter_is_described_by_its_rule(document: dict[str, Any]) -> None:
    parameters = document["paths"]["/v1/quotes"]["get"]["parameters"]
    names = [parameter.name for parameter in QUOTE_PARAMETERS]
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
    for parameter in QUOTE_PARAMETERS:
        parameter.rule.read(parameter.example)


def test_errors_and_keys_of_every_endpoint(document: dict[str, Any]) -> None:
    for path, operation in operations(document):
        statuses = set(operation["responses"])
        if path.startswith("/v1/transactions"):
            assert operation["security"] == [{"ApiKey": []}]
            assert statuses >= {"200", "400", "401", "429", "500", "503"}
        elif path.startswith("/v1/") and path != "/v1/health":
            assert operation["security"] == [{}, {"ApiKey": []}]
            assert statuses >= {"200", "429", "500"}
        else:
            assert operation["security"] == []
    assert set(document["paths"]["/v1/quotes"]["get"]["responses"]) >= {"400", "404", "422", "429", "502", "503"}
    assert "403" in document["paths"]["/v1/transactions"]["get"]["responses"]
    identifiers = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(identifiers)) == len(identifiers)


def test_a_key_is_a_parameter_too_for_clients_that_read_no_security_schemes(document: dict[str, Any]) -> None:
    for _, operation in operations(document):
        keys = [each for each in operation["parameters"] if each["in"] == "header" and each["name"] == "x-api-key"]
        assert len(keys) == int(operation["security"] != [])
        if keys:
            assert keys[0]["required"] is ({} not in operation["security"])


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


async def test_of_a_posted_step_no_more_is_demanded_than_the_service_reads(
    client: Client, document: dict[str, Any]
) -> None:
    schema = document["paths"]["/v1/advanced/stepTransaction"]["post"]["requestBody"]["content"]["application/json"]
    check = validator(document, {**schema["schema"], "additionalProperties": True})
    check.validate(FOREIGN)
    answered = (await posted(client, ROUTES, BODY)).json["routes"][0]["steps"][0]
    open_to_more = Draft202012Validator({**schema["schema"], "components": document["components"]})
    open_to_more.validate({"step": answered, "context": FOREIGN["context"]})
    needed = [f"step.{path}" for path in paths_of(document["components"]["schemas"]["PostedStep"])]
    needed += ["context.senderAddress", "context.receiverAddress"]
    assert len(needed) == 21
    for path in needed:
        without = altered(path, ...)
        assert list(check.iter_errors(without)), path
        assert (await posted(client, STEP, without)).status == 400, path


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


def test_headers_that_clients_wait_by_are_described(document: dict[str, Any]) -> None:
    limits = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    for path, operation in operations(document):
        counted = path.startswith("/v1/") and path != "/v1/health"
        for status, response in operation["responses"].items():
            has = set(response["headers"])
            assert (limits <= has) == (counted and status not in ("304", "414", "431")), (path, status)
            assert ("Retry-After" in has) == (status in ("429", "502", "503"))
            assert has <= set(document["components"]["headers"])


@pytest.mark.parametrize(
    "refusals",
    [
        [Refusal("A", "below_minimum", "too small", 5)],
        [Refusal("A", "no_route", "none"), Refusal("B", "transient", "x")],
    ],
)
def test_members_of_details_are_described(document: dict[str, Any], refusals: list[Refusal]) -> None:
    failures: list[RhumblineError] = [
        no_quote(refusals, lambda _, net: net, 5),
        InvalidRequest(["fee is wrong"]),
        KeyMissing("no key"),
        unexpected("abc"),
    ]
    check = validator(document, {"$ref": "#/components/schemas/StandardError"})
    for failure in failures:
        check.validate(json.loads(write_error(failure, NOW, "/v1/quotes").body))
    wrong = json.loads(write_error(failures[0], NOW, None).body)
    wrong["details"]["undescribed"] = 1
    assert list(check.iter_errors(wrong))


def test_no_route_is_missing(document: dict[str, Any]) -> None:
    app = create_app(services(ApiService(), {}))
    for path, methods in document["paths"].items():
        (method,) = methods
        scope = {"type": "http", "path": re.sub(r"{\w+}", "1", path), "method": method.upper()}
        assert any(route.matches(scope)[0] is Match.FULL for route in app.routes), path


def test_the_brand_is_everywhere_it_belongs() -> None:
    document = default_document("Acme7", "https://acme.example")
    schemas = document["components"]["schemas"]
    assert "Acme7Diamond" in schemas["Chain"]["properties"]
    assert "acme7Fee" in schemas["TrackedTransaction"]["properties"]
    assert not {"serviceFee", "service_fee", "rhumblineFee"} & set(schemas["TrackedTransaction"]["properties"])
    assert document["servers"] == [{"url": "https://acme.example"}]
    assert "acme7Fee" in schemas["TrackedTransaction"]["examples"][0]
    assert "Rhumbline" not in repr(document)


@pytest.mark.parametrize("brand", ["Integrator", "SourceGas", "destinationGas"])
def test_a_brand_that_takes_another_field_is_refused(brand: str) -> None:
    with pytest.raises(ValueError, match=f"the brand '{brand}' cannot be used"):
        create_app(services(ApiService(), {}, brand))


def test_the_page_names_the_keys_of_each_filter(document: dict[str, Any]) -> None:
    page = (FILE.parent / "api.md").read_text("utf-8")
    lines = page[page.index("`includeBridges` and") : page.index("All are valid at any")]
    bridges, exchanges, both = re.split(r"; `includeExchanges`|; all four", lines)
    for text, kind in ((bridges, Capability.BRIDGE), (exchanges, Capability.EXCHANGE), (both, Capability.MULTI)):
        named = {key for key, own in KNOWN_ADAPTERS.items() if own is kind}
        assert set(re.findall(r"`([A-Z_]+)`", text)) == named
    for parameter in document["paths"]["/v1/quotes"]["get"]["parameters"]:
        if parameter["name"].endswith(("Bridges", "Exchanges")):
            kind = Capability.BRIDGE if parameter["name"].endswith("Bridges") else Capability.EXCHANGE
            valid = {key for key, own in KNOWN_ADAPTERS.items() if own in (kind, Capability.MULTI)}
            assert set(re.findall(r"`([A-Z_]+)`", parameter["description"])) == valid
