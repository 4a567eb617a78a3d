"""When there is no quote: which error it is, with every adapter's reason. Pure."""

from collections.abc import Callable, Collection

from rhumbline.domain.errors import (
    AdapterError,
    AdaptersFailed,
    AdaptersRejected,
    AdaptersUnauthorized,
    AmountTooLow,
    BelowMinimum,
    CredentialsRejected,
    NoAvailableQuotes,
    RequestRejected,
    RhumblineError,
    SlippageExceeded,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import Refusal
from rhumbline.routing.selection import NOT_ASKED

REVERTED = "reverted"
"""The transaction fails when it is run."""
REFUSED = "refused"
"""We do not hand the transaction out, for a reason of ours."""

_PASSING = frozenset({UpstreamFailed.kind, AdapterError.kind})

GrossFor = Callable[[str, int], int]
"""Turns an adapter's minimum, by its key, into the amount before fees."""


def is_too_low(refusals: Collection[Refusal]) -> bool:
    """Tell whether the amount is what stands in the way, so that a larger one may be named."""
    kinds = {refusal.kind for refusal in refusals if refusal.kind not in NOT_ASKED}
    return BelowMinimum.kind in kinds and not _PASSING.intersection(kinds)


def no_quote(refusals: Collection[Refusal], gross_for: GrossFor, minimum: int | None = None) -> RhumblineError:
    """Return the error of a request to which no adapter has an answer.

    Any failure that may pass makes the whole a passing one: an outage must not read as a definite no. ``minimum`` is an
    amount before fees that was seen to work; what adapters themselves say stands beside their reasons.
    """
    kinds = [refusal.kind for refusal in refusals if refusal.kind not in NOT_ASKED]
    details = _details(refusals, gross_for, minimum)
    if _PASSING.intersection(kinds):
        return AdaptersFailed("No quote now: an adapter failed for a reason that may pass; try again", details)
    if is_too_low(refusals):
        known = "" if minimum is None else f"; at least {minimum} is needed"
        return AmountTooLow(f"The amount is too low{known}", details)
    if SlippageTooTight.kind in kinds:
        return SlippageExceeded("The output would fall below the permitted minimum; permit more slippage", details)
    if kinds and set(kinds) == {RequestRejected.kind}:
        return AdaptersRejected("Every adapter rejected the request as invalid", details)
    if kinds and set(kinds) == {CredentialsRejected.kind}:
        return AdaptersUnauthorized("Every adapter rejected the service's credentials", details)
    return NoAvailableQuotes("No adapter has an executable quote for this request", details)


def _details(refusals: Collection[Refusal], gross_for: GrossFor, minimum: int | None) -> dict[str, object]:
    lines = [f"{refusal.adapter}: {refusal.reason}" for refusal in refusals]
    details: dict[str, object] = {
        "message": lines or ["No adapter is configured"],
        "adapters": [_entry(refusal, gross_for) for refusal in refusals],
    }
    return details if minimum is None else details | {"minimum": str(minimum)}


def _entry(refusal: Refusal, gross_for: GrossFor) -> dict[str, str]:
    entry = {"adapter": refusal.adapter, "kind": refusal.kind, "reason": refusal.reason}
    return entry if refusal.minimum is None else entry | {"minimum": str(gross_for(refusal.adapter, refusal.minimum))}
