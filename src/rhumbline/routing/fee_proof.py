"""The proof that a route's fees were taken on its first step, which a later step carries with it.

The service keeps nothing between the calls, so the proof says all by itself: which step of which route, what it pays
with, how much of it at the most, whose fees, and until when it holds.
"""

import hmac
import re
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

_PURPOSE = b"fees of an earlier step"
_FORM = re.compile(r"([0-9]{1,12})\.([0-9]{1,78})\.([0-9a-f]{64})\Z", re.ASCII)
HOLDS_S = 24 * 3600
"""A bridge may take hours; a plan of yesterday is asked for again."""
_MARGIN = Fraction(102, 100)
"""A step may bring this much more than was expected before the next one counts as another amount."""


@dataclass(frozen=True, slots=True)
class LaterStep:
    """What the proof stands for: a step's place in its route, who signs it, what it pays, whose fees were taken."""

    route_id: str
    index: int
    chain_id: int
    token: str
    sender: str
    integrator: str
    fee: str


def made(key: bytes, step: LaterStep, amount: int, now: int) -> str:
    """Return the proof for up to ``amount`` raw units and a little more; ``now`` in Unix seconds."""
    until, most = now + HOLDS_S, amount * _MARGIN.numerator // _MARGIN.denominator
    return f"{until}.{most}.{_digest(key, step, until, most)}"


def holds(keys: tuple[bytes, ...], proof: str, step: LaterStep, amount: int, now: int) -> bool:
    """Tell whether one of our keys made the proof for this step and at least this amount, and it is not too old."""
    found = _FORM.match(proof)
    if found is None:
        return False
    until, most = int(found[1]), int(found[2])
    if now > until or amount > most:
        return False
    return any(hmac.compare_digest(found[3], _digest(key, step, until, most)) for key in keys)


def _digest(key: bytes, step: LaterStep, until: int, most: int) -> str:
    fields = (
        step.route_id, str(step.index), str(step.chain_id), step.token, step.sender, step.integrator, step.fee,
        str(until), str(most),
    )  # fmt: skip
    parts = [_PURPOSE, *(part for text in fields for part in (len(text.encode()).to_bytes(4), text.encode()))]
    return hmac.digest(key, b"".join(parts), sha256).hex()
