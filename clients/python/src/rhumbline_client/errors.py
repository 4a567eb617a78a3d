"""What goes wrong, typed: the service's errors by their code, and what the client finds by itself."""

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

LONGEST_TEXT = 200


class RhumblineError(Exception):
    """Base of all errors of this package."""


class Unreachable(RhumblineError):
    """The service or a node did not answer: no connection, a broken one, or none of its bytes in time."""


class UnexpectedAnswer(RhumblineError):
    """An answer is not what this client's models say; the message names what lacks or differs."""


class EndpointMissing(RhumblineError):
    """The service has no such endpoint: it is older than this client. The message names the endpoint."""


class TimedOut(RhumblineError):
    """A transaction has not ended in the time that the caller gave; it may still."""


class ServiceError(RhumblineError):
    """An error that the service answered.

    ``code`` says what to do (the service's guide, ``/docs/guides/errors``); ``message`` is for people. ``retry_after``
    has seconds, where the service names them; ``request_id`` is the request's name in the operator's log.
    """

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code = str(body.get("code", "UNKNOWN"))
        self.message = str(body.get("message", f"HTTP status {status}"))
        self.details: Any = body.get("details")
        self.path = body.get("path")
        self.retry_after = _seconds(headers.get("retry-after"))
        detailed = self.details if isinstance(self.details, dict) else {}
        self.request_id: str | None = headers.get("x-request-id") or detailed.get("requestId")
        super().__init__(f"{self.code}: {self.message}")

    @property
    def faults(self) -> tuple[str, ...]:
        """Every fault of a request, or every adapter's reason."""
        found = self.details.get("message", ()) if isinstance(self.details, dict) else self.details or ()
        return (found,) if isinstance(found, str) else tuple(str(each) for each in found)


class ValidationFailed(ServiceError):
    """The request is wrong; ``faults`` has each parameter's name and the remedy."""


class KeyRefused(ValidationFailed):
    """The key is missing, invalid, another integrator's, or not for this request: ``reason`` says which."""

    @property
    def reason(self) -> str | None:
        """``API_KEY_MISSING``, ``API_KEY_INVALID``, ``INTEGRATOR_MISMATCH``, ``API_KEY_SCOPE``, and others."""
        return self.details.get("errorCode") if isinstance(self.details, dict) else None


class WrongAddress(ServiceError):
    """A wallet is not an address of its chain, or its checksum is wrong."""


class NotFound(ServiceError):
    """No such chain, token or transaction; a transaction may not have been seen yet."""


class NoAvailableQuotes(ServiceError):
    """There is no route."""


class AmountTooLow(ServiceError):
    """More is needed: ``minimum`` worked a moment ago, in the smallest unit; None where the service names none."""

    @property
    def minimum(self) -> int | None:
        """The amount before fees for which there was a quote."""
        given = self.details.get("minimum") if isinstance(self.details, dict) else None
        return int(given) if isinstance(given, str) and given.isdecimal() else None


class SlippageExceeded(ServiceError):
    """Permit more slippage, or ask for less."""


class AdapterBadRequest(ServiceError):
    """Every adapter says that the request cannot be served as it is."""


class AdapterUnauthorized(ServiceError):
    """The operator has to correct credentials."""


class AdapterInternal(ServiceError):
    """A failure that passes."""


class RateLimited(ServiceError):
    """Too many requests: wait for ``retry_after`` seconds."""


CLASSES: Mapping[str, type[ServiceError]] = MappingProxyType({
    "VALIDATION_ERROR": ValidationFailed,
    "WRONG_ADDRESS": WrongAddress,
    "NOT_FOUND": NotFound,
    "NO_AVAILABLE_QUOTES": NoAvailableQuotes,
    "AMOUNT_TOO_LOW": AmountTooLow,
    "SLIPPAGE_EXCEEDED": SlippageExceeded,
    "ADAPTER_BAD_REQUEST": AdapterBadRequest,
    "ADAPTER_UNAUTHORIZED": AdapterUnauthorized,
    "ADAPTER_INTERNAL": AdapterInternal,
    "RATE_LIMIT": RateLimited,
})  # fmt: skip
"""`UNKNOWN`, and codes that are newer than this client, are a ServiceError."""


def service_error(status: int, headers: Mapping[str, str], content: bytes) -> ServiceError:
    """Return the error of an answer; of one that a proxy wrote, what its status says."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"message": f"HTTP status {status}: {content[:LONGEST_TEXT].decode(errors='replace').strip()}"}
        if status == 429:
            body["code"] = "RATE_LIMIT"
    code = body.get("code")
    kind = CLASSES.get(code, ServiceError) if isinstance(code, str) else ServiceError
    if kind is ValidationFailed and status in (401, 403):
        kind = KeyRefused
    return kind(status, body, headers)


def _seconds(given: str | None) -> float | None:
    """Read ``Retry-After`` as this service writes it: seconds; a date of a proxy says nothing."""
    try:
        number = Decimal(given or "")
    except InvalidOperation:
        return None
    return float(number) if number.is_finite() and number >= 0 else None


class SendError(RhumblineError):
    """What became of a transaction that was signed; ``hash`` is its hash or signature, computed before it was sent."""

    def __init__(self, words: str, transaction_hash: str) -> None:
        super().__init__(f"{words} ({transaction_hash})")
        self.hash = transaction_hash


class SendRefused(SendError):
    """The node did not take the transaction, and does not know it."""


class SendUncertain(SendError):
    """Whether the transaction was sent or mined is not known: it may still be executed.

    Call ``execute`` with the same quote again, or look the hash up; a new quote may trade twice.
    """


class Reverted(SendError):
    """The transaction was executed and failed: it cost gas and moved nothing."""


class Expired(RhumblineError):
    """The quote's time is over: nothing of it can be executed any more. Ask for a new one."""


class WrongChain(RhumblineError):
    """The node is one of another chain."""


class WrongWallet(RhumblineError):
    """The transaction is not for this wallet to sign."""


class InvalidSignature(RhumblineError):
    """A webhook or an answer was not signed with any of the secrets or keys, or is too old: do not take it."""
