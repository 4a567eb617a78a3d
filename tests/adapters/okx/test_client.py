"""How calls of OKX are signed, and what its codes mean."""

import base64
import hmac
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.adapters.okx.client import Seal
from rhumbline.domain import errors
from rhumbline.domain.clock import system_clock
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.exchanges.exchange import ONE
from tests.adapters.exchanges.stub_upstream import NOW, REQUEST, StubUpstream
from tests.adapters.okx.case import EXCHANGE


async def test_the_call_is_signed_as_it_leaves(stub_upstream: StubUpstream) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    target = asked.path + "?" + "&".join(f"{name}={value}" for name, value in asked.query.items())
    signed = f"2026-11-21T04:00:00.123ZGET{target}".encode()
    signature = base64.b64encode(hmac.digest(b"undertow", signed, sha256)).decode()
    sent = {name: value for name, value in asked.headers.items() if name.startswith("ok-access")}
    assert sent == {
        "ok-access-key": "example-key",
        "ok-access-passphrase": "ebb and flow",
        "ok-access-sign": signature,
        "ok-access-timestamp": "2026-11-21T04:00:00.123Z",
    }
    assert "undertow" not in str(asked)


def test_a_known_signature() -> None:
    """By the documented recipe, worked out with another program (openssl dgst -sha256 -hmac)."""
    seal = Seal("undertow", lambda: NOW)
    found = seal("GET", "/api/v6/dex/aggregator/supported/chain?chainIndex=1", b"")
    assert found["OK-ACCESS-SIGN"] == "FHhIhrNro5RLkO6eAGijEPrxZOqq2IZmwMkbqmq5TFw="


def test_the_secret_shows_nowhere(stub_upstream: StubUpstream) -> None:
    for shown in (
        repr(stub_upstream.adapter),
        repr(stub_upstream.adapter.context),
        repr(Seal("undertow", lambda: NOW)),
    ):
        assert "undertow" not in shown
    assert "undertow" not in str(dict(SPEC.headers(EXCHANGE.credentials)))
    assert (SPEC.needs, SPEC.optional_credentials) == (("key", "secret", "passphrase"), ("project",))
    assert SPEC.headers({**EXCHANGE.credentials, "project": "p"})["OK-ACCESS-PROJECT"] == "p"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (50011, errors.UpstreamFailed),
        (50014, errors.RequestRejected),
        (50026, errors.UpstreamFailed),
        (50105, errors.CredentialsRejected),
        (50113, errors.CredentialsRejected),
        (51000, errors.RequestRejected),
        (82000, errors.NoRoute),
        (82102, errors.BelowMinimum),
        (82103, errors.NoRoute),
        (82104, errors.NoRoute),
        (82105, errors.NoRoute),
        (82112, errors.SlippageTooTight),
    ],
)
async def test_what_the_codes_mean(stub_upstream: StubUpstream, code: int, kind: type[errors.AdapterError]) -> None:
    assert type(await stub_upstream.failure({"code": str(code), "msg": "", "data": []})) is kind


async def test_two_swaps_are_one_too_many(stub_upstream: StubUpstream) -> None:
    body = stub_upstream.said()
    body["data"] *= 2
    assert "several" in (await stub_upstream.failure(body)).reason


@pytest.mark.parametrize("name", ["key", "secret", "passphrase"])
async def test_each_credential_is_needed_as_it_is(adapter_fixture: AdapterFixture, name: str) -> None:
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, OkxAdapter)
    credentials = {**adapter.context.credentials, name: "another"}
    http = replace(adapter.context.http, headers=SPEC.headers(credentials))
    other = OkxAdapter(replace(adapter.context, http=http, credentials=credentials))
    with pytest.raises(errors.CredentialsRejected):
        await other.quote(adapter_fixture.request("WETH", "USDC", ONE))


async def test_a_clock_that_is_wrong_is_refused_as_such(adapter_fixture: AdapterFixture) -> None:
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, OkxAdapter)
    late = OkxAdapter(replace(adapter.context, clock=lambda: system_clock() - timedelta(minutes=5)))
    with pytest.raises(errors.CredentialsRejected, match="time"):
        await late.quote(adapter_fixture.request("WETH", "USDC", ONE))
