"""The doctor's checkups by themselves: what a finding is made of, and hosts of upstreams over TLS and without."""

import asyncio
import ssl
import subprocess
from pathlib import Path

import pytest
from aiohttp import web

from rhumbline.app.checkups import Checkup, Finding, NotUsed, NotWorking, State, examine, host_checkup
from rhumbline.devnet.hosts import handling, hosted, listening
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection_errors import host_of


async def well() -> str:
    return "as it should be"


async def unwell() -> str:
    raise NotWorking("is out of order")


async def idle() -> str:
    raise NotUsed("it has nothing to do here")


async def broken() -> str:
    raise ZeroDivisionError("very-secret")


async def silent() -> str:
    await asyncio.Event().wait()
    return "never"


async def states(*checkups: Checkup) -> list[State]:
    return [found.state for found in await examine(checkups)]


async def test_what_fails_is_a_warning_while_another_of_its_kind_answers() -> None:
    a, b = Checkup("prices", "a", unwell), Checkup("prices", "b", well)
    other = Checkup("adapter", "c", well)
    assert await states(a, b) == [State.WARNS, State.OK]
    assert await states(a, other) == [State.FAILS, State.OK]
    assert await states(a, Checkup("prices", "d", idle)) == [State.FAILS, State.OK]
    assert await states(Checkup("prices", "d", idle)) == [State.OK]
    assert await states() == []


async def test_every_end_is_a_finding() -> None:
    found = await examine(
        [
            Checkup("adapter", "a", unwell),
            Checkup("adapter", "b", broken),
            Checkup("adapter", "c", silent, 0.05),
            Checkup("adapter", "d", idle),
        ]
    )
    assert found == [
        Finding("adapter a", State.FAILS, "is out of order"),
        Finding("adapter b", State.FAILS, "answered something that could not be read (ZeroDivisionError)"),
        Finding("adapter c", State.FAILS, "did not answer within 0.05 s"),
        Finding("adapter d", State.OK, "not asked: it has nothing to do here"),
    ]
    assert (await examine([Checkup("adapter", "e", well)]))[0].text.startswith("as it should be, ")


async def test_all_are_asked_at_once() -> None:
    first, second = asyncio.Event(), asyncio.Event()

    async def meets(own: asyncio.Event, other: asyncio.Event) -> str:
        own.set()
        await other.wait()
        return "met"

    checkups = [
        Checkup("a", "a", lambda: meets(first, second), 60),
        Checkup("a", "b", lambda: meets(second, first), 60),
    ]
    assert await states(*checkups) == [State.OK, State.OK]


@pytest.mark.parametrize("status", [200, 301, 404, 500])
async def test_a_host_that_answers_anything_is_up(status: int) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=status, text="<html>", headers={"location": "http://127.0.0.1:1/"})

    app = web.Application()
    app.router.add_get("/{name:.*}", answer)
    async with hosted(app) as url, HttpClient() as http:
        (found,) = await examine([host_checkup("adapter", "RELAY", url + "/key/very-secret", http)])
    assert (found.what, found.state) == ("adapter RELAY", State.OK)
    assert found.text.startswith(f"the host answers (HTTP {status}), ")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/very-secret", "http://[very-secret", "https://u:very-secret@h:x/"])
async def test_a_host_that_cannot_be_reached(url: str) -> None:
    async with HttpClient() as http:
        (found,) = await examine([host_checkup("adapter", "RELAY", url, http)])
    assert found.state is State.FAILS
    assert found.text.startswith("cannot be reached (")
    assert "very-secret" not in found.text


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that nobody vouches for, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", "-days", "2", *kind, *names, *files], check=True, capture_output=True)
    return certificate, key


async def test_a_host_with_a_certificate_of_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = await asyncio.to_thread(self_signed, tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    trusting = ssl.create_default_context(cafile=certificate)
    async with (
        handling(web.Application()) as connected,
        listening(connected, tls=context) as port,
        HttpClient() as http,
        HttpClient() as other,
    ):
        url = f"https://localhost:{port}/"
        (found,) = await examine([host_checkup("adapter", "RELAY", url, http)])
        monkeypatch.setattr("rhumbline.gateways.http.pool._trusting", lambda: trusting)
        (trusted,) = await examine([host_checkup("adapter", "RELAY", url, other)])
    assert (found.state, found.text) == (State.FAILS, f"the TLS certificate of {host_of(url)} is not valid")
    assert trusted.text.startswith("the host answers (HTTP 404), ")
