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


def no_quote(refusals: Collection[Refusal], gross_for: GrossFor) -> RhumblineError:
    """Return the error of a request to which no adapter has an answer.

    Any failure that may pass makes the whole a
    passing one: an outage must not read as a definite no.
    """
    kinds = [refusal.kind for refusal in refusals if refusal.kind not in NOT_ASKED]
    minima = [gross_for(refusal.adapter, refusal.minimum) for refusal in refusals if refusal.minimum is not None]
    minimum = min(minima, default=None)
    details = _details(refusals, gross_for, minimum)
    if _PASSING.intersection(kinds):
        return AdaptersFailed("No quote now: an adapter failed for a reason that may pass; try again", details)
    if BelowMinimum.kind in kinds:
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
