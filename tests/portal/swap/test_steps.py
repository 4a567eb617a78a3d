"""A route of several steps: each is signed by itself, with what the one before really brought."""

import aiohttp
import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import changed_steps, connect, opened, routes, send

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


@pytest.mark.parametrize("worse", ["loss", "minimum"])
async def test_a_later_step_that_has_lost_value_takes_a_yes_of_its_own(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, worse: str
) -> None:
    """The first is sent as it was agreed to; the next one loses a tenth, or brings less than the plan."""
    here, there = portal_service.sandbox.evm_chains
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=BY_ACROSS)
    less = "estimate: {...step.estimate, toAmountMin: String(BigInt(step.estimate.toAmountMin) * 9n / 10n)}"
    later = {"loss": "{priceImpact: '0.1234'}", "minimum": f"{{{less}}}"}[worse]
    await changed_steps(page, f"(asks.context.previousStepReceivedAmount ? {later} : {{}})")
    await opened(page, portal_service.base_url, f"?from={here.id}:DAI&to={there.id}:WBTC&amount=400")
    await connect(page)
    await routes(page)
    several = "deepAll('#routes tbody').findIndex((e) => +e.querySelector('[data-label=Steps]').innerText > 1)"
    await page.click(f"#routes tbody:nth-of-type({await page.evaluate(several) + 1}) .pick")
    await send(page)
    await page.until("deep('.next')?.textContent.startsWith('Next: ')", 40)
    before = len(wallet.transactions())
    await page.click(".next")
    await page.until("!!deep('.doubt')", 30)
    assert ("You lose 12.34 %" if worse == "loss" else "now; it was at least") in await page.text(".doubt")
    # Without the yes the same is asked again.
    await page.click(".next")
    await page.until("deep('.next') && !deep('.doubt .accept').checked && !deep('.leave')", 30)
    assert len(wallet.transactions()) == before
    await page.click(".doubt .accept")
    await page.click(".next")
    await page.until("deep('.progress .log').innerText.includes('Left Sandbox A')", 40)
    assert len(wallet.transactions()) > before
