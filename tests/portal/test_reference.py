"""The reference at /docs in a real Chromium over the sandbox: it opens, asks, tells the truth, and so do the guides."""

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from rhumbline.accounts.service import Accounts
from rhumbline.api.reference.guide_site import GUIDE
from rhumbline.api.reference.routes import LISTED
from rhumbline.domain.clock import system_clock
from tests.portal.axe import violations, violations_in_both_schemes
from tests.portal.chromium import PATIENCE_S, Browser, Page
from tests.portal.sizes import DESKTOP, PHONE, fits
from tests.portal.stack import PortalService
from tests.portal.story import NAME, SWAPPER, swap_with_key, wallet_of

QUOTE = "#operations-Routing-getQuote"
LANGUAGES = ("curl", "Python", "TypeScript")
WEBHOOKS = (
    "addWebhook", "listWebhooks", "testWebhook", "listWebhookDeliveries", "resendWebhookDelivery", "rotateWebhook",
    "enableWebhook", "removeWebhook",
)  # fmt: skip


@dataclass(frozen=True)
class Known:
    """What an integrator has: a key, and the ID of a transaction that was executed under it."""

    key: str
    transaction_id: str


@pytest.fixture(scope="module")
async def document(portal_service: PortalService, session: aiohttp.ClientSession) -> dict[str, Any]:
    async with session.get(portal_service.base_url + "/openapi.json") as response:
        found: dict[str, Any] = await response.json()
        return found


@pytest.fixture(scope="module")
async def known(portal_service: PortalService, session: aiohttp.ClientSession) -> Known:
    accounts = Accounts(portal_service.engine, system_clock)
    await accounts.ensure_integrator(NAME, None, None)
    _, key = await accounts.create_key(NAME)
    sent = await swap_with_key(portal_service, session, key, wallet_of(portal_service, session, SWAPPER))
    async with asyncio.timeout(PATIENCE_S):
        while True:
            url = f"{portal_service.base_url}/v1/transactions/{sent}"
            async with session.get(url, headers={"x-api-key": key}) as response:
                if response.status == 200:
                    return Known(key, (await response.json())["transactionId"])
            await asyncio.sleep(0.1)


async def opened(page: Page, portal_service: PortalService, part: str = "") -> None:
    await page.goto(f"{portal_service.base_url}/docs{part}")
    await page.until("document.querySelectorAll('.opblock').length > 10")


def nothing_foreign(page: Page, portal_service: PortalService) -> None:
    """No policy was broken, nothing failed, and nobody else was asked."""
    assert page.faults == []
    assert [url for url in page.requests if not url.startswith((portal_service.base_url + "/", "data:"))] == []


async def test_the_page_opens_everywhere(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "#/Routing/getQuote")
    await page.until(f"!!document.querySelector('{QUOTE} .code-samples')")
    assert await page.evaluate("document.querySelectorAll('main').length") == 1
    shades = {}
    for size, dark in itertools.product((DESKTOP, PHONE), (False, True)):
        await page.look(*size, dark=dark)
        await fits(page)
        await page.evaluate("document.getAnimations().forEach((each) => each.finish())")
        paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        shown = await page.evaluate(f"getComputedStyle(document.querySelector('{QUOTE} .opblock-summary-path')).color")
        shades[size, dark] = luminance(paper), luminance(shown)
    for (_, dark), (paper, shown) in shades.items():
        assert paper < 0.1 < 0.5 < shown if dark else shown < 0.2 < 0.8 < paper, shades
    nothing_foreign(page, portal_service)


def luminance(colour: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


async def test_axe_finds_nothing(browser: Browser, portal_service: PortalService) -> None:
    """In an operation before and after it was tried, in the form for a key, in the schemas, and in each guide."""
    page = await browser.page()
    await opened(page, portal_service, "#/Routing/getQuote")
    await page.until(f"!!document.querySelector('{QUOTE} .code-samples')")
    assert await violations(page) == []
    await page.click(f"{QUOTE} .execute")
    await page.until(f"!!document.querySelector('{QUOTE} .live-responses-table')")
    await page.click("#reference .models h4 button")
    await page.click("#reference .models .json-schema-2020-12-accordion")
    assert await violations_in_both_schemes(page, 390, 844) == []
    await page.click("#reference .authorize")
    await page.until("!!document.querySelector('#reference .modal-ux input')")
    # Behind the form nothing has changed.
    assert await violations_in_both_schemes(page, 1280, 900, "#reference .modal-ux") == []
    for address, _ in LISTED:
        await page.goto(portal_service.base_url + address)
        assert await violations_in_both_schemes(page, 390, 844) == [], address
    await page.close()


async def test_the_policy_is_as_strict_as_everywhere(
    portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    async with session.get(portal_service.base_url + "/docs") as response:
        policy, text = response.headers["content-security-policy"], await response.text()
    assert "default-src 'none'; script-src 'self'; style-src 'self'; " in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script>|<script (?![^>]*src=)|<style| style=| on[a-z]+=", text)


async def test_an_operation_is_tried_with_a_key_that_nobody_keeps(
    page: Page, portal_service: PortalService, known: Known
) -> None:
    await opened(page, portal_service, "#/Routing/getQuote")
    await page.click("#reference .authorize")
    await page.click("#reference .modal-ux input")
    await page.send("Input.insertText", text=known.key)
    await page.click("#reference .modal-ux button[type=submit]")
    await page.click("#reference .modal-ux .btn-done")
    await page.click(f"{QUOTE} .execute")
    await page.until(f"document.querySelector('{QUOTE} .live-responses-table')?.innerText.includes('transactionId')")
    asked = [headers for url, headers in zip(page.requests, page.headers, strict=True) if "/v1/quotes?" in url]
    assert [headers["x-api-key"] for headers in asked] == [known.key]
    assert "200" in await page.text(f"{QUOTE} .live-responses-table tbody .response-col_status")
    kept = "document.cookie + JSON.stringify({...localStorage, ...sessionStorage})"
    assert await page.evaluate(kept) == "{}"
    await opened(page, portal_service)
    assert known.key not in await page.evaluate("document.documentElement.outerHTML")
    await page.click("#reference .authorize")
    assert await page.evaluate("document.querySelector('#reference .modal-ux input').value") == ""
    nothing_foreign(page, portal_service)


async def test_the_examples_are_those_of_the_document(
    page: Page, portal_service: PortalService, document: dict[str, Any]
) -> None:
    await opened(page, portal_service, "#/Routing/getQuote")
    (operation,) = document["paths"]["/v1/quotes"].values()
    for place, sample in enumerate(operation["x-codeSamples"], 1):
        assert sample["label"] == LANGUAGES[place - 1]
        await page.click(f"{QUOTE} .code-languages button:nth-child({place})")
        assert (
            await page.evaluate(f"document.querySelector('{QUOTE} .code-samples pre').textContent") == sample["source"]
        )


async def test_no_endpoint_but_health_is_without_examples(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            labels = tuple(sample["label"] for sample in operation.get("x-codeSamples", ()))
            assert labels == LANGUAGES or "Health" in operation["tags"], path


@pytest.mark.parametrize("label", LANGUAGES)
async def test_the_examples_run(
    label: str, document: dict[str, Any], portal_service: PortalService, known: Known, tmp_path: Path
) -> None:
    """As they stand, with what the reader has in the environment."""
    running = {
        operation["operationId"]: sample["source"]
        for methods in document["paths"].values()
        for operation in methods.values()
        for sample in operation.get("x-codeSamples", ())
        if sample["label"] == label
    }
    assert len(running) == 29
    given = {"API_KEY": known.key, "TRANSACTION_ID": known.transaction_id}
    if label == "curl":
        routes = json.loads(await run(label, running["getRoutes"], tmp_path, given))
        given["STEP"] = json.dumps(routes["routes"][0]["steps"][0])
    # Of a webhook the reader learns from the examples before: in this order, and at last it is removed.
    answers = {}
    for name in sorted(running, key=lambda name: WEBHOOKS.index(name) if name in WEBHOOKS else -1):
        until = {"streamTransactions": "event: ready", "streamStatus": "event: transaction."}.get(name)
        answers[name] = await run(label, running[name], tmp_path, given, until)
        if name == "addWebhook":
            given["WEBHOOK"] = found(r"(wh_[0-9a-f]{16})", answers[name])
        if name == "testWebhook":
            given["DELIVERY"] = found(r"\bid\W{1,3}(\d+)", answers[name])
    assert known.transaction_id in answers["getStatus"]
    assert "transactionRequest" in answers["getStepTransaction"]
    assert "minOutputAmount" in answers["getQuote"]
    assert "event: answer" in answers["streamQuote"]
    assert "webhook.test" in answers["resendWebhookDelivery"]
    assert given["WEBHOOK"] in answers["removeWebhook"]
    assert not [name for name, answer in answers.items() if "statusCode" in answer or not answer.strip()]


def found(pattern: str, answer: str) -> str:
    match = re.search(pattern, answer)
    assert match is not None, answer
    return match[1]


async def run(label: str, source: str, folder: Path, given: dict[str, str], until: str | None = None) -> str:
    """Run an example as its reader would; what it prints, of a stream up to a text."""
    file = folder / {"curl": "example.sh", "Python": "example.py", "TypeScript": "example.mts"}[label]
    file.write_text(source)
    if label == "TypeScript":
        # Nothing in it is of TypeScript alone, so that Node runs it as it is.
        file = file.rename(file.with_suffix(".mjs"))
    program = {"curl": "bash", "Python": sys.executable, "TypeScript": "node"}[label]
    process = await asyncio.create_subprocess_exec(
        program,
        str(file),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **given, "no_proxy": "127.0.0.1"},
        start_new_session=True,
    )
    if until is not None:
        assert process.stdout is not None
        printed = (await process.stdout.readuntil(until.encode())).decode()
        # The shell does not hand on what it is told. A stream of what is over may have ended by itself.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()
        return printed
    out, err = await process.communicate()
    assert process.returncode == 0, f"{source}\n{out.decode()}{err.decode()}"
    return out.decode()


@pytest.fixture
async def phone(browser: Browser) -> AsyncIterator[Page]:
    page = await browser.page(390, 844)
    yield page
    await page.close()


async def test_guides_open_and_every_link_leads_somewhere(
    phone: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    pages = {"/docs", *(address for address, _ in LISTED)}
    left, seen = sorted(pages), set()
    while left:
        path = left.pop()
        seen.add(path)
        await phone.goto(portal_service.base_url + path)
        if path == "/docs":
            await phone.until("document.querySelectorAll('.opblock').length > 10")
        assert await phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert await phone.evaluate("document.querySelectorAll('h1').length") == 1, path
        for link in await phone.evaluate("[...document.querySelectorAll('a[href]')].map((link) => link.href)"):
            assert link.startswith(portal_service.base_url + "/"), link
            target, _, part = link.removeprefix(portal_service.base_url).partition("#")
            async with session.get(portal_service.base_url + target) as response:
                assert response.status == 200, f"{path} links to {target}"
                text = await response.text()
            assert not part or part.startswith("/") or f'id="{part}"' in text, f"{path} links to {link}"
            if target.startswith("/docs") and target != GUIDE and target not in seen and target not in left:
                left.append(target)
    assert seen == pages
    nothing_foreign(phone, portal_service)
