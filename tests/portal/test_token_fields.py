"""The fields for tokens of the front page when the chain changes: what is asked for is what is shown."""

import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService

# Two chains whose native tokens have the same address: what one calls its own is a plain token on the other.
SERVED = """
const chains = [['1', 'One', 'ONE'], ['2', 'Two', 'TWO']].map(([id, name, symbol]) => ({
  id: Number(id), idHex: '0x' + id, name, chainType: 'EVM', rpcUrls: [],
  nativeToken: {symbol, name: symbol, decimals: 18}}));
const token = (chainId, symbol, digit) =>
  ({chainId, symbol, name: symbol, address: '0x' + digit.repeat(40), decimals: 18});
const tokens = {1: [token(1, 'ONE', '0'), token(1, 'USDC', 'a')], 2: [token(2, 'TWO', '0'), token(2, 'ONE', 'b')]};
const tool = (key) => ({key, supportedChains: ['1', '2']});
const come = new Promise((resolve) => { window.letTokensCome = resolve; });
const answers = (body) => new Response(JSON.stringify(body), {headers: {'content-type': 'application/json'}});
window.quotes = [];
// The page names the chains that it serves; it does so before its scripts run.
document.addEventListener('readystatechange', () => {
  const pay = document.querySelector('#pay-chain');
  if (pay && document.readyState === 'interactive') pay.dataset.served = '1 2';
});
window.fetch = async (url) => {
  const {pathname, searchParams} = new URL(url, location.href);
  if (pathname === '/v1/chains') return answers({chains});
  if (pathname === '/v1/tools') return answers({exchanges: [tool('X')], bridges: [tool('Y')]});
  if (pathname === '/v1/quotes') {
    quotes.push(Object.fromEntries(searchParams));
    return new Response('{}', {status: 422});
  }
  const chain = searchParams.get('chains');
  if (chain === '2') await come;
  return answers({[chain]: tokens[chain]});
};
"""
PAY = "document.querySelector('#pay-token')"
TAB = ("Tab", 9)


async def served(page: Page, portal_service: PortalService) -> None:
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=SERVED)
    await page.goto(portal_service.base_url)
    await page.until(f"{PAY}.value === 'USDC' && document.querySelector('#get-token').value === 'ONE'")


async def choose_chain(page: Page, chain_id: str) -> None:
    """Choose a chain to pay on; its tokens are awaited by nobody."""
    await page.evaluate(
        f"(() => {{ const e = document.querySelector('#pay-chain'); e.value = '{chain_id}';"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


async def look_at_tokens(page: Page) -> None:
    await page.click("#pay-token")
    await page.until("document.querySelectorAll('#pay-token-list [role=option]').length === 2")
    await page.press(*TAB)


async def test_a_token_of_the_chain_before_is_not_taken_for_one_of_this(
    page: Page, portal_service: PortalService
) -> None:
    """Its symbol is written while the tokens of the new chain are under way."""
    await served(page, portal_service)
    await look_at_tokens(page)
    await choose_chain(page, "2")
    await page.click("#pay-token")
    await page.send("Input.insertText", text="ONE")
    await page.press(*TAB)
    assert "Choose a token" in await page.evaluate("document.querySelector('#pay-token-fault').textContent")
    await page.fill("#amount", "1")
    await page.press("Enter", 13)
    assert await page.evaluate("document.activeElement.id") == "pay-token"
    assert await page.evaluate("quotes") == []
    await page.evaluate("letTokensCome()")
    await page.press(*TAB)
    await page.click("#pay-token")
    await page.fill("#pay-token", "ONE")
    await page.until("document.querySelector('#pay-token-list [aria-selected=true] strong')?.textContent === 'ONE'")
    await page.press(*TAB)
    await page.click("#get-quote")
    await page.until("quotes.length === 1")
    (asked,) = await page.evaluate("quotes")
    assert (asked["originChainId"], asked["originCurrency"]) == ("2", "0x" + "b" * 40)


async def test_a_list_of_the_chain_before_is_closed(page: Page, portal_service: PortalService) -> None:
    """It offers nothing more, neither to the keyboard nor to a pointer."""
    await served(page, portal_service)
    await page.click("#pay-token")
    await page.until("document.querySelectorAll('#pay-token-list [role=option]').length === 2")
    await choose_chain(page, "2")
    assert await page.evaluate("document.querySelector('#pay-token-list').hidden")
    await page.press("Enter", 13)
    await page.evaluate(
        "document.querySelector('#pay-token-list [role=option]')"
        "?.dispatchEvent(new Event('pointerdown', {bubbles: true}))"
    )
    assert await page.evaluate(f"{PAY}.value") == ""


@pytest.mark.parametrize("side", ["pay", "get"])
async def test_no_question_mixes_chains(page: Page, portal_service: PortalService, side: str) -> None:
    """A browser may put a form back as it was, and tell nobody."""
    await served(page, portal_service)
    await page.fill("#amount", "1")
    await page.evaluate(f"document.querySelector('#{side}-chain').value = '2'")
    await page.click("#get-quote")
    assert await page.evaluate(f"document.querySelector('#{side}-token').getAttribute('aria-invalid')") == "true"
    assert await page.evaluate(f"document.querySelector('#{side}-token-fault').textContent") != ""
    assert await page.evaluate("quotes") == []
