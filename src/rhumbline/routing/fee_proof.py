"""The proof in a later step of a route that its fees are taken on the first step.

It is self-contained: the step and its route, tool, tokens and wallets, the largest amount, whose fees, the expiry, and
the first step. Whether that first step was executed, once for each later step, only the records of the chain show
(``FirstSteps``).
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
"""A bridge may take hours; a plan older than a day must be requested again."""
_MARGIN = Fraction(102, 100)
"""A step may yield this much more than expected before the next one counts as another amount."""


@dataclass(frozen=True, slots=True)
class LaterStep:
    """The claims of a proof: a step's position in its route, its signer, tokens and receiver.

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
    """Knows which first steps were made and how often later steps were issued for them; raises StoreUnavailable."""

    async def is_open(self, tags: tuple[bytes, ...], first: FirstStep, route_id: str, index: int, /) -> bool:
        """Return whether a first step with an ID of these tags was made and may count for another later step."""
        ...

    async def count(self, route_id: str, index: int, transaction_id: str, /) -> bool:
        """Count it for a later step issued under an ID; False if that was done too often."""
        ...


def new_fee_proof(key: bytes, step: LaterStep, first: FirstStep, amount: int, now: int) -> str:
    """Return the proof for up to ``amount`` raw units and a little more; ``now`` in Unix seconds."""
    until, most = now + HOLDS_S, amount * _MARGIN.numerator // _MARGIN.denominator
    payload = f"{until}.{most}.{first.chain_id}.{first.sender}.{first.token}.{first.amount}"
    return f"{payload}.{_digest(key, step, payload)}"


def first_step(keys: tuple[bytes, ...], proof: str, step: LaterStep, amount: int, now: int) -> FirstStep | None:
    """Return the first step that a proof names, None unless one of our keys made it for this step, now.

    It holds for no more than its amount, and for a day.
    """
    found = _FORM.match(proof)
    if found is None:
        return None
    until, most, chain_id, sender, token, amount_paid, digest = found.groups()
    payload = proof[: -len(digest) - 1]
    if now > int(until) or amount > int(most):
        return None
    if not any(hmac.compare_digest(digest, _digest(key, step, payload)) for key in keys):
        return None
    return FirstStep(int(chain_id), sender, step.integrator, token, int(amount_paid), step.service_share != "0")


def _digest(key: bytes, step: LaterStep, payload: str) -> str:
    fields = (*map(str, astuple(step)), payload)
    parts = [_PURPOSE, *(part for text in fields for part in (len(text.encode()).to_bytes(4), text.encode()))]
    return hmac.digest(key, b"".join(parts), sha256).hex()
