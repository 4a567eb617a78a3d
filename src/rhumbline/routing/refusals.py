"""The error if there is no quote, with every adapter's reason. Pure."""

from collections.abc import Awaitable, Callable, Collection, Sequence

from rhumbline.domain.errors import (
    AdapterError,
    AdaptersFailed,
    AdaptersRejected,
    AdaptersUnauthorized,
    AmountTooLow,
    BelowMinimum,
    CredentialsRejected,
    NoAvailableQuotes,
    NoRoute,
    RequestRejected,
    RhumblineError,
    SlippageExceeded,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import Refusal
from rhumbline.routing.selection import DISABLED, EXCLUDED, NOT_ASKED, UNSUPPORTED

REVERTED = "reverted"
"""The transaction fails in the simulation."""
REFUSED = "refused"
"""We do not answer with the transaction, for a reason of ours."""

_PASSING = frozenset({UpstreamFailed.kind, AdapterError.kind})
_REASON_ORDER = (
    REFUSED,
    REVERTED,
    RequestRejected.kind,
    CredentialsRejected.kind,
    NoRoute.kind,
    EXCLUDED,
    DISABLED,
    UNSUPPORTED,
)
"""The order of reasons in a message: what was tried, then other answers, then adapters that were not asked."""

GrossFor = Callable[[str, int], int]
"""Converts an adapter's minimum, by its key, to the amount before fees."""


def is_too_low(refusals: Collection[Refusal]) -> bool:
    """Return whether the amount is too small, so that a larger one may be named."""
    kinds = {refusal.kind for refusal in refusals if refusal.kind not in NOT_ASKED}
    return BelowMinimum.kind in kinds and not _PASSING.intersection(kinds)


def no_quote(refusals: Collection[Refusal], gross_for: GrossFor, minimum: int | None = None) -> RhumblineError:
    """Return the error of a request to which no adapter has an answer.

    One temporary failure makes the whole error temporary: an outage must not read as a definite no. ``minimum`` is an
    amount before fees that was seen to work; the adapters' own minimums are in their reasons.
    """
    kinds = [refusal.kind for refusal in refusals if refusal.kind not in NOT_ASKED]
    details = _details(refusals, gross_for, minimum)
    if _PASSING.intersection(kinds):
        return AdaptersFailed(led_by("No quote now, try again", refusals, sorted(_PASSING)), details)
    if is_too_low(refusals):
        return AmountTooLow(_too_low(refusals, gross_for, minimum), details)
    if SlippageTooTight.kind in kinds:
        lead = "The output would fall below the permitted minimum; permit more slippage"
        return SlippageExceeded(led_by(lead, refusals, (SlippageTooTight.kind,)), details)
    if kinds and set(kinds) == {RequestRejected.kind}:
        lead = "Every adapter rejected the request as invalid"
        return AdaptersRejected(led_by(lead, refusals, (RequestRejected.kind,)), details)
    if kinds and set(kinds) == {CredentialsRejected.kind}:
        return AdaptersUnauthorized("Every adapter rejected the service's credentials", details)
    return NoAvailableQuotes(led_by("No adapter has an executable quote", refusals, _REASON_ORDER), details)


def _too_low(refusals: Collection[Refusal], gross_for: GrossFor, minimum: int | None) -> str:
    """Return the error for a too small amount: an amount that works, else the smallest minimum, else the reason."""
    if minimum is not None:
        return f"The amount is too low; at least {minimum} is needed"
    minimums = [(gross_for(each.adapter, each.minimum), each.adapter) for each in refusals if each.minimum is not None]
    if minimums:
        least, adapter = min(minimums)
        return f"The amount is too low; {adapter} asks for at least {least}"
    return led_by("The amount is too low", refusals, (BelowMinimum.kind,))


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


LONGEST = 200
"""Clients cut off longer messages; the details have everything."""
_LONGEST_REASON = 120


def led_by(lead: str, refusals: Collection[Refusal], kinds: Sequence[str]) -> str:
    """Return a message of ``lead`` and the reasons of these kinds, in their order, as many as fit.

    Adapters with the same reason share it. Kinds that are not named are left to the details.
    """
    groups: dict[str, list[str]] = {}
    for kind in kinds:
        for refusal in refusals:
            if refusal.kind == kind:
                groups.setdefault(_cut(refusal.reason), []).append(refusal.adapter)
    message, joined = lead, ": "
    for reason, adapters in groups.items():
        names = ", ".join(adapters[:2]) + (f" and {len(adapters) - 2} more" if len(adapters) > 2 else "")
        part = f"{joined}{names}: {reason}"
        if len(message) + len(part) > LONGEST:
            break
        message, joined = message + part, "; "
    return message


def _cut(reason: str) -> str:
    return reason if len(reason) <= _LONGEST_REASON else reason[: _LONGEST_REASON - 1] + "…"


MOST_CONFIRMED = 3
"""How many adapters' minima are tried, the smallest first."""


async def confirmed(
    refusals: Collection[Refusal], gross_for: GrossFor, works: Callable[[str, int], Awaitable[bool]]
) -> int | None:
    """Return the smallest minimum, before fees, that ``works`` for its own adapter, by key and amount; None without."""
    offers = sorted(
        (gross_for(refusal.adapter, refusal.minimum), refusal.adapter)
        for refusal in refusals
        if refusal.minimum is not None
    )
    for amount, adapter in offers[:MOST_CONFIRMED]:
        if await works(adapter, amount):
            return amount
    return None
