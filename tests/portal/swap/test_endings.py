"""The end of a transfer: its receipt, its page for anybody, the same once more, and never by accident."""

import json

from tests.portal.axe import violations
from tests.portal.chromium import Browser, Page
from tests.portal.sizes import DESKTOP, sound
from tests.portal.stack import PortalService, Tell
from tests.portal.swap_box import BUTTON, connect, faults, on_its_way, opened, quoted, routes, send
from tests.portal.wallet import TestWallet


async def arrived(page: Page, portal_service: PortalService, amount: str) -> str:
    """Send USDC to the other chain; answer the tracking ID once it has arrived."""
    await quoted(page, portal_service, f"?from=HERE:USDC&to=THERE:USDC&amount={amount}")
    await send(page)
    await page.see("USDC arrived on Sandbox B")
    await page.until("!!deep('.receipt')")
    found: str = await page.evaluate("deep('.tracking').textContent")
    return found


async def test_a_transfer_ends_with_a_receipt(page: Page, portal_service: PortalService, wallet: TestWallet) -> None:
    identifier = await arrived(page, portal_service, "130.5")
    receipt = await page.text(".receipt")
    sums = await page.evaluate("deepAll('.receipt .sum').map((e) => e.innerText.trim())")
    assert sums[0] == "130.5 USDC"
    received = float(sums[1].removesuffix(" USDC"))
    assert 125 < received < 130.5
    for text in (
        "on Sandbox A",
        "on Sandbox B",
        "Rate, all fees within",
        "Service and integrator",
        "Network, as it was paid",
    ):
        assert text in receipt, receipt
    rate = await page.evaluate("deep('.receipt tr td').innerText")
    assert abs(float(rate.split()[3]) - received / 130.5) < 1e-5
    assert await page.evaluate("deep('.receipt .share a').href") == f"{portal_service.base_url}/tx/{identifier}"
    assert await page.evaluate("deepAll('.progress .logo').every((e) => e.src.startsWith(location.origin))")
    await sound(page)
    assert faults(page) == []


async def test_the_same_is_swapped_again_and_the_finished_one_cleared(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await arrived(page, portal_service, "131.25")
    assert await page.evaluate("deep('#amount').value") == ""
    await page.click("#swap-again")
    await page.until("deep('#amount').value === '131.25' && !deep('.progress') && focused()?.id === 'amount'")
    assert await page.text("#pay-token strong") == await page.text("#get-token strong") == "USDC"
    assert "Sandbox B" in await page.text("#get-token")
    await routes(page)
    # It is over: nothing warns.
    assert not await page.evaluate("!!deep('#repeat')")
    await send(page)
    await page.until("deep('.progress')?.dataset.state === 'done'")
    await page.click("#clear")
    await page.until("!deep('.progress')")
    await page.click("#history")
    assert await page.evaluate("deepAll('.transfers > li').length") == 2
    await page.click(".transfers summary")
    await page.until("!!deep('.transfers details[open] .receipt')")
    await page.click("#back")
    await page.until("!!deep('form')")


async def test_anybody_follows_it_by_its_page(
    page: Page,
    browser: Browser,
    portal_service: PortalService,
    wallet: TestWallet,
    relay: Tell,
) -> None:
    """From a browser that knows nothing of the sender, without a reload."""
    await on_its_way(page, portal_service, relay, "132.39")
    await page.until("!!deep('.tracking')")
    identifier = await page.evaluate("deep('.tracking').textContent")
    stranger = await browser.page()
    # It may be there before its transaction was seen: then it waits.
    await stranger.goto(f"{portal_service.base_url}/tx/{identifier}")
    await stranger.until("document.querySelector('h1')?.textContent === 'On its way'")
    assert "132.39 USDC" in await stranger.text()
    assert "not yet" in await stranger.text()
    await stranger.evaluate("window.here = true")
    await sound(stranger)
    await relay()
    await stranger.until("document.querySelector('h1')?.textContent === 'Arrived'")
    assert await stranger.evaluate("window.here && document.getElementById('said').textContent") == "Arrived"
    assert "not yet" not in await stranger.text()
    await sound(stranger)
    assert all(url.startswith(portal_service.base_url) for url in stranger.requests)
    assert await stranger.evaluate("localStorage.length + document.cookie.length") == 0
    assert wallet.address.lower() not in (await stranger.evaluate("document.documentElement.outerHTML")).lower()
    # What is over is asked for no more, and its address may be copied where there is a clipboard.
    assert await stranger.evaluate("!document.getElementById('copy').hidden")
    await stranger.close()


async def test_an_unknown_id_has_an_honest_page(page: Page, portal_service: PortalService) -> None:
    for identifier, words in (("0x" + "ab" * 32, "Not seen yet"), ("nope", "This is no tracking ID")):
        await page.goto(f"{portal_service.base_url}/tx/{identifier}")
        assert words in await page.text()
        assert await violations(page) == []


async def test_a_linked_form_warns_before_the_same_is_sent_again(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell
) -> None:
    link = "?from=HERE:USDC&to=THERE:USDC&amount=133.5"
    await on_its_way(page, portal_service, relay, "133.5")
    sent = len(wallet.transactions())
    # The link stands in the address: a reload fills the form with the same.
    await opened(page, portal_service, link)
    await page.until("!!deep('#wallet-state')")
    await routes(page)
    await page.until(f"!!deep('#repeat') && {BUTTON} === 'Already on its way' && !usable('#go')")
    assert "133.5 USDC to USDC" in await page.text("#repeat")
    await sound(page, DESKTOP)
    await page.press("Enter", 13)
    # Another amount is another transfer.
    await page.fill("#amount", "133.6")
    await page.until(f"!deep('#repeat') && /^(Approve and t|T)ransfer$/.test({BUTTON})")
    await page.fill("#amount", "133.5")
    await page.until(f"{BUTTON} === 'Already on its way'")
    assert len(wallet.transactions()) == sent
    await page.click("#repeat-yes")
    await send(page)
    await page.until("deepAll('.progress').length === 1 && deep('#amount').value === ''")
    assert len(wallet.transactions()) > sent
    await relay()
    # What has arrived is no reason to warn.
    await page.see("USDC arrived on Sandbox B")
    await page.click("#history")
    await page.until("deepAll('.transfers .badge').every((e) => e.innerText === 'Arrived')")
    await opened(page, portal_service, link)
    await routes(page)
    assert not await page.evaluate("!!deep('#repeat')")


async def test_what_the_service_says_of_a_swap_is_on_its_page(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """A swap within one chain: one transaction, one chain, the rate that the box has shown."""
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=300")
    await connect(page)
    await routes(page)
    await send(page)
    await page.see("WETH arrived")
    shown = await page.evaluate("deepAll('.receipt .sum').map((e) => e.innerText.trim())")
    address = await page.evaluate("deep('.receipt .share a').href")
    await page.goto(address)
    await page.until("document.querySelector('h1')?.textContent === 'Arrived'")
    sums = await page.evaluate("[...document.querySelectorAll('.sum')].map((e) => e.innerText.trim())")
    assert sums[0] == shown[0]
    # The page cuts off after eight places, and says so.
    assert shown[1].startswith(sums[1].split("…")[0].split(" ")[0])
    again = await page.evaluate("document.querySelector('.acts a').getAttribute('href')")
    assert again.endswith("&amount=300"), json.dumps(again)
    await page.goto(portal_service.base_url + again)
    await page.until("deep('#amount')?.value === '300' && deep('#get-token strong').textContent === 'WETH'")
