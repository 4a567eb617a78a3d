"""The proof that a route's fees are taken on its first step, which a later step carries with it.

It says all by itself: which step of which route, by which tool, what it pays with and what for, to whom, how much of it
at the most, whose fees, until when, and what the first step is. That this was made, once for each later step, only the
records of the chain show (``FirstSteps``).
"""

import hmac
import re
from dataclasses import astuple, dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Protocol

from rhumbline.domain.plan import FirstStep

_PURPOSE = b"fees of an earlier step"
_NUMBER, _WORD = r"([0-9]{1,78})", r"([0-9A-Za-z]{1,64})"
_FORM = re.compile(rf"{r'[.]'.join((*[_NUMBER] * 3, *[_WORD] * 2, _NUMBER))}[.]([0-9a-f]{{64}})\Z", re.ASCII)
HOLDS_S = 24 * 3600
"""A bridge may take hours; a plan of yesterday is asked for again."""
_MARGIN = Fraction(102, 100)
"""A step may bring this much more than was expected before the next one counts as another amount."""


@dataclass(frozen=True, slots=True)
class LaterStep:
    """What the proof stands for: a step's place in its route, who makes it, with what, into what, for whom.

    ``fee`` is the integrator's share that was asked for, ``service_share`` the service's, both as texts.
    """

    route_id: str
    index: int
    tool: str
    chain_id: int
    token: str
    destination_chain_id: int
    destination_token: str
    sender: str
    receiver: str
    integrator: str
    fee: str
    service_share: str


class FirstSteps(Protocol):
    """Knows which first steps were made, and for which later steps they have been counted; raises StoreUnavailable."""

    async def is_open(self, tags: tuple[bytes, ...], first: FirstStep, route_id: str, index: int, /) -> bool:
        """Tell whether a first step under an ID of these tags was made, and may be counted for a later step still."""
        ...

    async def count(self, route_id: str, index: int, transaction_id: str, /) -> bool:
        """Count it for a later step that is handed out under an ID; False where that was done too often."""
        ...


def made(key: bytes, step: LaterStep, first: FirstStep, amount: int, now: int) -> str:
    """Return the proof for up to ``amount`` raw units and a little more; ``now`` in Unix seconds."""
    until, most = now + HOLDS_S, amount * _MARGIN.numerator // _MARGIN.denominator
    said = f"{until}.{most}.{first.chain_id}.{first.sender}.{first.token}.{first.amount}"
    return f"{said}.{_digest(key, step, said)}"


def first_step(keys: tuple[bytes, ...], proof: str, step: LaterStep, amount: int, now: int) -> FirstStep | None:
    """Return the first step that a proof names, None unless one of our keys made it for this step, now.

    It holds for no more than its amount, and for a day.
    """
    found = _FORM.match(proof)
    if found is None:
        return None
    until, most, chain_id, sender, token, paid, digest = found.groups()
    said = proof[: -len(digest) - 1]
    if now > int(until) or amount > int(most):
        return None
    if not any(hmac.compare_digest(digest, _digest(key, step, said)) for key in keys):
        return None
    return FirstStep(int(chain_id), sender, step.integrator, token, int(paid), step.service_share != "0")


def _digest(key: bytes, step: LaterStep, said: str) -> str:
    fields = (*map(str, astuple(step)), said)
    parts = [_PURPOSE, *(part for text in fields for part in (len(text.encode()).to_bytes(4), text.encode()))]
    return hmac.digest(key, b"".join(parts), sha256).hex()
