"""A page around the element that gives it its own wallets, which are taken in place of all that announce themselves."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap.solana_wallet import SolanaTestWallet, solana_wallet
from tests.portal.swap_box import routes, send
from tests.portal.wallet import TestWallet, always

# Wallets that only the page knows: it hears them before the element does.
HIDDEN = """
addEventListener('eip6963:announceProvider', (event) => {
  window.own = {...window.own, evm: event.detail.provider};
  event.stopImmediatePropagation();
}, true);
addEventListener('wallet-standard:register-wallet', (event) => {
  event.detail({register: (wallet) => { window.own = {...window.own, svm: wallet}; }});
  event.stopImmediatePropagation();
}, true);
addEventListener('wallet-standard:app-ready', (event) => event.stopImmediatePropagation(), true);
"""
# The page's own is another one than the one that announces itself, under the same account.
BESIDE = """
addEventListener('eip6963:announceProvider', (event) => { window.own = {evm: event.detail.provider}; });
"""
ELSEWHERE = """<!doctype html><html lang="en"><head><title>Elsewhere</title><link rel="icon" href="data:,">
<script type="module" src="{service}/rhumbline-swap.js"></script></head>
<body><rhumbline-swap links></rhumbline-swap>
<script>document.querySelector("rhumbline-swap").wallet = GIVEN;</script></body></html>"""
STATE = "(deep('#wallet-state')?.innerText ?? '')"


@pytest.fixture
async def site(portal_service: PortalService) -> AsyncIterator[str]:
    """The address of a page of another origin; its query says what it gives the element."""

    async def page(request: web.Request) -> web.Response:
        text = ELSEWHERE.format(service=portal_service.base_url).replace("GIVEN", request.query["given"])
        return web.Response(text=text, content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    async with hosted(app) as url:
        yield f"{url}/?given="


@pytest.fixture
def wallet(portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    return wallet_of(portal_service, session, OWNER + 2)


@pytest.fixture
def solana(portal_service: PortalService, http: HttpClient) -> SolanaTestWallet:
    return solana_wallet(portal_service, http)


async def visit(page: Page, url: str) -> None:
    await page.goto(url)
    await page.until("usable('#get-token')")


async def test_the_page_s_own_wallets_swap_without_a_picker(
    page: Page, portal_service: PortalService, site: str, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    """Both are connected as soon as they agree: nothing is to be chosen, and the one receives what the other pays."""
    await page.begin_with(HIDDEN)
    await wallet.into(page)
    await solana.into(page)
    here = portal_service.sandbox.evm_chains[0].id
    there = portal_service.sandbox.chains[-1].id
    asked = f"&from={here}:USDC&to={there}:USDC&amount=25"
    await visit(page, site + "{...own,name:'Acme'}" + asked)
    await page.until(f"{STATE}.includes('Acme')")
    # It may be connected by now.
    await page.evaluate("deep('#connect-receiver')?.click()")
    await page.until(f"deep('#receiving')?.textContent.includes('{solana.wallet.address}')")
    assert not await page.evaluate("!!deep('#wallet-dialog')")
    await routes(page)
    await send(page)
    await page.see("USDC arrived on Sandbox Solana")


async def test_the_own_wallet_is_asked_when_it_is_wanted(page: Page, site: str, wallet: TestWallet) -> None:
    """One that has not agreed before is not bothered; the button asks it, and no other is offered beside it."""
    shown: list[str] = []
    wallet.answers["eth_accounts"] = always(shown)
    await page.begin_with(BESIDE)
    await wallet.into(page)
    await visit(page, site + "{...own,name:'Acme'}")
    await wallet.asked_for("eth_accounts")
    assert not any(method == "eth_requestAccounts" for method, _ in wallet.seen)
    shown.append(wallet.address)
    await page.click("#connect")
    await page.until(f"{STATE}.includes('Acme') && !deep('#wallet-dialog')")
    await page.click("#disconnect")
    await page.until("!!deep('#connect')")
    await page.click("#connect")
    await page.until(f"{STATE}.includes('Acme')")


async def test_an_own_wallet_that_hangs_can_be_left(page: Page, site: str, wallet: TestWallet) -> None:
    wallet.answers["eth_accounts"] = always([])
    hold = wallet.hold("eth_requestAccounts")
    await page.begin_with(HIDDEN)
    await wallet.into(page)
    await visit(page, site + "own")
    await page.click("#connect")
    await hold.reached()
    await page.see("Waiting for This site’s wallet…")
    await page.click("#wallet-cancel")
    await page.see("This site’s wallet was not connected")
    del wallet.held["eth_requestAccounts"]
    hold.set()
    await page.click("#wallet-list button")
    await page.until(f"{STATE}.includes('This site’s wallet')")


async def test_what_the_page_takes_back_is_let_go(page: Page, site: str, wallet: TestWallet) -> None:
    """And the wallets that announce themselves are offered again."""
    await page.begin_with(BESIDE)
    await wallet.into(page)
    await visit(page, site + "{...own,name:'Acme'}")
    await page.until(f"{STATE}.includes('Acme')")
    await page.evaluate("document.querySelector('rhumbline-swap').wallet = null")
    await page.until("!!deep('#connect')")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until(f"{STATE}.includes('Sextant')")
    await page.evaluate("document.querySelector('rhumbline-swap').wallet = {...own, name: 'Acme'}")
    await page.until(f"{STATE}.includes('Acme')")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("{evm:{}}", "wallet.evm cannot be used: give an EIP-1193 provider"),
        ("{svm:{features:{},chains:[]}}", "wallet.svm cannot be used: give a Wallet Standard wallet"),
        ("{svm:'phantom'}", "wallet.svm cannot be used"),
    ],
    ids=["evm", "svm", "text"],
)
async def test_what_is_no_wallet_is_said_and_the_others_are_offered(
    page: Page, site: str, wallet: TestWallet, given: str, says: str
) -> None:
    await page.begin_with("window.errors = []; addEventListener('error', ({message}) => errors.push(message));")
    await wallet.into(page)
    await visit(page, site + given)
    (error,) = await page.evaluate("errors")
    assert says in error
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until(f"{STATE}.includes('Sextant')")
