"""Wallets on phones, over a relay on this machine: WalletConnect's own client on either side, nobody else asked."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from tests.portal.chromium import Page
from tests.portal.remote_wallet import RemoteWallet, running_remote_wallet
from tests.portal.sizes import sound
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import BUTTON, routes, send
from tests.portal.wallet import TestWallet
from tests.portal.wallet_relay import PROJECT, WalletRelay, running_relay

STATE = "(deep('#wallet-state')?.innerText ?? '')"
CODE = "deep('#pairing')?.dataset.uri"


@pytest.fixture
async def relay() -> AsyncIterator[WalletRelay]:
    async with running_relay() as running:
        yield running


@pytest.fixture
def wallet(portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    return wallet_of(portal_service, session, OWNER + 2)


@pytest.fixture
async def remote(relay: WalletRelay, portal_service: PortalService, wallet: TestWallet) -> AsyncIterator[RemoteWallet]:
    """A wallet that agrees to the first chain alone."""
    async with running_remote_wallet(relay, wallet, [portal_service.sandbox.evm_chains[0].id]) as running:
        yield running


@pytest.fixture
async def site(portal_service: PortalService, relay: WalletRelay) -> AsyncIterator[str]:
    """A page whose policy opens what docs/guides/embedding.md says, and the relay; its query has the `project`."""
    service = portal_service.base_url
    nodes = " ".join(chain.rpc_url for chain in portal_service.sandbox.chains)

    async def page(request: web.Request) -> web.Response:
        project = request.query.get("project", PROJECT)
        text = (
            '<!doctype html><html lang="en"><head><title>Elsewhere</title><link rel="icon" href="data:,">'
            f'<script type="module" src="{service}/rhumbline-swap.js"></script></head><body><main><h1>Elsewhere</h1>'
            f'<rhumbline-swap links walletconnect="{project}" walletconnect-relay="{relay.url}"></rhumbline-swap>'
            "</main></body></html>"
        )
        policy = (
            f"default-src 'none'; script-src {service}; connect-src {service} {nodes} {relay.url}; "
            f"img-src {service} data:"
        )
        return web.Response(text=text, content_type="text/html", headers={"content-security-policy": policy})

    async with AsyncExitStack() as stack:
        app = web.Application()
        app.router.add_get("/", page)
        yield await stack.enter_async_context(hosted(app))


async def visit(page: Page, url: str) -> None:
    await page.goto(url)
    await page.until("usable('#get-token')")


async def choose_remote(page: Page) -> str:
    """Choose WalletConnect; answer what is to be scanned."""
    await page.click("#connect")
    await page.click("#wallet-list button")
    found: str = await page.until(CODE)
    return found


async def connected(page: Page, remote: RemoteWallet) -> None:
    await remote.tell(pair=await choose_remote(page))
    await page.until(f"{STATE}.includes('WalletConnect') && !deep('#wallet-dialog')")


async def ready(page: Page, portal_service: PortalService, remote: RemoteWallet, site: str) -> None:
    """Open a swap of ether for DAI, connect the remote wallet and choose a route."""
    here = portal_service.sandbox.evm_chains[0].id
    await visit(page, f"{site}/?from={here}:ETH&to={here}:DAI&amount=0.05")
    await connected(page, remote)
    await routes(page)


async def test_a_swap_by_a_wallet_on_a_phone(
    page: Page,
    portal_service: PortalService,
    relay: WalletRelay,
    remote: RemoteWallet,
    site: str,
) -> None:
    """Nothing of it is loaded or asked before it is chosen; then the relay is, and no other host."""
    here = portal_service.sandbox.evm_chains[0].id
    await visit(page, f"{site}/?from={here}:ETH&to={here}:DAI&amount=0.05")
    before = len(page.requests)
    assert relay.projects == []
    code = await choose_remote(page)
    assert code.startswith("wc:")
    assert len(page.requests) > before
    await sound(page)
    await remote.tell(pair=code)
    await page.until(f"{STATE}.includes('WalletConnect') && !deep('#wallet-dialog')")
    proposed = await remote.heard("proposal")
    assert set(proposed["chains"]) == {f"eip155:{chain.id}" for chain in portal_service.sandbox.evm_chains}
    await routes(page)
    await send(page)
    await page.see("DAI arrived")
    assert len(remote.wallet.transactions()) == 1
    foreign = [url for url in page.requests if not url.startswith(("http://127.0.0.1", "data:"))]
    assert foreign == []
    assert set(relay.projects) == {PROJECT}
    assert not [fault for fault in page.faults if "/v1/status/" not in fault]


async def test_the_session_outlives_the_page_and_ends_with_it(
    page: Page, remote: RemoteWallet, relay: WalletRelay, site: str
) -> None:
    await visit(page, site)
    await connected(page, remote)
    await visit(page, site)
    await page.until(f"{STATE}.includes('WalletConnect')")
    await page.click("#disconnect")
    await page.until("!!deep('#connect')")
    await remote.heard("deleted")
    asked = len(relay.projects)
    await visit(page, site)
    await page.until("!!deep('#connect')")
    assert len(relay.projects) == asked, "who has disconnected is not connected to the relay"


async def test_a_wallet_that_leaves_is_gone(page: Page, remote: RemoteWallet, site: str) -> None:
    await visit(page, site)
    await connected(page, remote)
    await remote.tell(leave=True)
    await page.until("!!deep('#connect')")


async def test_a_wallet_that_moves_to_another_account(
    page: Page, portal_service: PortalService, remote: RemoteWallet, site: str, session: aiohttp.ClientSession
) -> None:
    other = wallet_of(portal_service, session, OWNER + 3)
    await visit(page, site)
    await connected(page, remote)
    await remote.tell(update=[f"eip155:{portal_service.sandbox.evm_chains[0].id}:{other.address}"])
    await page.until(f"{STATE}.includes('{other.address[-4:]}')")


async def test_a_chain_that_the_wallet_has_not_agreed_to_is_not_asked_of_it(
    page: Page, portal_service: PortalService, remote: RemoteWallet, site: str
) -> None:
    there = portal_service.sandbox.evm_chains[1]
    await visit(page, f"{site}/?from={there.id}:ETH&to={there.id}:USDC&amount=0.05")
    await connected(page, remote)
    await page.until(f"{BUTTON} === 'Switch to {there.name}'")
    await page.click("#go")
    await page.see(f"The wallet has not agreed to {there.name}: disconnect it, then connect it again")
    assert remote.wallet.seen == []


async def test_what_the_wallet_refuses_was_not_sent(
    page: Page, portal_service: PortalService, remote: RemoteWallet, site: str
) -> None:
    remote.wallet.refuse = lambda method: method == "eth_sendTransaction"
    await ready(page, portal_service, remote, site)
    await send(page)
    await page.see("You declined in the wallet. Nothing was sent")
    await page.until("!deep('.progress')")


async def test_a_wallet_that_does_not_agree(
    page: Page, portal_service: PortalService, relay: WalletRelay, wallet: TestWallet, site: str
) -> None:
    chain = portal_service.sandbox.evm_chains[0].id
    await visit(page, site)
    async with running_remote_wallet(relay, wallet, [chain], refuses=True) as remote:
        await remote.tell(pair=await choose_remote(page))
        await page.see("You declined in the wallet. Nothing was sent")
        await page.until("!!deep('#wallet-list button')")


async def test_a_wallet_with_accounts_on_no_chain_that_was_asked_for(
    page: Page, relay: WalletRelay, wallet: TestWallet, site: str
) -> None:
    accounts = [f"eip155:424242:{wallet.address}"]
    await visit(page, site)
    async with running_remote_wallet(relay, wallet, [], accounts=accounts) as remote:
        await remote.tell(pair=await choose_remote(page))
        await page.see("The wallet shows no account")


async def test_who_cancels_is_not_connected_by_a_late_wallet(page: Page, remote: RemoteWallet, site: str) -> None:
    await visit(page, site)
    code = await choose_remote(page)
    await page.click("#wallet-cancel")
    await page.see("WalletConnect was not connected")
    await remote.tell(pair=code)
    await remote.heard("deleted")
    assert await page.evaluate(STATE) == ""
    await remote.tell(pair=await choose_again(page, code))
    await page.until(f"{STATE}.includes('WalletConnect')")


async def choose_again(page: Page, before: str) -> str:
    await page.click("#wallet-list button")
    found: str = await page.until(f"{CODE} !== '{before}' && {CODE}")
    return found


@pytest.mark.parametrize("how", ["deaf", "mute"])
async def test_a_relay_that_is_away_is_said_to_be(page: Page, relay: WalletRelay, site: str, how: str) -> None:
    """The page's own patience is moved on: nobody waits for it here."""
    setattr(relay, how, True)
    await page.begin_with(
        "const later = window.setTimeout; window.setTimeout = (act, ms, ...more) =>"
        " later(act, ms === 20000 ? 1500 : ms, ...more);"
    )
    await visit(page, site)
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.see("The relay of WalletConnect does not answer: try again later, or choose another wallet")
    await page.until("!!deep('#wallet-list button')")


async def test_a_relay_that_goes_away_midway_loses_nothing(
    page: Page, portal_service: PortalService, relay: WalletRelay, remote: RemoteWallet, site: str
) -> None:
    """The wallet is not reached; the page can be left waiting, and says what may have happened."""
    await ready(page, portal_service, remote, site)
    await page.until(f"{BUTTON} === 'Swap'")
    await relay.drop()
    await send(page)
    await page.see("If your wallet shows nothing, open it yourself")
    await page.click(".leave")
    await page.see("If you sign all the same, it appears here by itself")
    assert remote.wallet.transactions() == []


@pytest.mark.parametrize("project", ["", "demo", PROJECT.upper(), PROJECT + "0"])
async def test_a_project_that_is_none_is_reported_and_not_offered(page: Page, site: str, project: str) -> None:
    await page.begin_with("window.errors = []; addEventListener('error', ({message}) => errors.push(message));")
    await visit(page, f"{site}/?project={project}")
    (error,) = await page.evaluate("errors")
    assert "The attribute walletconnect cannot be used: give a project ID, 32 hexadecimal digits" in error
    await page.click("#connect")
    await page.until("!!deep('#wallet-none')")
    assert "WalletConnect" not in await page.text("#wallet-dialog")
