"""What becomes of a transfer is told to the page, and asked for where it is not told."""

import pytest

from rhumbline.api.pages.language import COOKIE
from tests.portal.chromium import Browser, Page
from tests.portal.stack import PortalService, Tell
from tests.portal.swap_box import error, faults, on_its_way, opened, otherwise

# Notes that a stream has begun, by a copy of what it says.
NOTED = """
(() => {
  const asked = window.fetch;
  window.fetch = async (url, options) => {
    const answer = await asked(url, options);
    if (!String(url).endsWith('/stream')) return answer;
    const [one, other] = answer.body.tee();
    one.getReader().read().then(() => { window.begun = true; });
    return new Response(other, {status: answer.status, headers: answer.headers});
  };
})();
"""


def polls(page: Page) -> int:
    """How often the page has asked for a status."""
    return len([url for url in page.requests if "/v1/status/" in url and not url.endswith("/stream")])


def streams(page: Page) -> int:
    return len([url for url in page.requests if url.endswith("/stream")])


@pytest.mark.usefixtures("wallet")
async def test_what_becomes_of_a_transfer_is_told_without_being_asked_for(
    page: Page, browser: Browser, portal_service: PortalService, relay: Tell
) -> None:
    """The swap box before a reload and after it, and the receipt of somebody else."""
    await page.begin_with(NOTED)
    await on_its_way(page, portal_service, relay, "83")
    await page.until("window.begun")
    identifier = await page.evaluate("deep('.tracking').textContent")
    await opened(page, portal_service)
    await page.see("On its way to Sandbox B")
    other = await browser.page()
    await other.begin_with(NOTED)
    await other.goto(f"{portal_service.base_url}/tx/{identifier}")
    await other.see("On its way")
    for each in (page, other):
        await each.until("window.begun")
    asked = [(polls(each), streams(each)) for each in (page, other)]
    await relay()
    await page.see("USDC arrived on Sandbox B")
    await other.see("Arrived")
    assert [(polls(each), streams(each)) for each in (page, other)] == asked
    # The transaction may not have been seen yet when its page was opened.
    assert faults(page) == [fault for fault in other.faults if "404" not in fault] == []
    await other.close()


@pytest.mark.usefixtures("wallet")
async def test_where_no_stream_can_be_had_the_service_is_asked(
    page: Page, browser: Browser, portal_service: PortalService, relay: Tell
) -> None:
    other = await browser.page()
    for each in (page, other):
        await otherwise(each, "/stream", error("RATE_LIMITED", 429, **{"retry-after": "900"}))
    await on_its_way(page, portal_service, relay, "84")
    identifier = await page.evaluate("deep('.tracking').textContent")
    # The receipt goes on in the language that it began in.
    await other.send("Network.setCookie", name=COOKIE, value="de", url=portal_service.base_url)
    await other.goto(f"{portal_service.base_url}/tx/{identifier}")
    await relay()
    await page.see("USDC arrived on Sandbox B")
    await other.see("Angekommen")
    assert min(polls(page), polls(other)) > 0
    # The transaction may not have been seen yet when its page was opened.
    assert faults(page) == [fault for fault in other.faults if "404" not in fault] == []
    await other.close()
