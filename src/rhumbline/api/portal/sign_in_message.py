"""Sign-in messages (EIP-4361, https://eips.ethereum.org/EIPS/eip-4361, read 2026-11): writing, reading, checking.

The reader takes only what the writer writes. What the standard allows beyond that (a scheme, not-before, request ID,
resources, other time zones) this service never asks for, so a message that has it was made by somebody else.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rhumbline.domain.chain import ChainType
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.chain_types.addresses import canonical_address

LONGEST = 2000
LIFE = timedelta(minutes=5)
_SKEW = timedelta(minutes=1)
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
_FORM = re.compile(
    r"(?P<domain>[A-Za-z0-9.:\[\]-]{1,255}) wants you to sign in with your Ethereum account:\n"
    r"(?P<address>0x[0-9a-fA-F]{40})\n"
    r"\n"
    r"(?P<statement>[\x20-\x7e]{1,500})\n"
    r"\n"
    r"URI: (?P<uri>[\x21-\x7e]{1,500})\n"
    r"Version: 1\n"
    r"Chain ID: (?P<chain_id>[1-9][0-9]{0,15})\n"
    r"Nonce: (?P<nonce>[A-Za-z0-9]{8,64})\n"
    rf"Issued At: (?P<issued_at>{_TIME})\n"
    rf"Expiration Time: (?P<expires_at>{_TIME})",
    re.ASCII,
)
_STAMP = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class SignInMessage:
    """What a wallet signs. ``statement`` is one line of printable ASCII; times are UTC in whole seconds."""

    domain: str
    address: str
    statement: str
    uri: str
    chain_id: int
    nonce: str
    issued_at: datetime
    expires_at: datetime

    def written(self) -> str:
        return (
            f"{self.domain} wants you to sign in with your Ethereum account:\n{self.address}\n\n{self.statement}\n\n"
            f"URI: {self.uri}\nVersion: 1\nChain ID: {self.chain_id}\nNonce: {self.nonce}\n"
            f"Issued At: {self.issued_at.strftime(_STAMP)}\nExpiration Time: {self.expires_at.strftime(_STAMP)}"
        )


@dataclass(frozen=True, slots=True)
class Expected:
    """The required content of a message; its times are checked against ``now``."""

    domain: str
    uri: str
    statement: str
    chain_ids: Collection[int]
    now: datetime


def read_message(text: str) -> SignInMessage | None:
    """Read a message; None for anything that the writer would not have written."""
    found = _FORM.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    try:
        issued, expires = (
            datetime.strptime(found[name], _STAMP).replace(tzinfo=UTC) for name in ("issued_at", "expires_at")
        )
    except ValueError:
        return None
    address = found["address"]
    if canonical_address(ChainType.EVM, address) != address:
        return None
    return SignInMessage(
        found["domain"],
        address,
        found["statement"],
        found["uri"],
        int(found["chain_id"]),
        found["nonce"],
        issued,
        expires,
    )


def message_faults(message: SignInMessage, expected: Expected) -> tuple[str, ...]:
    """Return the faults of a message, except those of its nonce and signature; none if it is valid."""
    faults = []
    if message.domain != expected.domain:
        faults.append(
            Sentence(
                "The message is for %(other)s, and this is %(site)s: sign only here",
                other=message.domain,
                site=expected.domain,
            )
        )
    if message.uri != expected.uri:
        faults.append(Sentence("The message names another address than this portal's"))
    if message.chain_id not in expected.chain_ids:
        faults.append(Sentence("The message names chain %(chain)s, which is not served here", chain=message.chain_id))
    if message.statement != expected.statement:
        faults.append(Sentence("The message says something else than what is about to happen"))
    if message.issued_at > expected.now + _SKEW:
        faults.append(Sentence("The message was issued in the future: check the clock of your machine"))
    if message.expires_at <= expected.now or message.expires_at - message.issued_at > LIFE:
        faults.append(Sentence("The message has expired: ask for a new one"))
    return tuple(faults)
