"""StandardError, the body of every error."""

from typing import Annotated, Literal, get_args

from pydantic import MISSING, Field, JsonValue

from rhumbline.api.wire.shape import Timestamp, Wire

ErrorCode = Literal[
    "NO_AVAILABLE_QUOTES",
    "AMOUNT_TOO_LOW",
    "WRONG_ADDRESS",
    "RATE_LIMIT",
    "SLIPPAGE_EXCEEDED",
    "ADAPTER_BAD_REQUEST",
    "ADAPTER_UNAUTHORIZED",
    "ADAPTER_INTERNAL",
    "VALIDATION_ERROR",
    "NOT_FOUND",
    "UNKNOWN",
]

Details = Annotated[
    str | list[str] | dict[str, JsonValue],
    Field(description="More for people and machines; a validation error lists every fault in `details.message`."),
]


class StandardError(Wire):
    """What every error answers, whatever its status."""

    status_code: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    code: Annotated[str, Field(json_schema_extra={"enum": list(get_args(ErrorCode))})]
    message: str
    details: Details | MISSING = MISSING
    timestamp: Timestamp
    path: Annotated[str, Field(description="The request's target.")] | MISSING = MISSING
