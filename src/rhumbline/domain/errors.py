"""Every failure that the service can name, in one tree; each leaf has the contract's code.

```
RhumblineError
├── InvalidRequest          VALIDATION_ERROR   all faults of one request
├── WrongAddress            WRONG_ADDRESS      the only faults are wallets
├── NotFound                NOT_FOUND
├── AccessDenied            VALIDATION_ERROR
│   ├── KeyMissing · KeyInvalid · IntegratorMismatch
│   └── KeyOutOfScope · KeyElsewhere · KeyFromOutside
├── RateLimited             RATE_LIMIT
├── NoAvailableQuotes       NO_AVAILABLE_QUOTES
├── AmountTooLow            AMOUNT_TOO_LOW
├── SlippageExceeded        SLIPPAGE_EXCEEDED
├── AdaptersRejected        ADAPTER_BAD_REQUEST
├── AdaptersUnauthorized    ADAPTER_UNAUTHORIZED
├── AdaptersFailed          ADAPTER_INTERNAL
├── StoreUnavailable        UNKNOWN            a store that the request needs is down
├── ClockOff                UNKNOWN            this process's clock is not the store's
├── Overloaded              UNKNOWN            more is in progress than can end in time
├── QuotingPaused           UNKNOWN            the operator has paused quoting
└── Unexpected              UNKNOWN
AdapterError                (never leaves routing: it becomes a Refusal)
├── NoRoute · BelowMinimum · SlippageTooTight · RequestRejected · CredentialsRejected
└── UpstreamFailed          transient
NodeUnavailable · NodeRefused  a chain's node has no answer, or understands the call and refuses it
```
No HTTP status lives here: the one table is in ``api/http/errors.py``.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

Details = str | Sequence[str] | Mapping[str, object]


class RhumblineError(Exception):
    """A failure with a contract code, a message for people and optional details for machines."""

    code: ClassVar[str] = "UNKNOWN"

    def __init__(self, message: str, details: Details | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidRequest(RhumblineError):
    """The request breaks rules of the contract; ``faults`` lists all of them, each beginning with the field's name.

    The message tells the first: many clients show nothing else.
    """

    code = "VALIDATION_ERROR"

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(_led_by("Invalid request parameters", faults), {"message": list(map(str, faults))})
        self.faults = tuple(faults)


class WrongAddress(RhumblineError):
    """Wallets that are malformed or of the wrong chain type, and no other fault."""

    code = "WRONG_ADDRESS"

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(_led_by("Invalid wallet address", faults), {"message": list(map(str, faults))})
        self.faults = tuple(faults)


def _led_by(lead: str, faults: Sequence[str]) -> str:
    more = "" if len(faults) < 2 else f" (and {len(faults) - 1} more)"
    return f"{lead}: {faults[0]}{more}" if faults else lead


class NotFound(RhumblineError):
    """A chain, token, record or path that does not exist, or that the caller may not see."""

    code = "NOT_FOUND"


class AccessDenied(RhumblineError):
    """A request that its key does not allow; ``error_code`` tells machines which rule."""

    code = "VALIDATION_ERROR"
    error_code: ClassVar[str] = "ACCESS_DENIED"

    def __init__(self, message: str) -> None:
        super().__init__(message, {"errorCode": self.error_code})


class KeyMissing(AccessDenied):
    """The endpoint needs an API key and the request has none."""

    error_code = "API_KEY_MISSING"


class KeyInvalid(AccessDenied):
    """The API key is unknown, revoked or malformed."""

    error_code = "API_KEY_INVALID"


class IntegratorMismatch(AccessDenied):
    """The request names another integrator than the key's."""

    error_code = "INTEGRATOR_MISMATCH"


class KeyOutOfScope(AccessDenied):
    """The API key may not be used for this endpoint."""

    error_code = "API_KEY_SCOPE"


class KeyElsewhere(AccessDenied):
    """The API key is bound to origins, and the request comes from none of them."""

    error_code = "API_KEY_ORIGIN"


class KeyFromOutside(AccessDenied):
    """The API key is bound to networks, and the request comes from an address outside."""

    error_code = "API_KEY_ADDRESS"


class RateLimited(RhumblineError):
    """The requester's window is used up."""

    code = "RATE_LIMIT"


class NoAvailableQuotes(RhumblineError):
    """No adapter has a route."""

    code = "NO_AVAILABLE_QUOTES"


class NoStepQuote(NoAvailableQuotes):
    """The tool of a step has no route now: the caller must request its plan again."""


class AmountTooLow(RhumblineError):
    """The amount is below the smallest minimum of all adapters that could serve the pair."""

    code = "AMOUNT_TOO_LOW"


class SlippageExceeded(RhumblineError):
    """The best answer loses more value than the caller, or the service, permits."""

    code = "SLIPPAGE_EXCEEDED"


class AdaptersRejected(RhumblineError):
    """Every adapter's upstream rejected the request as invalid."""

    code = "ADAPTER_BAD_REQUEST"


class AdaptersUnauthorized(RhumblineError):
    """Every adapter's upstream rejected our credentials."""

    code = "ADAPTER_UNAUTHORIZED"


class AdaptersFailed(RhumblineError):
    """No quote, and at least one adapter failed for a temporary reason: a retry may succeed."""

    code = "ADAPTER_INTERNAL"


class StoreUnavailable(RhumblineError):
    """The database that this request needs does not answer."""


class ClockOff(RhumblineError):
    """The process's own clock is too far from the store's to issue transactions with a deadline."""


class Overloaded(RhumblineError):
    """More is in progress than can end in time; the request was not started."""


class QuotingPaused(RhumblineError):
    """The operator has paused quoting as a whole."""


class Unexpected(RhumblineError):
    """A fault of ours; the log has the cause under the request's ID."""


class AdapterError(Exception):
    """Why one adapter has no answer; ``reason`` is safe to show to a caller."""

    kind: ClassVar[str] = "failed"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoRoute(AdapterError):
    """The upstream has no route between the two tokens for this amount."""

    kind = "no_route"


class BelowMinimum(AdapterError):
    """The amount is too small; ``minimum`` (raw units of the origin token) is sufficient, None if unknown."""

    kind = "below_minimum"

    def __init__(self, reason: str, minimum: int | None = None) -> None:
        super().__init__(reason)
        self.minimum = minimum


class SlippageTooTight(AdapterError):
    """The output falls below the permitted minimum."""

    kind = "slippage"


class RequestRejected(AdapterError):
    """The upstream calls the request invalid."""

    kind = "bad_request"


class CredentialsRejected(AdapterError):
    """The upstream refuses our credentials."""

    kind = "unauthorized"


class UpstreamFailed(AdapterError):
    """A temporary failure: time-out, rate limit, upstream 5xx, an answer that cannot be trusted.

    ``retry_after_s`` is for how long the upstream asks to be left alone, None when it does not say.
    """

    kind = "transient"

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s

    @property
    def is_ours(self) -> bool:
        """Return whether a node of the service caused it, which is not the upstream's fault."""
        cause = self.__cause__
        return isinstance(cause, NodeUnavailable) or (isinstance(cause, UpstreamFailed) and cause.is_ours)


class NodeUnavailable(Exception):
    """A chain's node does not answer, answers late, or sends something unreadable."""


class NodeRefused(Exception):
    """A chain's node understood a call and refused it; ``message`` is in its words."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def release_frames(failure: BaseException) -> None:
    """Free the frames that a failure, its causes too, has passed through; call it when it is logged and answered.

    A frame may hold what leads back to the failure. Such a ring, with all that the request has in hand, would stay
    until the garbage collector finds it, and that runs seldom.
    """
    left: list[BaseException | None] = [failure]
    while left:
        each = left.pop()
        if each is not None and each.__traceback__ is not None:
            each.__traceback__ = None
            left += each.__cause__, each.__context__
