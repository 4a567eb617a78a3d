"""Which adapters' reasons an error's message tells, for clients that show nothing else. Pure."""

from collections.abc import Collection, Sequence

from rhumbline.domain.quote import Refusal

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
