"""Signed answers: checked by another library, with the signature base written out as RFC 9421 has it."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rhumbline.api.http.message_signatures import AnswerSigner
from rhumbline.api.server.application import create_app
from rhumbline.gateways.ed25519 import SigningKey
from tests.api.api_service import NOW, TX_ID, USDC, USDT, WALLET, ApiService, services
from tests.api.conftest import Answer, Client, served

# RFC 9421, B.1.4, test-key-ed25519 (https://www.rfc-editor.org/rfc/rfc9421, read 2026-11), of its private key the seed.
SEED = base64.urlsafe_b64decode("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU=")
FORMER = Ed25519PrivateKey.from_private_bytes(bytes(range(32))).public_key().public_bytes_raw()
ASKED = {
    "senderAddress": WALLET,
    "originChainId": "1",
    "destinationChainId": "1",
    "originCurrency": USDC,
    "destinationCurrency": USDT,
    "amount": "1000000",
}
SIGNATURES = {"signature", "signature-input", "content-digest"}


@pytest.fixture
async def signing(api_service: ApiService) -> AsyncIterator[Client]:
    signer = AnswerSigner(SigningKey(SEED), (FORMER,))
    app = create_app(replace(services(api_service, {}), signer=signer))
    async with aiohttp.ClientSession() as session, served(app) as (url, port):
        yield Client(url, port, session)


def digest(body: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def check(answer: Answer, method: str, target: str, posted: str | None = None) -> None:
    """Raise InvalidSignature, or AssertionError, for an answer that was not signed for this request."""
    path, _, query = target.partition("?")
    req = '"@status" "content-digest" "@method";req "@path";req "@query";req'
    covered = f"({req})" if posted is None else f'({req} "content-digest";req)'
    kid = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    parameters = f'{covered};created={int(NOW.timestamp())};keyid="{kid}";alg="ed25519"'
    assert answer.headers["signature-input"] == f"rhumbline={parameters}"
    assert answer.headers["content-digest"] == digest(answer.text.encode())
    base = (
        f'"@status": {answer.status}\n"content-digest": {digest(answer.text.encode())}\n"@method";req: {method}\n'
        f'"@path";req: {path}\n"@query";req: ?{query}\n'
        + ("" if posted is None else f'"content-digest";req: {posted}\n')
        + f'"@signature-params": {parameters}'
    )
    signature = answer.headers["signature"].removeprefix("rhumbline=:").removesuffix(":")
    key = Ed25519PrivateKey.from_private_bytes(SEED).public_key()
    key.verify(base64.b64decode(signature), base.encode())


async def test_a_quote_is_bound_to_its_request(signing: Client) -> None:
    query = "&".join(f"{name}={value}" for name, value in ASKED.items())
    answer = await signing.ask(f"/v1/quotes?{query}")
    assert answer.status == 200
    check(answer, "GET", f"/v1/quotes?{query}")
    with pytest.raises(InvalidSignature):
        check(answer, "GET", f"/v1/quotes?{query.replace('1000000', '1000001')}")
    with pytest.raises(InvalidSignature):
        check(replace(answer, status=422), "GET", f"/v1/quotes?{query}")
    exposed = [value for name, value in answer.headers.items() if name.lower() == "access-control-expose-headers"]
    assert exposed[1:] == ["Content-Digest, Signature-Input, Signature"]


@pytest.mark.parametrize("own", [None, "sha-512=:AA==:, {}"])
async def test_a_body_is_bound_too(signing: Client, own: str | None) -> None:
    body = json.dumps({**ASKED, "maxRoutes": 3}).encode()
    named = digest(body) if own is None else own.format(digest(body))
    headers = {} if own is None else {"content-digest": named}
    answer = await signing.ask("/v1/advanced/routes", method="POST", data=body, headers=headers)
    assert answer.status == 200
    check(answer, "POST", "/v1/advanced/routes", named)
    with pytest.raises(InvalidSignature):
        check(answer, "POST", "/v1/advanced/routes", digest(body.replace(b"1000000", b"2000000")))


async def test_a_body_that_is_not_the_one_its_digest_names_is_refused(signing: Client, api_service: ApiService) -> None:
    body = json.dumps(ASKED).encode()
    headers = {"content-digest": digest(body + b" ")}
    answer = await signing.ask("/v1/advanced/routes", method="POST", data=body, headers=headers)
    assert (answer.status, answer.json["code"], api_service.asked) == (400, "VALIDATION_ERROR", [])
    assert answer.json["details"]["message"][0].startswith("content-digest ")
    assert {name.lower() for name in answer.headers} >= SIGNATURES


@pytest.mark.parametrize(
    ("target", "status"), [("/v1/quotes", 400), ("/v1/status/0x00", 404), (f"/v1/status/{TX_ID}", 200)]
)
async def test_errors_and_statuses_are_signed(signing: Client, target: str, status: int) -> None:
    answer = await signing.ask(target)
    assert answer.status == status
    check(answer, "GET", target)


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("HEAD", "/v1/quotes"),
        ("GET", "/v1/tools"),
        ("GET", "/v1/prices?tokens=1:USDC"),
        ("GET", "/health"),
        ("GET", "/v1/quotes/stream?" + "&".join(f"{name}={value}" for name, value in ASKED.items())),
    ],
)
async def test_nothing_else_is_signed(signing: Client, method: str, target: str) -> None:
    answer = await signing.ask(target, method=method)
    assert not SIGNATURES & {name.lower() for name in answer.headers}


async def test_both_keys_are_published(signing: Client) -> None:
    answer = await signing.ask("/.well-known/jwks.json")
    assert answer.headers["access-control-allow-origin"] == "*"
    present, former = answer.json["keys"]
    assert present == {
        "crv": "Ed25519", "kty": "OKP", "use": "sig",
        "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs", "kid": "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
    }  # fmt: skip
    assert Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(former["x"] + "=")).public_bytes_raw() == FORMER


async def test_without_a_key_there_is_nothing(client: Client) -> None:
    assert (await client.ask("/.well-known/jwks.json")).json["message"] == "There is nothing at /.well-known/jwks.json"
    answer = await client.ask("/v1/quotes", ASKED)
    assert answer.status == 200
    assert not SIGNATURES & {name.lower() for name in answer.headers}
