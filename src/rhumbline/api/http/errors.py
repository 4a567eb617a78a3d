"""Every failure as the contract's StandardError, and the one table of HTTP statuses."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from pydantic import MISSING
from pydantic_core import to_jsonable_python

from rhumbline.api.wire.error import StandardError
from rhumbline.domain.errors import (
    AdaptersFailed,
    ClockOff,
    IntegratorMismatch,
    KeyElsewhere,
    KeyFromOutside,
    KeyInvalid,
    KeyMissing,
    KeyOutOfScope,
    NoStepQuote,
    Overloaded,
    QuotingPaused,
    RhumblineError,
    StoreUnavailable,
    Unexpected,
)


class UnservedRequest(RhumblineError):
    """A request that HTTP itself forbids to serve; each kind has its own status."""

    code = "VALIDATION_ERROR"


class MalformedRequest(UnservedRequest):
    """Bytes that are not an HTTP request."""


class MethodNotAllowed(UnservedRequest):
    """A path that exists, asked for by a method that it does not have; ``allowed`` are those it has."""

    def __init__(self, method: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"{method} is not allowed here: use {', '.join(allowed)}")
        self.allowed = allowed


class BodyNotJson(UnservedRequest):
    """A request body with a content type other than JSON."""


class BodyTooLarge(UnservedRequest):
    """A request body beyond the limit."""


class TargetTooLong(UnservedRequest):
    """A request line beyond the limit."""


class HeadersTooLarge(UnservedRequest):
    """Request headers beyond the limit."""


STATUS_OF_CODE: Mapping[str, int] = MappingProxyType(
    {
        "VALIDATION_ERROR": 400,
        "WRONG_ADDRESS": 400,
        "NOT_FOUND": 404,
        "NO_AVAILABLE_QUOTES": 422,
        "AMOUNT_TOO_LOW": 422,
        "SLIPPAGE_EXCEEDED": 422,
        "ADAPTER_BAD_REQUEST": 422,
        "RATE_LIMIT": 429,
        "UNKNOWN": 500,
        "ADAPTER_UNAUTHORIZED": 502,
        "ADAPTER_INTERNAL": 502,
    }
)
STATUS_OF_KIND: Mapping[type[RhumblineError], int] = MappingProxyType(
    {
        NoStepQuote: 400,
        KeyMissing: 401,
        KeyInvalid: 401,
        IntegratorMismatch: 403,
        KeyOutOfScope: 403,
        KeyElsewhere: 403,
        KeyFromOutside: 403,
        MethodNotAllowed: 405,
        BodyTooLarge: 413,
        TargetTooLong: 414,
        BodyNotJson: 415,
        HeadersTooLarge: 431,
        StoreUnavailable: 503,
        ClockOff: 503,
        Overloaded: 503,
        QuotingPaused: 503,
    }
)
"""Kinds with a more specific status than their code's."""
_RETRY_AFTER_S: Mapping[type[RhumblineError], int] = MappingProxyType(
    {StoreUnavailable: 5, ClockOff: 5, AdaptersFailed: 3, Overloaded: 2, QuotingPaused: 60}
)


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error's response: status, its own headers, and the JSON body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def status_of(error: RhumblineError) -> int:
    return STATUS_OF_KIND.get(type(error), STATUS_OF_CODE[error.code])


def retry_after_s(error: RhumblineError) -> int | None:
    """Return after how many seconds a request with this failure may succeed; None if it would fail again."""
    return next((seconds for kind, seconds in _RETRY_AFTER_S.items() if isinstance(error, kind)), None)


def standard_error(error: RhumblineError, at: datetime, target: str | None) -> StandardError:
    """Put a failure into the contract's shape; ``target`` is the request's, None when it is not known."""
    details = MISSING if error.details is None else to_jsonable_python(error.details, fallback=str)
    return StandardError(
        status_code=status_of(error),
        code=error.code,
        message=str(error.message),
        details=details,
        timestamp=at,
        path=MISSING if target is None else target,
    )


def write_error(error: RhumblineError, at: datetime, target: str | None) -> ErrorAnswer:
    headers = [("content-type", "application/json"), ("cache-control", "no-store")]
    if isinstance(error, MethodNotAllowed):
        headers.append(("allow", ", ".join(error.allowed)))
    if isinstance(error, KeyMissing | KeyInvalid):
        headers.append(("www-authenticate", 'ApiKey header="x-api-key"'))
    if (wait := retry_after_s(error)) is not None:
        headers.append(("retry-after", str(wait)))
    return ErrorAnswer(status_of(error), tuple(headers), standard_error(error, at, target).model_dump_json().encode())


def unexpected(request_id: str) -> Unexpected:
    """Return the failure that is answered for an unexpected exception, whose own text stays in the log."""
    return Unexpected("The service failed; its log has the cause under this request ID", {"requestId": request_id})
