"""How an endpoint describes itself in the OpenAPI document: its parameters, its errors, whether it needs a key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.api.params import Parameter
from rhumbline.api.wire.error import StandardError

KEY_SCHEME = "ApiKey"
_MEANING: Mapping[int, str] = MappingProxyType(
    {
        400: "The request breaks rules; `details.message` lists every fault.",
        401: "The API key is missing or invalid.",
        403: "The request names another integrator than the key's.",
        404: "There is no such chain, token or resource.",
        413: "The body is larger than 256 KB.",
        414: "The request line is longer than 16 KB.",
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


@dataclass(frozen=True, slots=True)
class Described:
    """An endpoint's words for the document, besides its path and its response model."""

    operation: str
    tag: str
    summary: str
    description: str
    parameters: Sequence[Parameter[object]] = ()
    errors: Sequence[int] = _METADATA
    key: str = "optional"

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of ``add_api_route``; ``key`` is optional, required or none."""
        security: dict[str, list[dict[str, list[str]]]] = {
            "optional": [{}, {KEY_SCHEME: []}],
            "required": [{KEY_SCHEME: []}],
            "none": [],
        }
        return {
            "operation_id": self.operation,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
            "response_description": self.summary,
            "responses": {
                status: {"model": StandardError, "description": _MEANING[status]}
                for status in sorted({*self.errors, *_ALWAYS})
            },
            "openapi_extra": {
                "parameters": [parameter.described() for parameter in self.parameters],
                "security": security[self.key],
            },
        }
