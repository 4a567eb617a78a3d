"""Signed answers through a proxy that is not trusted: what it changes is found, by both clients."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rhumbline_client import AsyncRhumbline, InvalidSignature, Retries, models, signatures
from tests.api.api_service import TX_ID, WALLET, ApiService
from tests.clients.python.signed_service import Proxy, proxied
from tests.clients.python.test_client import ASKED
from tests.clients.typescript.test_client import ASKED as ASKED_IN_TYPESCRIPT
from tests.clients.typescript.test_client import Run, run

__all__ = ["run"]

MORE = b'"outputAmount":"2000000"', b'"outputAmount":"9000000"'


@pytest.fixture
async def proxy(one_service: ApiService) -> AsyncIterator[Proxy]:
    async with proxied(one_service) as running:
        yield running


def client_of(proxy: Proxy, keys: list[dict[str, Any]] | None = None) -> AsyncRhumbline:
    return AsyncRhumbline(proxy.url, retries=Retries(attempts=1), signing_keys=proxy.keys if keys is None else keys)


async def test_what_the_service_said_is_taken(proxy: Proxy) -> None:
    async with client_of(proxy) as client:
        assert (await client.quote(**ASKED)).output_amount == 2_000_000
        assert [type(each) async for each in client.quote_stream(**ASKED)] == [models.QuoteResponse]
        (route,) = await client.routes(**ASKED)
        step = await client.step_transaction(route.steps[0], sender_address=WALLET, receiver_address=WALLET)
        assert step.transaction_request is not None
        assert (await client.status(TX_ID)).transaction_id == TX_ID
        assert await client.signing_keys() == proxy.keys


async def test_what_a_proxy_changed_is_not(proxy: Proxy) -> None:
    async with client_of(proxy) as client:
        proxy.body = lambda body: body.replace(*MORE)
        with pytest.raises(InvalidSignature, match="the body is not the one that was signed"):
            await client.quote(**ASKED)
        proxy.body, proxy.target = bytes, lambda target: target.replace("amount=1000000", "amount=2000000")
        with pytest.raises(InvalidSignature, match="not over this request"):
            await client.quote(**ASKED)
        proxy.target = lambda _: f"/v1/status/{TX_ID}"
        with pytest.raises(InvalidSignature):
            await client.quote(**ASKED)
    async with client_of(proxy, [{**proxy.keys[0], "x": "A" * 43}]) as client:
        with pytest.raises(InvalidSignature, match="not over this request"):
            await client.status(TX_ID)
    async with client_of(proxy, []) as client:
        with pytest.raises(InvalidSignature, match="is not among those given"):
            await client.status(TX_ID)


async def test_an_old_answer_is_refused(proxy: Proxy) -> None:
    async with httpx.AsyncClient() as http:
        found = await http.get(f"{proxy.url}/v1/status/{TX_ID}")

    def signed_at(at: float | None = None) -> float:
        said = found.status_code, found.headers, found.content
        return signatures.verify("GET", f"/v1/status/{TX_ID}", *said, proxy.keys, at=at)

    moment = signed_at()
    assert signed_at(moment + 300) == moment
    for at in (moment + 301, moment - 31):
        with pytest.raises(InvalidSignature, match="not within the last 300 seconds"):
            signed_at(at)


async def test_a_page_can_check_it_too(run: Run, proxy: Proxy) -> None:
    told = {"asked": ASKED_IN_TYPESCRIPT, "keys": proxy.keys, "id": TX_ID}
    quote, streamed, routes, status, keys = await run("signed", proxy.url, **told)
    assert (quote["outputAmount"], streamed[0]["kind"], routes, status["transactionId"]) == (
        "2000000", "answer", 1, TX_ID,
    )  # fmt: skip
    assert keys == proxy.keys
    proxy.body = lambda body: body.replace(*MORE).replace(b'"success"', b'"unknown"')
    changed = await run("signed", proxy.url, **told)
    assert [each["name"] for each in changed[:4]] == ["InvalidSignature"] * 4
    proxy.body, proxy.target = bytes, lambda target: target.replace("amount=1000000", "amount=2000000")
    assert "not over this request" in (await run("signed", proxy.url, **told))[0]["message"]
