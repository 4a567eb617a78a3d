"""A route of several steps: each is signed by itself, with what the one before really brought."""

import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.swap_box import changed_steps, in_several_steps, opened, send
from tests.portal.wallet import TestWallet


async def test_each_step_goes_on_with_what_the_one_before_brought(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """After the first the page is loaded anew: what is next is still there."""
    await in_several_steps(page, portal_service, "500")
    await send(page)
    await page.until("deep('.next')?.textContent.startsWith('Next: ')")
    await opened(page, portal_service)
    await page.until("!!deep('#wallet-state')")
    for _ in range(3):
        done = "deep('.progress').dataset.state === 'done'"
        await page.until(f"{done} || usable('.next')")
        if await page.evaluate(done):
            break
        await page.click(".next")
        await page.until("!deep('.next')")
    assert "WBTC arrived" in await page.text(".progress")


@pytest.mark.parametrize("worse", ["loss", "minimum"])
async def test_a_later_step_that_has_lost_value_takes_a_yes_of_its_own(
    page: Page, portal_service: PortalService, wallet: TestWallet, worse: str
) -> None:
    """The first is sent as it was agreed to; the next one loses a tenth, or brings less than the plan."""
    less = "estimate: {...step.estimate, toAmountMin: String(BigInt(step.estimate.toAmountMin) * 9n / 10n)}"
    later = {"loss": "{priceImpact: '0.1234'}", "minimum": f"{{{less}}}"}[worse]
    await changed_steps(page, f"(asks.context.previousStepReceivedAmount ? {later} : {{}})")
    await in_several_steps(page, portal_service, "400")
    await send(page)
    await page.until("deep('.next')?.textContent.startsWith('Next: ')")
    before = len(wallet.transactions())
    await page.click(".next")
    await page.until("!!deep('.doubt')")
    assert ("You lose 12.34%" if worse == "loss" else "now; it was at least") in await page.text(".doubt")
    # Without the yes the same is asked again.
    await page.click(".next")
    await page.until("deep('.next') && !deep('.doubt .accept').checked && !deep('.leave')")
    assert len(wallet.transactions()) == before
    await page.click(".doubt .accept")
    await page.click(".next")
    await page.until("deep('.progress .log').innerText.includes('Left Sandbox A')")
    assert len(wallet.transactions()) > before
