"""A route of several steps: each is signed by itself, with what the one before really brought."""

import aiohttp

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import connect, opened, routes, send

# Few bridges make the service plan ways of several steps.
BY_ACROSS = """
const asked = window.fetch;
window.fetch = (url, options) => {
  if (!String(url).endsWith('/v1/advanced/routes')) return asked(url, options);
  return asked(url, {...options, body: JSON.stringify({...JSON.parse(options.body), includeBridges: 'ACROSS'})});
};
"""


async def test_each_step_goes_on_with_what_the_one_before_brought(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """After the first the page is loaded anew: what is next is still there."""
    here, there = portal_service.sandbox.evm_chains
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=BY_ACROSS)
    await opened(page, portal_service.base_url, f"?from={here.id}:DAI&to={there.id}:WBTC&amount=500")
    await connect(page)
    await routes(page)
    several = "deepAll('#routes tbody').findIndex((e) => +e.querySelector('[data-label=Steps]').innerText > 1)"
    place = await page.evaluate(several)
    assert place >= 0
    await page.click(f"#routes tbody:nth-of-type({place + 1}) .pick")
    await send(page)
    await page.until("deep('.next')?.textContent.startsWith('Next: ')", 40)
    await opened(page, portal_service.base_url)
    await page.until("!!deep('#wallet-state')")
    for _ in range(3):
        done = "deep('.progress').dataset.state === 'done'"
        await page.until(f"{done} || usable('.next')", 40)
        if await page.evaluate(done):
            break
        await page.click(".next")
        await page.until("!deep('.next')")
    assert "WBTC arrived" in await page.text(".progress")
