"""Whether an answer is the service's, by HTTP Message Signatures (RFC 9421): ``rhumbline-client[signatures]``.

The service's guide has what is signed: docs/signed-answers.md.
"""

import binascii
import hashlib
import re
import time
from base64 import b64decode, b64encode, urlsafe_b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature as WrongSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rhumbline_client.errors import InvalidSignature

MAX_AGE_S = 300
EARLY_S = 30
"""How far the service's clock may be ahead of this one."""
_COVERED = '"@status" "content-digest" "@method";req "@path";req "@query";req'
_POSTED = ' "content-digest";req'
_INPUT = re.compile(
    r'rhumbline=(?P<parameters>\((?P<covered>[^()]*)\);created=(?P<created>\d{1,12});keyid="(?P<kid>[\w-]{1,100})"'
    r';alg="ed25519")'
)
_SIGNATURE = re.compile(r"rhumbline=:(?P<signature>[A-Za-z0-9+/=]{88}):")


def verify(
    method: str,
    target: str,
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    keys: Sequence[Mapping[str, Any]],
    *,
    posted: bytes | None = None,
    at: float | None = None,
    max_age: float = MAX_AGE_S,
) -> float:
    """Check that the holder of a key gave this answer to this request, and return when, in Unix seconds.

    Args:
        method: the request's.
        target: path and query as they were sent; where the service is below a path of its host, without that.
        status: the answer's.
        headers: the answer's, in whatever case.
        body: the answer's, after a content coding was undone.
        keys: the `keys` of ``/.well-known/jwks.json``, which came another way than through whom is not trusted.
        posted: the body of a POST.
        at: the present in Unix seconds; the clock's by default.
        max_age: an answer older than so many seconds is refused.

    Raises:
        InvalidSignature: it is not signed, not by these keys, not over this request and answer, or too old.

    """
    given = {name.lower(): value for name, value in headers.items()}
    said = _INPUT.fullmatch(given.get("signature-input", ""))
    signed = _SIGNATURE.fullmatch(given.get("signature", ""))
    if said is None or signed is None:
        raise InvalidSignature("the answer is not signed, or not as this client knows")
    # Refusals may come before a body was read; what can be executed never does.
    has_posted = said["covered"] == _COVERED + _POSTED
    if not has_posted and (said["covered"] != _COVERED or (posted is not None and 200 <= status < 300)):
        raise InvalidSignature("the signature does not cover what it should")
    if given.get("content-digest") != _digest(body):
        raise InvalidSignature("the body is not the one that was signed")
    path, _, query = target.partition("?")
    base = [
        f'"@status": {status}',
        f'"content-digest": {_digest(body)}',
        f'"@method";req: {method}',
        f'"@path";req: {path}',
        f'"@query";req: ?{query}',
        *([f'"content-digest";req: {_digest(posted or b"")}'] if has_posted else []),
        f'"@signature-params": {said["parameters"]}',
    ]
    key = next((each for each in keys if each.get("kid") == said["kid"]), None)
    if key is None:
        raise InvalidSignature(f"the answer is signed with the key {said['kid']}, which is not among those given")
    try:
        _public(key).verify(b64decode(signed["signature"]), "\n".join(base).encode("latin-1"))
    except (WrongSignature, binascii.Error):
        raise InvalidSignature("the signature is not over this request and this answer") from None
    created, now = int(said["created"]), time.time() if at is None else at
    if not now - max_age <= created <= now + EARLY_S:
        raise InvalidSignature(f"the answer was signed at {created}, not within the last {max_age:g} seconds")
    return float(created)


def _digest(body: bytes) -> str:
    return f"sha-256=:{b64encode(hashlib.sha256(body).digest()).decode()}:"


def _public(key: Mapping[str, Any]) -> Ed25519PublicKey:
    if key.get("kty") != "OKP" or key.get("crv") != "Ed25519":
        raise InvalidSignature("the key is none of Ed25519")
    try:
        return Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(str(key.get("x")) + "="))
    except ValueError:
        raise InvalidSignature("the key's x is no public key") from None
