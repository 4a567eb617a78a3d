"""Signatures of answers by RFC 9421, with the digests of RFC 9530 (read 2026-11): what is signed, and its headers.

A signature binds an answer to its request. It covers the answer's status and the digest of its body, and the request's
method, path, query and, if it has a body, the digest of that.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rhumbline.gateways.ed25519 import SigningKey

LABEL = "rhumbline"
_DIGEST = re.compile(r"(?:^|,)[ \t]*sha-256=:([A-Za-z0-9+/=]{44}):[ \t]*(?=,|$)")
_RESPONSE = '"@status" "content-digest" "@method";req "@path";req "@query";req'


def base64url(value: bytes) -> str:
    """Return base64url without padding (RFC 7515, 2)."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def content_digest(body: bytes) -> str:
    """Return the value of ``Content-Digest`` for a body."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def digest_holds(field_value: str, body: bytes) -> bool:
    """Tell whether a ``Content-Digest`` that came with a body names its SHA-256."""
    found = _DIGEST.search(field_value)
    return found is not None and f"sha-256=:{found.group(1)}:" == content_digest(body)


def public_jwk(public: bytes) -> dict[str, str]:
    """Return a public key as a JSON Web Key (RFC 8037, 2); its ``kid`` is its thumbprint (RFC 7638)."""
    named = {"crv": "Ed25519", "kty": "OKP", "x": base64url(public)}
    thumbprint = hashlib.sha256(json.dumps(named, separators=(",", ":"), sort_keys=True).encode()).digest()
    return {**named, "kid": base64url(thumbprint), "use": "sig"}


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """What of a request is signed: ``query`` is without ``?``.

    ``digest`` is the ``Content-Digest`` that it has or would have; None without a body, or where that was not read.
    """

    method: str
    path: str
    query: str
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerSigner:
    """Signs answers; ``published`` are the public keys to be shown besides the own one: former or coming ones."""

    key: SigningKey
    published: Sequence[bytes] = ()
    kid: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kid", public_jwk(self.key.public)["kid"])

    def key_set(self) -> dict[str, list[dict[str, str]]]:
        """Return the JSON Web Key Set (RFC 7517, 5), the present key first."""
        others = [each for each in dict.fromkeys(self.published) if each != self.key.public]
        return {"keys": [public_jwk(each) for each in (self.key.public, *others)]}

    def headers(self, request: SignedRequest, status: int, body: bytes, created: int) -> list[tuple[bytes, bytes]]:
        """Return the headers that sign an answer to ``request``; ``created`` is the present Unix second."""
        digest = content_digest(body)
        posted = "" if request.digest is None else ' "content-digest";req'
        parameters = f'({_RESPONSE}{posted});created={created};keyid="{self.kid}";alg="ed25519"'
        lines = [
            f'"@status": {status}',
            f'"content-digest": {digest}',
            f'"@method";req: {request.method}',
            f'"@path";req: {request.path}',
            f'"@query";req: ?{request.query}',
            *([] if request.digest is None else [f'"content-digest";req: {request.digest}']),
            f'"@signature-params": {parameters}',
        ]
        signature = base64.b64encode(self.key.sign("\n".join(lines).encode("latin-1"))).decode()
        return [
            (b"content-digest", digest.encode()),
            (b"signature-input", f"{LABEL}={parameters}".encode()),
            (b"signature", f"{LABEL}=:{signature}:".encode()),
        ]
