"""``GET /.well-known/jwks.json``: the public keys by which answers are signed."""

from types import MappingProxyType
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.message_signatures import AnswerSigner
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.wire.shape import Wire, answer
from rhumbline.domain.errors import NotFound

KEYS = "/.well-known/jwks.json"
_KEYS = Operation(
    "getSigningKeys",
    "Metadata",
    "The public keys of signed answers",
    "A JSON Web Key Set: the present key first, then former or coming ones. 404 if this service signs nothing. "
    "Beyond the contract.",
    errors=(404,),
    key="none",
)
_HEADERS = MappingProxyType({"access-control-allow-origin": "*", "cache-control": "public, max-age=300"})


class SigningKeyEntry(Wire):
    """A public key as a JSON Web Key (RFC 8037)."""

    crv: Literal["Ed25519"]
    kty: Literal["OKP"]
    x: str
    kid: str
    use: Literal["sig"]


class SigningKeySet(Wire):
    """A JSON Web Key Set (RFC 7517)."""

    keys: list[SigningKeyEntry]


def signing_key_route(signer: AnswerSigner | None) -> ApiRoute:
    """Return the route; without a signer it answers as any path at which there is nothing."""

    async def get_keys(request: Request) -> Response:
        if signer is None:
            raise NotFound(f"There is nothing at {KEYS}")
        return answer(SigningKeySet.model_validate(signer.key_set()), headers=_HEADERS)

    return ApiRoute(KEYS, get_keys, _KEYS, SigningKeySet)
