"""StandardError, the body of every error."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, cast, get_args

from pydantic import MISSING, Field, JsonValue, WithJsonSchema

from rhumbline.api.wire.shape import Timestamp, Wire

ErrorCode = Literal[
    "NO_AVAILABLE_QUOTES", "AMOUNT_TOO_LOW", "WRONG_ADDRESS", "RATE_LIMIT", "SLIPPAGE_EXCEEDED", "ADAPTER_BAD_REQUEST",
    "ADAPTER_UNAUTHORIZED", "ADAPTER_INTERNAL", "VALIDATION_ERROR", "NOT_FOUND", "UNKNOWN",
]  # fmt: skip

_TEXT: Mapping[str, object] = MappingProxyType({"type": "string"})
_AMOUNT: Mapping[str, object] = MappingProxyType({"type": "string", "pattern": "^[0-9]+$"})
_MEMBERS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "message": {
            "description": "Every fault, or every adapter's reason.",
            "anyOf": [_TEXT, {"type": "array", "items": _TEXT}],
        },
        "errorCode": {
            **_TEXT,
            "description": "With 401: `API_KEY_MISSING` or `API_KEY_INVALID`. With 403: `INTEGRATOR_MISMATCH`, "
            "`API_KEY_SCOPE`, `API_KEY_ORIGIN` or `API_KEY_ADDRESS`.",
        },
        "adapters": {
            "description": "Without a quote: each adapter, and why it has none.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["adapter", "kind", "reason"],
                "properties": {
                    "adapter": _TEXT,
                    "kind": {
                        **_TEXT,
                        "description": "`no_route`, `below_minimum`, `slippage`, `bad_request`, `unauthorized`, "
                        "`transient`, `reverted`, `refused`, `failed`, `unsupported`, `excluded` or `disabled`; "
                        "new ones may be added.",
                    },
                    "reason": _TEXT,
                    "minimum": {**_AMOUNT, "description": "The adapter's minimum, before fees."},
                },
            },
        },
        "minimum": {
            **_AMOUNT,
            "description": "With `AMOUNT_TOO_LOW`: an amount before fees for which there was an executable quote.",
        },
        "requestId": {**_TEXT, "description": "With 500: the request's name in the service's log."},
        "dependencies": {
            "description": "Of `/health/ready`: each dependency and its state.",
            "type": "object",
            "additionalProperties": _TEXT,
        },
        "code": {"anyOf": [_TEXT, {"type": "number"}]},
        "status": {"anyOf": [_TEXT, {"type": "number"}]},
    }
)


def _plain(part: object) -> object:
    if isinstance(part, Mapping):
        return {name: _plain(value) for name, value in part.items()}
    return [_plain(each) for each in part] if isinstance(part, list) else part


_Object = Annotated[
    dict[str, JsonValue], WithJsonSchema({"type": "object", "properties": cast("JsonValue", _plain(_MEMBERS))})
]
Details = Annotated[
    str | list[str] | _Object,
    Field(description="Further data; a validation error lists every fault in `details.message`."),
]


class StandardError(Wire):
    """The body of every error."""

    status_code: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    code: Annotated[str, Field(json_schema_extra={"enum": list(get_args(ErrorCode))})]
    message: str
    details: Details | MISSING = MISSING
    timestamp: Timestamp
    path: Annotated[str, Field(description="The request's target.")] | MISSING = MISSING
