"""When there is no quote: which error it is, with every adapter's reason. Pure."""

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
"""The transaction fails when it is run."""
REFUSED = "refused"
"""We do not hand the transaction out, for a reason of ours."""

_PASSING = frozenset({UpstreamFailed.kind, AdapterError.kind})
_TELLING = (
    REFUSED,
    REVERTED,
    RequestRejected.kind,
    CredentialsRejected.kind,
    NoRoute.kind,
    EXCLUDED,
    DISABLED,
    UNSUPPORTED,
)
"""What a message without a quote tells first: what was tried, then what answered, then who was not asked."""

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
    return NoAvailableQuotes(led_by("No adapter has an executable quote", refusals, _TELLING), details)


def _too_low(refusals: Collection[Refusal], gross_for: GrossFor, minimum: int | None) -> str:
    """Tell the amount that was seen to work, else the smallest that an adapter calls enough, else why it is too low."""
    if minimum is not None:
        return f"The amount is too low; at least {minimum} is needed"
    told = [(gross_for(each.adapter, each.minimum), each.adapter) for each in refusals if each.minimum is not None]
    if told:
        least, adapter = min(told)
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
"""Clients cut messages off here: what is told fits, and all of it stands in the details."""
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
        told = f"{joined}{names}: {reason}"
        if len(message) + len(told) > LONGEST:
            break
        message, joined = message + told, "; "
    return message


def _cut(reason: str) -> str:
    return reason if len(reason) <= _LONGEST_REASON else reason[: _LONGEST_REASON - 1] + "…"


MOST_ASKED = 3
"""So many adapters' minima are tried, the smallest first."""


async def confirmed(
    refusals: Collection[Refusal], gross_for: GrossFor, works: Callable[[str, int], Awaitable[bool]]
) -> int | None:
    """Return the smallest minimum, before fees, that ``works`` for its own adapter, by key and amount; None without."""
    told = sorted(
        (gross_for(refusal.adapter, refusal.minimum), refusal.adapter)
        for refusal in refusals
        if refusal.minimum is not None
    )
    for amount, adapter in told[:MOST_ASKED]:
        if await works(adapter, amount):
            return amount
    return None
