"""Every documented error means what it says, and an answer that differs from the question is refused."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.jupiter.client import ERRORS
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.exchanges.exchange import put
from tests.adapters.jupiter.stub_upstream import BUYING, SELLING, STRANGER, WALLET, StubUpstream, bought, sold

Body = dict[str, Any]
TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"


async def failure(
    stub_upstream: StubUpstream, status: int, body: object, request: QuoteRequest = BUYING
) -> AdapterError:
    stub_upstream.upstream.says("/build", body, status)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(request)
    return failed.value


@pytest.mark.parametrize("code", ERRORS.meanings)
async def test_every_documented_code(stub_upstream: StubUpstream, code: str) -> None:
    kind, _ = ERRORS.meanings[code]
    for status in (400, 200):
        found = await failure(stub_upstream, status, {"error": "words of theirs", "errorCode": code})
        assert type(found) is kind
        assert "theirs" not in found.reason


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": "No routes found"}, NoRoute),
        (200, {"error": "No routes found"}, NoRoute),
        (400, {"error": "Failed to get quotes", "requestId": "1"}, NoRoute),
        (400, {"error": {"issues": [{"path": ["taker"]}], "name": "ZodError"}}, RequestRejected),
        (200, {"error": {"issues": []}}, RequestRejected),
        (400, {"error": "dexes and excludeDexes are mutually exclusive"}, RequestRejected),
        (200, {"error": "something new"}, UpstreamFailed),
        (200, {"error": None}, UpstreamFailed),
        (401, {"code": 401, "message": "Unauthorized"}, CredentialsRejected),
        (403, {"code": 403, "message": "Request blocked by firewall"}, CredentialsRejected),
        (429, {"code": 429, "message": "[API Gateway] Too many requests"}, UpstreamFailed),
        (500, {"error": "No routes found"}, NoRoute),
        (503, "<html>", UpstreamFailed),
        (200, [], UpstreamFailed),
        (200, {}, UpstreamFailed),
    ],
)
async def test_what_else_fails(
    stub_upstream: StubUpstream, status: int, body: object, kind: type[AdapterError]
) -> None:
    assert type(await failure(stub_upstream, status, body)) is kind


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("inputMint", STRANGER),
        ("outputMint", STRANGER),
        ("inAmount", "10000001"),
        ("swapMode", "ExactOut"),
        ("slippageBps", 101),
        ("slippageBps", 100.5),
        ("outAmount", "98346494"),
        ("outAmount", "-1"),
        ("otherAmountThreshold", "97363027"),
        ("otherAmountThreshold", "98346494"),
        ("computeBudgetInstructions.0.programId", TOKEN),
        ("otherInstructions", [sold()["setupInstructions"][1]]),
        ("tipInstruction", sold()["setupInstructions"][1]),
        ("cleanupInstruction.accounts.1.pubkey", STRANGER),
        ("cleanupInstruction.accounts.0.pubkey", "37b6XXe8UKT7Y6kLoQCvC3qgBf6my9H5JcdUH7Ds7pJk"),
        ("cleanupInstruction.data", "Cg=="),
        ("cleanupInstruction", {"programId": TOKEN, "accounts": [], "data": "BgA="}),
        ("setupInstructions.0.accounts.0.pubkey", STRANGER),
        ("setupInstructions.0.accounts.1.pubkey", STRANGER),
        ("setupInstructions.0.accounts.2.pubkey", STRANGER),
        ("setupInstructions.0.accounts.3.pubkey", STRANGER),
        ("setupInstructions.0.accounts.4.pubkey", STRANGER),
        ("setupInstructions.0.accounts.5.pubkey", STRANGER),
        ("setupInstructions.0.data", "Ag=="),
        ("setupInstructions.0", sold()["setupInstructions"][1]),
        ("setupInstructions.0", sold()["setupInstructions"][2]),
        ("swapInstruction.programId", "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"),
        ("swapInstruction.data", ""),
        ("swapInstruction.data", "AA"),
        ("swapInstruction.data", "u2T6zDHErxSAlpgAAAAAAP2l3AUAAAAAZAAAAAAAAQ=="),
        ("swapInstruction.accounts", []),
        *((f"swapInstruction.accounts.{place}.pubkey", STRANGER) for place in range(10)),
        ("swapInstruction.accounts.12.isSigner", True),
        ("swapInstruction.accounts.12.isSigner", 1),
        ("swapInstruction.accounts.12.pubkey", "0x" + 40 * "0"),
        ("swapInstruction", None),
        ("setupInstructions", None),
        ("addressesByLookupTableAddress", {"nowhere": []}),
    ],
)
async def test_an_answer_of_something_else_is_refused(stub_upstream: StubUpstream, path: str, value: object) -> None:
    assert type(await failure(stub_upstream, 200, put(bought(), path, value))) is UpstreamFailed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("setupInstructions.1.accounts.0.pubkey", STRANGER),
        ("setupInstructions.1.accounts.1.pubkey", STRANGER),
        ("setupInstructions.1.data", "AgAAAAHh9QUAAAAA"),
        ("setupInstructions.2.accounts.0.pubkey", STRANGER),
        ("setupInstructions.2.data", "BQ=="),
        *((f"swapInstruction.accounts.{place}.pubkey", STRANGER) for place in (0, 1, 2, 5, 6, 7, 8, 9, 10, 11)),
    ],
)
async def test_a_shared_route_is_held_to_the_request(stub_upstream: StubUpstream, path: str, value: object) -> None:
    body = put(sold(), path, value)
    assert type(await failure(stub_upstream, 200, body, SELLING)) is UpstreamFailed


def altered(body: Body, place: int, change: Callable[[int], int]) -> Body:
    data = bytearray(b64decode(body["swapInstruction"]["data"]))
    data[place] = change(data[place])
    return put(body, "swapInstruction.data", b64encode(data).decode())


@pytest.mark.parametrize("place", range(30))
@pytest.mark.parametrize("shared", [False, True])
async def test_every_byte_of_its_arguments_is_held_to_the_request(
    stub_upstream: StubUpstream, place: int, shared: bool
) -> None:
    """The discriminator, the number of a shared authority, amount, output, slippage and both fees."""
    body, request, arguments = (sold(), SELLING, 31) if shared else (bought(), BUYING, 30)
    if place < arguments:
        stub_upstream.upstream.says("/build", body)
        await stub_upstream.adapter.quote(request)
        found = await failure(stub_upstream, 200, altered(body, place, lambda byte: byte ^ 1), request)
        assert type(found) is UpstreamFailed


async def test_a_route_without_steps_is_none(stub_upstream: StubUpstream) -> None:
    assert "steps" in (await failure(stub_upstream, 200, altered(bought(), 30, lambda _: 0))).reason


async def test_an_answer_for_another_wallet_is_refused(stub_upstream: StubUpstream) -> None:
    other = replace(BUYING, sender=STRANGER, taker=STRANGER, receiver=STRANGER, payout_address=STRANGER)
    assert WALLET != STRANGER
    assert type(await failure(stub_upstream, 200, bought(), other)) is UpstreamFailed


async def test_tables_may_be_missing_or_named_again(stub_upstream: StubUpstream) -> None:
    for tables in (None, {}, {STRANGER: [STRANGER, STRANGER]}, {STRANGER: [STRANGER] * 300}):
        stub_upstream.upstream.says("/build", bought() | {"addressesByLookupTableAddress": tables})
        quote = await stub_upstream.adapter.quote(BUYING)
        assert (await stub_upstream.adapter.build(quote)).tables == tuple(tables or ())
