"""Routes that the OpenAPI document describes: parameters, answers, errors, and whether a key is needed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.hot.request import HotLookup
from rhumbline.api.parameters.parameter import Parameter
from rhumbline.api.wire.error import StandardError

KEY_SCHEME, KEY_HEADER = "ApiKey", "x-api-key"
SCHEMA_REF = "#/components/schemas/{model}"
_MEANING: Mapping[int, str] = MappingProxyType(
    {
        400: "The request breaks rules; `details.message` lists every fault.",
        401: "The API key is missing or invalid.",
        403: "The key is not for this request, by its scopes, origins or networks; or another integrator is named.",
        404: "There is no such chain, token or resource.",
        413: "The body is larger than 256 KB.",
        414: "The request line is longer than 16 KB.",
        415: "The body's content type is not JSON; without one it is read as JSON.",
        422: "No executable quote: no route, an amount below the minimum, too much loss, or adapters that refused.",
        429: "The rate limit is exceeded.",
        431: "The headers are larger than 32 KB.",
        500: "The service failed.",
        502: "Adapters failed; `Retry-After` says when to try again.",
        503: "A store that the request needs is down; `Retry-After` says when to try again.",
    }
)
_ALWAYS = (413, 414, 431, 500)
_METADATA = (400, 429)
_KEY_REFUSED = 403


# RFC 9110, 8.8.3 and 13.1.2 (https://www.rfc-editor.org/rfc/rfc9110, read 2026-11).
def _if_none_match() -> dict[str, Any]:
    return {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The `ETag` of the client's cached answer; 304 while it is still valid.",
        "schema": {"type": "string", "examples": ['"1f0e9d8c7b6a59483726150413223140-br"']},
    }


def _api_key(*, required: bool) -> dict[str, Any]:
    """Return the key as a parameter, for clients that are made of parameters and read no security schemes."""
    use = (
        "It selects whose records are shown."
        if required
        else "Selects the key's limits and fees; an invalid one counts as none."
    )
    return {
        "name": KEY_HEADER,
        "in": "header",
        "required": required,
        "description": f"An integrator's API key. A secret one is for server backends only. {use}",
        # Without an example: the reference page would send it.
        "schema": {"type": "string"},
    }


_UNCHANGED = "The answer named in `If-None-Match` is still valid; there is no body."


@dataclass(frozen=True, slots=True)
class Operation:
    """An endpoint's texts in the document.

    ``tagged`` answers carry an ``ETag`` and honour ``If-None-Match``; ``key`` is optional, required or none. With a
    schema for its ``body`` it is a POST. ``content`` describes an answer that no model does, ``exceptions`` errors that
    have a model and a meaning of their own.
    """

    name: str
    tag: str
    summary: str
    description: str
    parameters: Sequence[Parameter[object]] = ()
    errors: Sequence[int] = _METADATA
    key: str = "optional"
    tagged: bool = False
    body: Mapping[str, object] | None = None
    content: Mapping[str, object] | None = None
    exceptions: Mapping[int, tuple[type[BaseModel], str]] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"

    @property
    def failures(self) -> Mapping[int, tuple[type[BaseModel], str]]:
        """The model and the meaning of each error's status."""
        keyed = () if self.key == "none" else (_KEY_REFUSED,)
        statuses = sorted({*self.errors, *keyed, *_ALWAYS, *self.exceptions})
        return {status: self.exceptions.get(status) or (StandardError, _MEANING[status]) for status in statuses}

    def described(self, answer: type[BaseModel] | None) -> dict[str, Any]:
        """Return the OpenAPI Operation Object, its parts in the order in which a reader looks for them."""
        content = _json(answer) if self.content is None else dict(self.content)
        responses: dict[str, dict[str, Any]] = {"200": {"description": self.summary, "content": content}}
        if self.tagged:
            responses["304"] = {"description": _UNCHANGED}
        for status, (model, meaning) in self.failures.items():
            responses[str(status)] = {"description": meaning, "content": _json(model)}
        body = {"required": True, "content": {"application/json": {"schema": self.body}}}
        return {
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
            "operationId": self.name,
            "parameters": self._parameters(),
            **({} if self.body is None else {"requestBody": body}),
            "responses": responses,
            "security": _security(self.key),
        }

    def _parameters(self) -> list[dict[str, Any]]:
        parameters = [parameter.described() for parameter in self.parameters]
        if self.key != "none":
            parameters.append(_api_key(required=self.key == "required"))
        return [*parameters, _if_none_match()] if self.tagged else parameters


class ApiRoute(Route):
    """A route in the document; ``hot`` answers its repeated requests before the application sees them."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[[Request], Awaitable[Response]],
        operation: Operation,
        answer: type[BaseModel] | None,
        hot: HotLookup | None = None,
    ) -> None:
        super().__init__(path, endpoint, methods=[operation.method])
        self.operation = operation
        self.answer = answer
        self.hot = hot

    @property
    def models(self) -> tuple[type[BaseModel], ...]:
        """Every model that its description refers to."""
        own = () if self.answer is None else (self.answer,)
        return (*own, *(model for model, _ in self.operation.failures.values()))


def _json(model: type[BaseModel] | None) -> dict[str, Any]:
    schema = {} if model is None else {"$ref": SCHEMA_REF.format(model=model.__name__)}
    return {"application/json": {"schema": schema}}


def _security(key: str) -> list[dict[str, list[str]]]:
    required: dict[str, list[str]] = {KEY_SCHEME: []}
    return {"optional": [{}, required], "required": [required], "none": []}[key]
