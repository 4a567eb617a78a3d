"""The playground: attributes on the left, the element as it will be on the right, the lines to copy below."""

import aiohttp

from tests.portal.axe import violations_in_both_schemes
from tests.portal.chromium import Page
from tests.portal.sizes import sound
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, register, sign_in, wallet_of
from tests.portal.swap_box import connect, routes, send

SNIPPET = "document.querySelector('#snippet').textContent"


async def test_the_element_and_the_lines_follow_the_form(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    await wallet_of(portal_service, session, OWNER + 2).into(page)
    here = portal_service.sandbox.evm_chains[0].id
    await page.goto(f"{portal_service.base_url}/docs/playground")
    await page.until("usable('#get-token')")
    for name, text in (("from", f"{here}:ETH"), ("to", f"{here}:USDC"), ("amount", "0.1"), ("integrator", "acme")):
        await page.fill(f"form input[name={name}]", text)
    await page.until("document.querySelector('rhumbline-swap').getAttribute('integrator') === 'acme'")
    await routes(page)
    assert f'<rhumbline-swap integrator="acme" from="{here}:ETH" to="{here}:USDC" amount="0.1"' in await page.evaluate(
        SNIPPET
    )
    await page.evaluate("document.querySelector('form select').value = 'compact'")
    await page.evaluate("document.querySelector('form select').dispatchEvent(new Event('input', {bubbles: true}))")
    await page.until(f"{SNIPPET}.includes('layout=\"compact\"')")
    await page.fill("form input[name=fee]", "11")
    await page.see("The fee is a percentage above 0 and at most 10")
    await page.fill("form input[name=fee]", "0.5")
    await page.until(f"{SNIPPET}.includes('fee=\"0.005\"')")
    assert "fee=0.5" in await page.evaluate("location.search")
    # A registered name is needed for a fee: the element says so, and the page shows what it says.
    await page.until("document.querySelector('#heard').textContent.includes('FEE_NOT_TAKEN')")
    await page.fill("form input[name=fee]", "")
    await page.until(f"!{SNIPPET}.includes('fee')")
    await routes(page)
    await connect(page)
    await send(page)
    await page.see("USDC arrived")
    await page.until("document.querySelector('#heard').textContent.includes('rhumbline-done')")
    assert await page.evaluate("document.querySelector('.next a').textContent") == "Fees"


async def test_nothing_is_cut_off_and_axe_finds_nothing(page: Page, portal_service: PortalService) -> None:
    await page.goto(f"{portal_service.base_url}/docs/playground")
    await page.until("usable('#get-token')")
    await sound(page)


async def test_the_portal_s_page_uses_it_for_an_integrator(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    await wallet_of(portal_service, session, OWNER + 1).into(page)
    await sign_in(page, portal_service.base_url)
    await register(page, "Playing")
    await page.goto(f"{portal_service.base_url}/portal/i/Playing/embed")
    await page.until("usable('#get-token')")
    await page.see("for Playing")
    await page.fill("form input[name=fee]", "1")
    await page.until(f'{SNIPPET}.includes(\'integrator="Playing" fee="0.01"\')')
    await page.see("so there is nowhere to pay a fee to")
    await page.fill("#playground input[name=amount]", "100")
    await routes(page)
    assert await violations_in_both_schemes(page, 1280, 900) == []
    assert page.faults == []
    await page.goto(await page.evaluate("document.querySelector('#tried').href"))
    await page.until("usable('#get-token')")
    assert 'integrator="Playing" fee="0.01"' in await page.evaluate(SNIPPET)
