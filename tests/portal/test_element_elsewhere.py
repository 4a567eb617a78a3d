"""The element on strangers' pages: a proxy that keeps the key, attributes that change, policies, frames."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from html import escape

import aiohttp
import pytest
from aiohttp import web

from rhumbline.accounts.service import Accounts
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.clock import system_clock
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import routes

NAME = "Chandler"
FEE_WALLET = "0x" + "5a" * 20
Open = Callable[[str, str], Awaitable[str]]
PASSED = ("content-type", "retry-after")


def page_of(body: str, policy: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def page(request: web.Request) -> web.Response:
        text = (
            f'<!doctype html><html lang="en"><head><title>Elsewhere</title><link rel="icon" href="data:,"></head>{body}'
        )
        headers = {"content-security-policy": policy} if policy else {}
        return web.Response(text=text, content_type="text/html", headers=headers)

    return page


def passing_on(service: str, key: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    """What an integrator's server does below /rhumbline: adds its key."""

    async def passed(request: web.Request) -> web.Response:
        path = request.path_qs.removeprefix("/rhumbline")
        headers = {"x-api-key": key, "content-type": request.headers.get("content-type", "")}
        async with (
            aiohttp.ClientSession() as session,
            session.request(request.method, service + path, data=await request.read(), headers=headers) as answer,
        ):
            kept = {name: answer.headers[name] for name in PASSED if name in answer.headers}
            return web.Response(body=await answer.read(), status=answer.status, headers=kept)

    return passed


@asynccontextmanager
async def serving(body: str, policy: str, service: str, key: str) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get("/", page_of(body, policy))
    app.router.add_route("*", "/rhumbline/{rest:.*}", passing_on(service, key))
    async with hosted(app) as url:
        yield url


@pytest.fixture(scope="module")
async def key(portal_service: PortalService) -> str:
    accounts = Accounts(portal_service.engine, system_clock)
    await accounts.create_integrator(NAME, FEE_WALLET, None)
    return (await accounts.create_key(NAME))[1]


@pytest.fixture
async def elsewhere(portal_service: PortalService, key: str) -> AsyncIterator[Open]:
    """Serve a body as a page of another origin; answer its address."""
    async with AsyncExitStack() as stack:

        async def opened(body: str, policy: str = "") -> str:
            return await stack.enter_async_context(serving(body, policy, portal_service.base_url, key))

        yield opened


def script(portal_service: PortalService) -> str:
    return f'<script type="module" src="{portal_service.base_url}/rhumbline-swap.js"></script>'


async def ready(page: Page) -> None:
    await page.until("usable('#get-token')")


async def test_a_proxy_keeps_the_key_and_the_fee_is_taken(
    page: Page, portal_service: PortalService, elsewhere: Open
) -> None:
    element = f'<rhumbline-swap api="/rhumbline" integrator="{NAME}" fee="0.01"></rhumbline-swap>'
    site = await elsewhere(script(portal_service) + element, "")
    await page.goto(site)
    await ready(page)
    await page.see(f"Served by {site.removeprefix('http://')} for {NAME}")
    asked: list[str] = page.requests
    await page.evaluate(
        "addEventListener('rhumbline-quote', ({detail}) => { window.fees = detail.routes[0].fees.breakdown; })"
    )
    await page.fill("#amount", "1000")
    await routes(page)
    taken = [int(fee["amount"]) for fee in await page.until("window.fees") if fee["type"] == "app"]
    assert 10_000_000 in taken
    to_the_service = [url for url in asked if url.startswith(portal_service.base_url)]
    assert to_the_service
    assert all(url.endswith(".js") for url in to_the_service)
    assert any(url.startswith(f"{site}/rhumbline/logos/") for url in asked)
    assert page.faults == []


async def test_the_fee_is_told_and_nobody_else_s_link_sets_it(
    page: Page, portal_service: PortalService, elsewhere: Open
) -> None:
    """Straight from the service; what is written into the page's address is nobody's wish."""
    element = f'<rhumbline-swap integrator="{NAME}" fee="0.02"></rhumbline-swap>'
    site = await elsewhere(script(portal_service) + element, "")
    await page.goto(f"{site}/?integrator=Wrecker&fee=0.1&amount=7&receiver={FEE_WALLET}")
    await ready(page)
    await page.see(f"for {NAME}")
    assert await page.evaluate("deep('#amount').value") == ""
    await page.fill("#amount", "1000")
    await routes(page)
    await page.click("#routes tbody .open")
    await page.see("Service and integrator, taken from what you pay")
    await page.see("20 USDC")


async def test_attributes_may_change(page: Page, portal_service: PortalService, elsewhere: Open) -> None:
    here, there = portal_service.sandbox.evm_chains
    await page.goto(await elsewhere(script(portal_service) + "<rhumbline-swap></rhumbline-swap>", ""))
    await ready(page)
    await page.evaluate(
        "(() => { const e = document.querySelector('rhumbline-swap');"
        f"e.setAttribute('chains', '{there.id}'); e.setAttribute('integrator', 'late'); }})()"
    )
    await page.see("for late")
    await page.until(f"deep('#pay-token .where')?.textContent === '{there.name}'")
    await page.evaluate("document.querySelector('rhumbline-swap').setAttribute('api', 'javascript:alert(1)')")
    await page.see("names no address of a service")
    await page.evaluate("document.querySelector('rhumbline-swap').removeAttribute('api')")
    await ready(page)
    assert here.name not in await page.text("rhumbline-swap")


async def test_a_page_with_a_strict_policy_embeds_it(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, elsewhere: Open
) -> None:
    """As docs/guides/embedding.md says: scripts, connections and pictures of the service, and nothing else."""
    await wallet_of(portal_service, session, OWNER + 2).into(page)
    service = portal_service.base_url
    nodes = " ".join(chain.rpc_url for chain in portal_service.sandbox.chains)
    policy = f"default-src 'none'; script-src {service}; connect-src {service} {nodes}; img-src {service} data:"
    await page.goto(await elsewhere(script(portal_service) + "<rhumbline-swap></rhumbline-swap>", policy))
    await ready(page)
    await page.fill("#amount", "50")
    await routes(page)
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until("deep('#go').textContent.startsWith('Approve and ')")
    assert page.faults == []


@pytest.mark.parametrize("path", ["/", "/portal", "/docs"])
async def test_our_own_pages_are_in_no_frame(
    page: Page, portal_service: PortalService, elsewhere: Open, path: str
) -> None:
    await page.goto(await elsewhere(f'<iframe title="bait" src="{portal_service.base_url}{path}"></iframe>', ""))
    assert await page.evaluate("document.querySelector('iframe').contentDocument") is None
    assert any("frame-ancestors 'none'" in fault for fault in page.faults), page.faults


async def test_a_hostile_page_gets_nothing_without_the_wallet(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, elsewhere: Open
) -> None:
    """It frames the element and presses its buttons itself: whom it asks stands there, and the wallet refuses."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await wallet.into(page)
    bait = escape(script(portal_service) + "<rhumbline-swap></rhumbline-swap>")
    await page.goto(await elsewhere(f'<iframe title="bait" width="900" height="800" srcdoc="{bait}"></iframe>', ""))
    # The wallet's answers go to the page's own window.
    await page.evaluate("window.walletAnswer = (...said) => frames[0].walletAnswer(...said)")
    await page.until("frames[0].usable?.('#get-token')")
    await page.evaluate(
        "(() => { const e = frames[0].deep('#amount'); e.value = '500'; e.dispatchEvent(new Event('input')); })()"
    )
    await page.until("!!frames[0].deep('#routes')")
    await page.evaluate("frames[0].deep('#connect').click()")
    await page.until("!!frames[0].deep('#wallet-list button')")
    await page.evaluate("frames[0].deep('#wallet-list button').click()")
    await page.until("frames[0].usable('#go') && frames[0].deep('#go').textContent.startsWith('Approve and ')")
    await page.evaluate("frames[0].deep('#go').click()")
    await page.until("frames[0].said().includes('You declined in the wallet. Nothing was sent')")
    host = portal_service.base_url.removeprefix("http://")
    assert f"Served by {host}" in await page.evaluate("frames[0].said()")
    assert [method for method, _ in wallet.seen if method.startswith("eth_send")] == ["eth_sendTransaction"]
