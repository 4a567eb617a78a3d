"""Asks by the OpenAPI document: well formed, malformed and sensible; each answer has to be one that it allows."""

import copy
import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from schemathesis import Case as AnyCase
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.e2e.running_demo import SandboxFile
from tests.e2e.test_foreign_clients import chain_of, get, swap

Case = AnyCase[Any]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
LEAST_GOOD = 10
NEEDED = {"/v1/prices": "tokens"}  # one of two forms is required, which the document can only say in words
JSON = "application/json"
ROUTES, STEP = "/v1/advanced/routes", "/v1/advanced/stepTransaction"
JUNK: tuple[object, ...] = (
    None,
    True,
    -1,
    0,
    2**200,
    0.5,
    "",
    "0",
    "x",
    "\x00",
    "0x" + "00" * 20,
    [],
    {},
    [{}],
    {"x": None},
)


@dataclass(frozen=True)
class Sense:
    """What is sensible to ask: values by parameter, and bodies by path, which need what a parameter's value is."""

    values: Mapping[str, list[str]]
    bodies: Mapping[str, Callable[[st.DataObject | None], dict[str, Any]]]


def good_values(demo: SandboxFile) -> dict[str, list[str]]:
    """Values that exist on the sandbox, by parameter; a request made of them is answered 2xx."""
    chain = chain_of(demo, "sbxa")
    wallets = [account["address"] for account in demo.sandbox["accounts"]["evm"]]
    quote, receipt, _, _ = swap(demo, "sbxa", "ETH", "WETH", 10**15, 2, 2)
    return {
        "senderAddress": wallets,
        "receiverAddress": wallets,
        "originChainId": [str(chain["id"])],
        "destinationChainId": [str(chain["id"])],
        "amount": ["1000000", "250000000"],
        "originCurrency": [chain["tokens"]["USDC"]["address"]],
        "destinationCurrency": [chain["tokens"][symbol]["address"] for symbol in ("WETH", "DAI", "USDT")],
        "integrator": [demo.sandbox["integrator"]["name"]],
        "fee": ["0.01", "0"],
        "slippage": ["0.005", "1"],
        "slippageMode": ["auto"],
        "includeExchanges": ["ONCHAIN", "onchain, OKX"],
        "excludeExchanges": ["OKX"],
        "includeBridges": ["ACROSS"],
        "excludeBridges": ["RELAY"],
        "chain": ["sbxa", str(chain["id"])],
        "token": ["USDC", chain["tokens"]["WETH"]["address"]],
        "tokens": [f"{chain['id']}:USDC", f"{chain['id']}:{chain['tokens']['WETH']['address']},{chain['id']}:DAI"],
        "chains": [str(chain["id"]), "sbxa,sbxb"],
        "chainTypes": ["EVM", "EVM,SVM"],
        "chainId": [str(chain["id"])],
        "lookupKey": [quote["transactionId"], receipt["transactionHash"]],
        "transactionId": [quote["transactionId"]],
        "status": ["success"],
        "routeType": ["swap"],
        "sourceChainId": [str(chain["id"])],
        "destChainId": [str(chain["id"])],
        "limit": ["1", "200"],
        "requestId": [explained(demo)],
    }


def explained(demo: SandboxFile) -> str:
    """Ask for a quote with the key of this test; return its ID once the request can be explained."""
    chain, key = chain_of(demo, "sbxa"), demo.sandbox["load_test_api_key"]
    status, quote = get(
        demo,
        "/v1/quotes",
        key,
        senderAddress=demo.sandbox["accounts"]["evm"][0]["address"],
        originChainId=str(chain["id"]),
        destinationChainId=str(chain["id"]),
        amount="1000000",
        originCurrency=chain["tokens"]["USDC"]["address"],
        destinationCurrency=chain["tokens"]["WETH"]["address"],
    )
    assert status == 200, quote
    wait_for(demo, f"/v1/requests/{quote['transactionId']}", key)
    return str(quote["transactionId"])


def describe_events(document: dict[str, Any]) -> None:
    """Describe each event of the stream: for this reader a schema is of the events, for others of the whole body."""
    content = document["paths"]["/v1/quotes/stream"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    assert content.pop("schema")["type"] == "string"
    names = {"type": "string", "enum": ["quote", "refusal", "answer", "error"]}
    event = {
        "type": "object",
        "properties": {"event": names, "data": {"type": "string"}},
        "required": ["event", "data"],
    }
    content["itemSchema"] = event


ENDLESS = ("/v1/transactions/stream", "/v1/status/{transactionId}/stream")
"""Their answers do not end: tests/api/v1/test_event_streams.py reads them."""


def set_changes_aside(document: dict[str, Any]) -> None:
    """Leave out what adds and changes webhooks: only so many are allowed. tests/api/v1/test_webhooks.py has them."""
    for path in [path for path in document["paths"] if path.startswith("/v1/webhooks/")]:
        document["paths"].pop(path)
    document["paths"]["/v1/webhooks"].pop("post")


def wait_for(demo: SandboxFile, path: str, key: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if get(demo, path, key)[0] == 200:
            return
        time.sleep(0.1)
    raise AssertionError(f"{path} is not there")


def bodies(
    demo: SandboxFile, values: Mapping[str, list[str]]
) -> dict[str, Callable[[st.DataObject | None], dict[str, Any]]]:
    """Makers of bodies that are answered 2xx: always the same without data, else one of many."""
    required = (
        "senderAddress",
        "originChainId",
        "destinationChainId",
        "originCurrency",
        "destinationCurrency",
        "amount",
    )
    optional = ("receiverAddress", "integrator", "fee", "slippage", "slippageMode", "includeExchanges")
    numbers = {"originChainId": int, "destinationChainId": int, "fee": float, "slippage": float}

    def question(data: st.DataObject | None) -> dict[str, Any]:
        more = [] if data is None else data.draw(st.lists(st.sampled_from(optional), unique=True))
        chosen = {
            name: values[name][0] if data is None else data.draw(st.sampled_from(values[name]))
            for name in (*required, *more)
        }
        return {name: numbers.get(name, str)(value) for name, value in chosen.items()}

    asked = question(None)
    answered = post(demo, ROUTES, asked)
    steps = [step for route in answered["routes"] for step in route["steps"]]
    assert steps

    def step(data: st.DataObject | None) -> dict[str, Any]:
        context = {"senderAddress": asked["senderAddress"], "receiverAddress": asked["senderAddress"]}
        if data is None:
            return {"step": steps[0], "context": context}
        more = {"amountOverride": "2000000", "previousStepReceivedAmount": "900000", "slippage": 0.01}
        name = data.draw(st.sampled_from([None, *more]))
        return {
            "step": data.draw(st.sampled_from(steps)),
            "context": context if name is None else {**context, name: more[name]},
        }

    return {ROUTES: question, STEP: step}


def post(demo: SandboxFile, path: str, body: Mapping[str, Any]) -> Any:
    headers = {"content-type": JSON, "x-api-key": demo.sandbox["load_test_api_key"]}
    request = urllib.request.Request(demo.sandbox["base_url"] + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def spoilt(body: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """Return a good body with one member, however deep, taken out or replaced by what does not belong there."""
    body = copy.deepcopy(body)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for name, inner in members:
            places.append((node, name))
            walk(inner)

    walk(body)
    node, name = data.draw(st.sampled_from(range(len(places))).map(places.__getitem__))
    if data.draw(st.booleans()):
        node[name] = data.draw(st.sampled_from(JUNK))
    else:
        del node[name]
    return body


def explore(demo: SandboxFile, operation: Any, sense: Sense, examples: int, seed: int | None) -> int:
    """Ask one operation things well formed, malformed and sensible; return how many answers were 2xx."""
    good = 0

    def ask(case: Case) -> None:
        nonlocal good
        headers = {"x-api-key": demo.sandbox["load_test_api_key"]}
        response = case.call(base_url=demo.sandbox["base_url"], headers=headers)
        case.validate_response(response, checks=CHECKS)
        good += 200 <= response.status_code < 300

    varied = len(operation.query) + len(operation.path_parameters) + len(operation.body)
    modes = list(GenerationMode) if varied else [GenerationMode.POSITIVE]

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=seed is None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes]), st.booleans(), st.data())
    def vary(case: Case, sensible: bool, data: st.DataObject) -> None:
        if sensible:
            make_sensible(case, sense, data)
        ask(case)

    (vary if seed is None else seeded(seed)(vary))()
    while good < LEAST_GOOD:
        before = good
        ask(sensible_case(operation, sense))
        assert good == before + 1, f"{operation.label}: a sensible request is not answered"
    return good


def make_sensible(case: Case, sense: Sense, data: st.DataObject) -> None:
    """Replace every parameter of a case by a value that exists; a cursor cannot be made up and is left out.

    A body becomes a good one, or every other time one with a single fault.
    """
    for part in ("query", "path_parameters"):
        names = [name for name in (getattr(case, part) or {}) if name in sense.values]
        setattr(case, part, {name: data.draw(st.sampled_from(sense.values[name])) for name in names})
    complete(case, sense.values)
    if case.operation.path in sense.bodies:
        body = sense.bodies[case.operation.path](data)
        case.body = spoilt(body, data) if data.draw(st.booleans()) else body
        case.media_type = JSON


def sensible_case(operation: Any, sense: Sense) -> Case:
    case: Case = operation.Case(query={}, path_parameters={})
    complete(case, sense.values)
    if operation.path in sense.bodies:
        case.body, case.media_type = sense.bodies[operation.path](None), JSON
    return case


def complete(case: Case, values: Mapping[str, list[str]]) -> None:
    """Add what the operation requires."""
    operation = case.operation
    for part, parameters in (("query", operation.query), ("path_parameters", operation.path_parameters)):
        chosen = dict(getattr(case, part) or {})
        for parameter in parameters:
            required = parameter.is_required or NEEDED.get(operation.path) == parameter.name
            if required and parameter.name not in chosen:
                chosen[parameter.name] = values[parameter.name][0]
        setattr(case, part, chosen)


def explore_all(demo: SandboxFile, examples: int, seed: int | None = None) -> dict[str, int]:
    """Ask all operations so many things each; return how many answers were 2xx, by operation.

    Without a seed it is always the same that is asked. Raises what the document does not allow.
    """
    with urllib.request.urlopen(demo.sandbox["base_url"] + "/openapi.json", timeout=20) as answer:
        document = json.load(answer)
    describe_events(document)
    for path in ENDLESS:
        document["paths"].pop(path)
    set_changes_aside(document)
    schema = schemathesis.openapi.from_dict(document)
    values = good_values(demo)
    sense = Sense(values, bodies(demo, values))
    wait_for(demo, f"/v1/transactions/{values['lookupKey'][0]}", demo.sandbox["api_key"])
    operations: list[Any] = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {operation.label: explore(demo, operation, sense, examples, seed) for operation in operations}
