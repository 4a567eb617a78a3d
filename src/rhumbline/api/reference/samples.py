"""Which requests the document has examples of, in curl, Python and TypeScript (``x-codeSamples``)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rhumbline.api.reference.example_swap import ExampleSwap
from rhumbline.api.reference.sample import Sample, in_curl, in_python, in_typescript

_LANGUAGES = (
    ("Shell", "curl", in_curl),
    ("Python", "Python", in_python),
    ("TypeScript", "TypeScript", in_typescript),
)
_PAIR = frozenset({"originChainId", "destinationChainId", "originCurrency", "destinationCurrency", "amount"})
_TRANSACTION = "TRANSACTION_ID"
_WEBHOOK: Mapping[str, str] = MappingProxyType({"webhook": "WEBHOOK"})


def samples(swap: ExampleSwap) -> tuple[Sample, ...]:
    question = swap.question
    wallet = str(question["senderAddress"])
    chain, token = str(swap.chain_id), swap.token
    return (
        Sample("/v1/quotes", query=question),
        Sample("/v1/quotes/stream", query=question),
        Sample("/v1/advanced/routes", body={**question, "receiverAddress": wallet, "maxRoutes": 3}),
        Sample(
            "/v1/advanced/stepTransaction",
            body={"context": {"senderAddress": wallet, "receiverAddress": wallet}},
            step_of={**question, "receiverAddress": wallet, "maxRoutes": 3},
        ),
        Sample("/v1/chains", query={"chainTypes": "EVM"}),
        Sample("/v1/token", query={"chain": chain, "token": token}),
        Sample("/v1/tokens", query={"chains": chain}),
        Sample("/v1/tools", query={"chains": chain}),
        Sample("/v1/tokenlists/{chainId}.json", path={"chainId": chain}),
        Sample("/v1/prices", query={"tokens": f"{chain}:{token},{chain}:{question['destinationCurrency']}"}),
        Sample("/v1/prices/pair", query={name: value for name, value in question.items() if name in _PAIR}),
        Sample("/v1/transactions", query={"limit": 10}, with_key=True),
        Sample("/v1/transactions/{lookupKey}", variables={"lookupKey": _TRANSACTION}, with_key=True),
        Sample("/v1/transactions/{lookupKey}/status", variables={"lookupKey": _TRANSACTION}, with_key=True),
        Sample("/v1/transactions/stream", with_key=True),
        Sample("/v1/status/{transactionId}", variables={"transactionId": _TRANSACTION}),
        Sample("/v1/status/{transactionId}/stream", variables={"transactionId": _TRANSACTION}),
        Sample("/v1/requests/{requestId}", variables={"requestId": _TRANSACTION}, with_key=True),
        Sample("/v1/scorecards", query={"days": 7}),
        *_webhook_samples(),
        Sample("/health/ready"),
        Sample("/.well-known/jwks.json"),
    )


def _webhook_samples() -> tuple[Sample, ...]:
    one = "/v1/webhooks/{webhook}"
    return (
        Sample("/v1/webhooks", with_key=True),
        Sample(
            "/v1/webhooks",
            body={"url": "https://example.com/webhooks", "events": ["transaction.final"]},
            with_key=True,
        ),
        Sample(f"{one}/test", body={}, variables=_WEBHOOK, with_key=True),
        Sample(f"{one}/deliveries", query={"limit": 10}, variables=_WEBHOOK, with_key=True),
        Sample(
            f"{one}/deliveries/{{delivery}}/resend",
            body={},
            variables={**_WEBHOOK, "delivery": "DELIVERY"},
            with_key=True,
        ),
        Sample(f"{one}/rotate", body={"overlapSec": 3600}, variables=_WEBHOOK, with_key=True),
        Sample(f"{one}/enable", body={}, variables=_WEBHOOK, with_key=True),
        Sample(f"{one}/remove", body={}, variables=_WEBHOOK, with_key=True),
    )


def add_samples(document: dict[str, Any], base_url: str, swap: ExampleSwap) -> None:
    """Put the examples into the document, and the values they use where the page offers to try an operation."""
    for sample in samples(swap):
        operation = document["paths"][sample.route][sample.method]
        operation["x-codeSamples"] = [
            {"lang": language, "label": label, "source": write(base_url, sample)}
            for language, label, write in _LANGUAGES
        ]
        _fill(operation, {**sample.query, **sample.path})
        if sample.body and not sample.step_of:
            operation["requestBody"]["content"]["application/json"]["example"] = dict(sample.body)


def _fill(operation: dict[str, Any], values: Mapping[str, str | int]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
