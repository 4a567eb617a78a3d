"""What another site sets by attributes, what it is told by events, and that nothing is left out without a word."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from rhumbline.accounts.service import Accounts
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import choose, connect, routes, send, send_held
from tests.portal.test_element_elsewhere import page_of

RECEIVER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
LISTENING = """<script>
window.told = [];
window.warned = [];
console.warn = (...words) => warned.push(words.join(' '));
for (const name of ['quote', 'choice', 'wallet', 'sent', 'done', 'error', 'warning']) {
  document.addEventListener('rhumbline-' + name, (event) => told.push([name, event.detail]));
}
</script>"""
Embed = Callable[[str], Awaitable[None]]


@pytest.fixture
async def embed(page: Page, portal_service: PortalService) -> AsyncIterator[Embed]:
    """Open a page of another origin that has the element with some attributes, and listens to all that it tells."""
    async with AsyncExitStack() as stack:

        async def opened(attributes: str) -> None:
            script = f'<script type="module" src="{portal_service.base_url}/rhumbline-swap.js"></script>'
            app = web.Application()
            app.router.add_get("/", page_of(f"{LISTENING}{script}<rhumbline-swap {attributes}></rhumbline-swap>", ""))
            await page.goto(await stack.enter_async_context(hosted(app)))

        yield opened


async def told(page: Page, name: str, count: int = 1) -> list[dict[str, Any]]:
    """Wait until an event was told so often, and return the details of all."""
    those = f"told.filter(([name]) => name === '{name}').map(([, detail]) => detail)"
    found: list[dict[str, Any]] = await page.until(f"{those}.length >= {count} && {those}")
    return found


async def test_a_page_sets_pair_amount_receiver_tools_and_looks(
    page: Page, portal_service: PortalService, embed: Embed
) -> None:
    here, there = portal_service.sandbox.evm_chains
    await embed(
        f'from="{here.id}:USDC" to="{there.id}:USDC" amount="250" receiver="{RECEIVER}" locked="to" '
        'tools="relay across" layout="compact" font="Georgia, serif" heading-font="monospace"'
    )
    assert {*await routes(page)} <= {"RELAY", "ACROSS"}
    assert await page.evaluate("deep('#amount').value") == "250"
    assert await page.evaluate("deep('#receiver').value") == RECEIVER
    assert await page.evaluate("['#pay-token', '#get-token', '#flip'].map((each) => deep(each).ariaDisabled)") == [
        "false",
        "true",
        "true",
    ]
    style = "getComputedStyle(deep('.columns'))"
    assert len((await page.evaluate(f"{style}.gridTemplateColumns")).split()) == 1
    assert await page.evaluate(f"{style}.fontFamily") == "Georgia, serif"
    (choice,) = [each for each in await told(page, "choice") if each["route"] is not None][-1:]
    assert (choice["from"]["chainId"], choice["to"]["chainId"]) == (here.id, there.id)
    assert (choice["amount"], choice["receiver"]) == ("250000000", RECEIVER)
    # The looks change at once; what was answered stays.
    asked = len([url for url in page.requests if "/v1/advanced/routes" in url])
    await page.evaluate("document.querySelector('rhumbline-swap').setAttribute('layout', 'wide')")
    assert len((await page.until(f"{style}.gridTemplateColumns")).split()) == 2
    assert len([url for url in page.requests if "/v1/advanced/routes" in url]) == asked
    assert await page.evaluate("told.filter(([name]) => ['warning', 'error'].includes(name))") == []


async def test_what_contradicts_or_is_not_served_is_said_in_the_console_and_in_an_event(
    page: Page, portal_service: PortalService, embed: Embed
) -> None:
    here = portal_service.sandbox.evm_chains[0].id
    await embed(
        f'fee="0.01" chains="{here} 77" payers="78" tokens="{here}:USDC {here}:NOPE" tools="ONCHAIN NOBODY" '
        f'from="{here}:usdc" to="{here}:USDC" locked="amount" layout="huge" font="{{}}"'
    )
    found = await told(page, "warning", 7)
    assert {(each["code"], " ".join(each["attributes"]), each["value"]) for each in found} == {
        ("CONTRADICTION", "fee integrator", "0.01"),
        ("CONTRADICTION", "payers chains", "78"),
        ("CONTRADICTION", "from payers", str(here)),
        ("CONTRADICTION", "from to", "USDC"),
        ("INVALID", "locked", "amount"),
        ("INVALID", "layout", "huge"),
        ("INVALID", "font", "{}"),
    }
    assert [f"<rhumbline-swap>: {each['message']}" for each in found] == await page.evaluate("warned")
    # Nothing can be paid from: the rest is known once it can.
    assert (await told(page, "error"))[0]["during"] == "start"
    await page.evaluate("document.querySelector('rhumbline-swap').removeAttribute('payers')")
    await page.until("usable('#get-token')")
    later = [(each["code"], each["attributes"][0], each["value"]) for each in await told(page, "warning", 15)]
    for expected in (("chains", "77"), ("tools", "NOBODY"), ("tokens", f"{here}:nope")):
        assert ("NOT_SERVED", *expected) in later


async def test_a_fee_that_is_not_taken_is_said(page: Page, portal_service: PortalService, embed: Embed) -> None:
    """The integrator has a fee wallet on EVM chains only; and no fee may be larger than its bound."""
    accounts = Accounts(portal_service.engine, system_clock)
    await accounts.ensure_integrator("Sounding", "0x" + "5b" * 20, None)
    (solana,) = [chain for chain in portal_service.sandbox.chains if chain.type is ChainType.SVM]
    here = portal_service.sandbox.evm_chains[0]
    await embed(
        f'integrator="Sounding" fee="0.01" from="{solana.id}:USDC" to="{solana.id}:SOL" amount="20" links payers="'
        f'{solana.id} {here.id}"'
    )
    await routes(page)
    (warning,) = await told(page, "warning")
    assert (warning["code"], warning["attributes"]) == ("FEE_NOT_TAKEN", ["fee", "integrator"])
    assert "JUPITER" in warning["value"]
    assert await page.evaluate("warned") == [f"<rhumbline-swap>: {warning['message']}"]
    # Where there is a wallet the fee is taken, and nothing is said.
    await page.evaluate(f"document.querySelector('rhumbline-swap').setAttribute('to', '{here.id}:ETH')")
    await page.evaluate(f"document.querySelector('rhumbline-swap').setAttribute('from', '{here.id}:USDC')")
    quotes = await told(page, "quote", 2)
    assert any(fee["type"] == "app" for fee in quotes[-1]["routes"][0]["fees"]["breakdown"])
    assert len(await told(page, "warning")) == 1


async def test_wallet_and_errors_are_told(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, embed: Embed
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await wallet.into(page)
    here = portal_service.sandbox.evm_chains[0].id
    await embed(f'from="{here}:ETH" to="{here}:USDC" amount="0.1"')
    await routes(page)
    await connect(page)
    (joined,) = await told(page, "wallet")
    assert (joined["state"], joined["chainType"], joined["name"]) == ("connected", "EVM", "Sextant")
    assert (joined["address"], joined["chainId"]) == (wallet.address, here)
    await send(page)
    (declined,) = await told(page, "error")
    assert (declined["during"], declined["code"]) == ("send", "DECLINED")
    await page.click("#disconnect")
    assert (await told(page, "wallet", 2))[-1]["state"] == "disconnected"
    await page.fill("#amount", "0.0000000000000001")
    refused = (await told(page, "error", 2))[-1]
    assert (refused["during"], refused["code"]) == ("quote", "AMOUNT_TOO_LOW")


async def test_a_transfer_that_is_found_later_is_told_too(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, embed: Embed
) -> None:
    """Nobody waits for the wallet any more when it sends."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await embed("")
    await page.until("usable('#get-token')")
    await choose(page, "pay", "ETH")
    await choose(page, "get", "USDC")
    await page.fill("#amount", "0.1")
    await routes(page)
    await connect(page)
    hold = await send_held(page, wallet)
    await page.click(".waiting .leave")
    await page.until("!deep('.leave')")
    assert await page.evaluate("told.filter(([name]) => name === 'sent')") == []
    hold.set()
    (sent,) = await told(page, "sent")
    assert (sent["later"], sent["hash"]) == (True, wallet.hashes[-1])
    assert (await told(page, "done"))[0]["transactionId"] == sent["transactionId"]
    assert len(await told(page, "sent")) == 1
