"""Each request for quotes leaves a trail: whose, of what, how it ended; never a wallet, and no faulty value."""

import asyncio

import aiohttp
import pytest

from rhumbline.accounts.trails import MOST_WAITING
from rhumbline.api.v1.kept_requests import without_values
from rhumbline.domain.errors import NoAvailableQuotes, Overloaded, QuotingPaused, RhumblineError
from rhumbline.domain.trail import Trail
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.api.api_service import KEY, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import BODY, FOREIGN, ROUTES, STEP, posted
from tests.api.v1.test_stream import ESTIMATE
from tests.api.wire.test_quote_request import GOOD

QUOTES, STREAM = "/v1/quotes", "/v1/quotes/stream"
SECRET = "0x" + "5e" * 32


def kept(api_service: ApiService) -> list[Trail]:
    trails = api_service.trails.take(MOST_WAITING)
    for trail in trails:
        trail.make_notes()
    return trails


async def test_all_four_endpoints_leave_one(client: Client, api_service: ApiService) -> None:
    named = {"x-api-key": KEY, "x-request-id": "mine"}
    assert (await client.ask(QUOTES, GOOD, headers=named)).status == 200
    assert (await client.ask(STREAM, GOOD)).status == 200
    assert (await posted(client, ROUTES, BODY)).status == 200
    answer = await posted(client, STEP, FOREIGN)
    assert answer.status == 200, answer.text
    first, *others = trails = kept(api_service)
    assert [each.endpoint for each in trails] == [QUOTES, STREAM, ROUTES, STEP]
    assert (first.request_id, first.integrator, first.key_id) == ("mine", "Acme", 1)
    assert others[-1].request_id == answer.headers["x-request-id"]
    assert [each.integrator for each in others] == [None, None, None]
    assert {each.status for each in trails} == {200}
    for trail, request in zip(trails, api_service.asked, strict=True):
        assert trail.asked is not None
        assert (trail.asked.amount, trail.asked.origin_token) == (str(request.amount), request.origin_token)
        assert request.trail is trail
        assert WALLET.lower() not in str(trail.body()).lower()


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (NoAvailableQuotes("Nobody"), 422, "NO_AVAILABLE_QUOTES"),
        (QuotingPaused("Quoting is paused"), 503, "UNKNOWN"),
        (RpcError(-32000, "no"), 502, "ADAPTER_INTERNAL"),
    ],
)
@pytest.mark.parametrize("path", [QUOTES, STREAM])
async def test_failures_are_kept_as_they_were_answered(
    client: Client, api_service: ApiService, failure: Exception, status: int, code: str, path: str
) -> None:
    api_service.failure = failure
    answer = await client.ask(path, GOOD)
    assert path == STREAM or answer.status == status
    (trail,) = kept(api_service)
    assert (trail.status, trail.code) == (status, code)
    assert not isinstance(failure, RhumblineError) or trail.message == failure.message


async def test_of_an_unexpected_failure_its_text_is_not_kept(client: Client, api_service: ApiService) -> None:
    api_service.failure = RuntimeError("hidden-word")
    assert (await client.ask(QUOTES, GOOD)).status == 500
    (trail,) = kept(api_service)
    assert (trail.status, trail.code) == (500, "UNKNOWN")
    assert "hidden-word" not in trail.message


@pytest.mark.parametrize("path", [QUOTES, STREAM])
async def test_a_faulty_request_is_kept_without_its_values(client: Client, api_service: ApiService, path: str) -> None:
    for faulty in ({"senderAddress": SECRET}, {"amount": "it's"}, {"includeBridges": SECRET[:40]}):
        assert (await client.ask(path, {**GOOD, **faulty})).status == 400
        (trail,) = kept(api_service)
        (name, value) = next(iter(faulty.items()))
        assert (trail.status, trail.asked) == (400, None)
        assert name in trail.message
        assert value not in trail.message


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("amount must be a token's; got 'x' (and 2 more)", "amount must be a token's"),
        ("fee names 'x', which is nothing", "fee"),
        ("content type is 'x'", "content type"),
        (f"step.action is not {SECRET}", "step.action is not …"),
        ("slippage is missing", "slippage is missing"),
    ],
)
def test_values_of_faults_are_cut_off(message: str, shown: str) -> None:
    assert without_values(message) == shown


async def test_too_much_load_leaves_none(client: Client, api_service: ApiService) -> None:
    api_service.failure = Overloaded("The service is overloaded")
    assert (await client.ask(QUOTES, GOOD)).status == 503
    assert kept(api_service) == []


async def test_who_leaves_a_stream_is_kept_as_that(client: Client, api_service: ApiService) -> None:
    api_service.told, api_service.lets = [ESTIMATE], asyncio.Event()
    async with asyncio.timeout(10), aiohttp.ClientSession() as session:
        async with session.get(client.url + STREAM, params=GOOD) as response:
            await response.content.readuntil(b"\n\n")
            response.close()
        await api_service.ended.wait()
    (trail,) = kept(api_service)
    assert (trail.status, trail.code) == (0, "")
