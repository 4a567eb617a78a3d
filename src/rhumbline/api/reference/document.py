"""The OpenAPI 3.1 document of the routes that describe themselves."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.routing import BaseRoute

from rhumbline.api.http.paths import rules_of
from rhumbline.api.reference.example_swap import ON_MAINNET, ExampleSwap
from rhumbline.api.reference.examples import EXAMPLES
from rhumbline.api.reference.operation import KEY_HEADER, KEY_SCHEME, SCHEMA_REF, ApiRoute
from rhumbline.api.reference.samples import add_samples
from rhumbline.api.wire.events import QuoteEvent, RefusalEvent
from rhumbline.api.wire.posted_step import POSTED_STEP, posted_step
from rhumbline.api.wire.transaction import fee_field

VERSION = "1.0.0"
_TAGS = (
    ("Routing", "Quotes with executable transactions."),
    ("Metadata", "Chains, tokens and adapters."),
    ("Tracking", "Executed transactions of the key's integrator."),
    ("Webhooks", "Endpoints of the key's integrator, which are told what happens to its transactions."),
    ("Health", "Whether the service lives and is ready."),
)
_HEADERS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "X-Request-Id": {
            "description": "The request's name in the service's log; a client's own is used if it is valid.",
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        },
        "X-Api-Key-Status": {
            "description": "`invalid` if the given key is invalid and counts as none.",
            "schema": {"type": "string", "enum": ["invalid"]},
        },
        "ETag": {
            "description": "Names this answer in this encoding; for `If-None-Match`.",
            "schema": {"type": "string", "pattern": '^"[^"]+"$'},
        },
        "Retry-After": {
            "description": "Seconds to wait. With 502 only for temporary failures (`ADAPTER_INTERNAL`).",
            "schema": {"type": "integer", "minimum": 1},
        },
        "X-RateLimit-Limit": {
            "description": "Requests in the present window of this scope: quotes are counted separately.",
            "schema": {"type": "integer", "minimum": 1},
        },
        "X-RateLimit-Remaining": {
            "description": "Requests left in the window.",
            "schema": {"type": "integer", "minimum": 0},
        },
        "X-RateLimit-Reset": {
            "description": "When the window ends; it began with its first request.",
            "schema": {"type": "string", "format": "date-time"},
        },
    }
)

_RATE_LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_UNCOUNTED = frozenset({"304", "414", "431"})
"""Statuses that are answered before a request is counted, or need no description."""


def openapi_document(
    routes: Iterable[BaseRoute], brand: str, base_url: str, swap: ExampleSwap = ON_MAINNET
) -> dict[str, Any]:
    """Return the document of those routes that describe themselves; its examples ask for ``swap``."""
    described = [route for route in routes if isinstance(route, ApiRoute)]
    schemas = _schemas(described)
    for name, schema in schemas.items():
        _tidy(schema)
        if name in EXAMPLES:
            schema["examples"] = [_branded(EXAMPLES[name], brand)]
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": brand,
            "description": "Quotes, routes and tracks token swaps and transfers on one chain and across chains. "
            "Amounts are integer strings in the token's smallest unit.",
            "version": VERSION,
        },
        "servers": [{"url": base_url}],
        "paths": _paths(described),
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                KEY_SCHEME: {
                    "type": "apiKey",
                    "in": "header",
                    "name": KEY_HEADER,
                    "description": "For server backends only.",
                }
            },
            "headers": {name: dict(header) for name, header in _HEADERS.items()},
        },
        "tags": [{"name": name, "description": text} for name, text in _TAGS],
    }
    add_samples(document, base_url, swap)
    return document


def encode(document: Mapping[str, object]) -> bytes:
    """Write the document as it is served and kept under ``docs/``."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _schemas(routes: Iterable[ApiRoute]) -> dict[str, Any]:
    """Return the schemas of all answers, of a stream's events, which no answer as a whole is, and of a posted step."""
    models: set[type[BaseModel]] = {QuoteEvent, RefusalEvent, *(model for route in routes for model in route.models)}
    written: list[tuple[type[BaseModel], Literal["serialization"]]] = [(model, "serialization") for model in models]
    schemas = models_json_schema(written, ref_template=SCHEMA_REF)[1]["$defs"]
    return dict(sorted({**schemas, POSTED_STEP: posted_step()}.items()))


def _paths(routes: Iterable[ApiRoute]) -> dict[str, Any]:
    """Return the operations by path; a path may be read and posted to."""
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {}).update(_path(route))
    return paths


def _path(route: ApiRoute) -> dict[str, Any]:
    operation = route.operation.described(route.answer)
    _add_headers(route.path, operation)
    _tidy(operation["parameters"])
    _tidy([*operation.get("requestBody", {}).get("content", {}).values()])
    return {route.operation.method.lower(): operation}


def _add_headers(path: str, operation: dict[str, Any]) -> None:
    for status, response in operation["responses"].items():
        headers = ["X-Request-Id"]
        if path.startswith("/v1") and operation.get("security") and {} in operation["security"]:
            headers.append("X-Api-Key-Status")
        if status == "304" or (status == "200" and "304" in operation["responses"]):
            headers.append("ETag")
        if rules_of(path).identified and status not in _UNCOUNTED:
            headers += _RATE_LIMITS
        if status in ("429", "502", "503"):
            headers.append("Retry-After")
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}


def _tidy(schema: Any) -> None:
    """Leave out titles that repeat names and ``.0`` of whole bounds; objects stay open: answers may gain fields."""
    if isinstance(schema, list):
        for item in schema:
            _tidy(item)
    if not isinstance(schema, dict):
        return
    schema.pop("title", None)
    if schema.get("additionalProperties") is False:
        del schema["additionalProperties"]
    for key, value in schema.items():
        if key in ("minimum", "maximum") and isinstance(value, float) and value.is_integer():
            schema[key] = int(value)
        elif key == "properties":
            for inner in value.values():
                _tidy(inner)
        elif key in ("items", "additionalProperties", "anyOf", "allOf", "oneOf", "schema"):
            _tidy(value)


def _branded(example: Mapping[str, object], brand: str) -> dict[str, object]:
    names = {"ServiceDiamond": f"{brand}Diamond", "serviceFee": fee_field(brand)}
    return {names.get(name, name): value for name, value in example.items()}
