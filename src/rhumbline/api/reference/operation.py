"""How an endpoint describes itself in the OpenAPI document: its parameters, its errors, whether it needs a key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.api.parameters.parameter import Parameter
from rhumbline.api.wire.error import StandardError

KEY_SCHEME, KEY_HEADER = "ApiKey", "x-api-key"
_MEANING: Mapping[int, str] = MappingProxyType(
    {
        400: "The request breaks rules; `details.message` lists every fault.",
        401: "The API key is missing or invalid.",
        403: "The request names another integrator than the key's.",
        404: "There is no such chain, token or resource.",
        413: "The body is larger than 256 KB.",
        414: "The request line is longer than 16 KB.",
        415: "The body calls itself something else than JSON; without a content type it is read as JSON.",
        422: "No executable quote: no route, an amount below the minimum, too much loss, or adapters that refused.",
        429: "The rate limit is exceeded.",
        431: "The headers are larger than 32 KB.",
        500: "Something went wrong on the service's side.",
        502: "Adapters failed; `Retry-After` says when to try again.",
        503: "A store that the request needs is down; `Retry-After` says when to try again.",
    }
)
_ALWAYS = (413, 414, 431, 500)
_METADATA = (400, 429)


# RFC 9110, 8.8.3 and 13.1.2 (https://www.rfc-editor.org/rfc/rfc9110, read 2026-11).
def _if_none_match() -> dict[str, Any]:
    return {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The `ETag` of an answer that the client keeps; 304 while that one still holds.",
        "schema": {"type": "string", "examples": ['"1f0e9d8c7b6a59483726150413223140-br"']},
    }


def _api_key(*, required: bool) -> dict[str, Any]:
    """Return the key as a parameter, for clients that are made of parameters and read no security schemes."""
    use = (
        "Whose records are shown." if required else "Selects the key's limits and fees; an invalid one counts as none."
    )
    return {
        "name": KEY_HEADER,
        "in": "header",
        "required": required,
        "description": f"An integrator's API key, for server backends only. {use}",
        # Without an example: the reference page would send it.
        "schema": {"type": "string"},
    }


_UNCHANGED = "The answer is still the one that `If-None-Match` names; there is no body."


@dataclass(frozen=True, slots=True)
class Described:
    """An endpoint's words for the document; ``tagged`` answers carry an ``ETag`` and honour ``If-None-Match``."""

    operation: str
    tag: str
    summary: str
    description: str
    parameters: Sequence[Parameter[object]] = ()
    errors: Sequence[int] = _METADATA
    key: str = "optional"
    tagged: bool = False

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of ``add_api_route``; ``key`` is optional, required or none."""
        security: dict[str, list[dict[str, list[str]]]] = {
            "optional": [{}, {KEY_SCHEME: []}],
            "required": [{KEY_SCHEME: []}],
            "none": [],
        }
        parameters = [parameter.described() for parameter in self.parameters]
        if self.key != "none":
            parameters.append(_api_key(required=self.key == "required"))
        responses: dict[int, dict[str, Any]] = {
            status: {"model": StandardError, "description": _MEANING[status]}
            for status in sorted({*self.errors, *_ALWAYS})
        }
        if self.tagged:
            parameters.append(_if_none_match())
            responses = {304: {"description": _UNCHANGED}, **responses}
        return {
            "operation_id": self.operation,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
            "response_description": self.summary,
            "responses": responses,
            "openapi_extra": {"parameters": parameters, "security": security[self.key]},
        }
