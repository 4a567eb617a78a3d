"""Receivers on another type of chain: asked for, and looked at before a question is asked."""

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import choose_token
from tests.portal.test_scripts import run

A = "0x" + "a" * 40
WSOL = "So11111111111111111111111111111111111111112"


async def test_addresses_are_those_of_their_chain(page: Page, portal_service: PortalService) -> None:
    cases = [("SVM", WSOL, True), ("SVM", "1" * 32, True), ("SVM", "1" * 31, False), ("SVM", A, False)]
    cases += [("SVM", WSOL[:-1] + "0", False), ("SVM", WSOL + "2", False), ("SVM", "z" * 44, False), ("SVM", "", False)]
    cases += [("EVM", A, True), ("EVM", WSOL, False), ("EVM", A[:-1], False), ("EVM", A + "0", False)]
    given = [case[:2] for case in cases]
    found = await run(
        page, portal_service, "addresses.js", "given.cases.map(([t, a]) => m.addressFault(t, a) === '')", cases=given
    )
    assert found == [case[2] for case in cases]


# A chain of another type beside the sandbox's, with one token, and a bridge to it.
SOLANA = """
(() => {
  const ask = window.fetch;
  window.fetch = async (url, options) => {
    const text = String(url);
    const json = async (change) => new Response(JSON.stringify(change(await (await ask(url, options)).json())));
    const named = {symbol: 'SOL', name: 'Solana', decimals: 9};
    const native = {chainId: 7565164, address: '11111111111111111111111111111111', ...named};
    if (text.includes('/v1/tokens') && text.includes('=7565164')) {
      return new Response(JSON.stringify({7565164: [native]}));
    }
    if (text.includes('/v1/chains')) return json((body) => ({chains: [...body.chains, {
      key: 'sol', name: 'Solana', chainType: 'SVM', id: 7565164, rpcUrls: [], nativeToken: native}]}));
    if (text.includes('/v1/tools')) return json((body) => ({...body, bridges: body.bridges.map((tool) => (
      {...tool, supportedChains: [...tool.supportedChains, '7565164']}))}));
    return ask(url, options);
  };
})();
"""


async def test_a_receiver_on_another_type_of_chain_is_asked_for(page: Page, portal_service: PortalService) -> None:
    """No quote is asked for without it, and none with an address that cannot be one there."""
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=SOLANA)
    await page.goto(portal_service.base_url)
    await page.until("document.querySelector('#get-token').value === 'ETH'")
    assert "your own wallet if left empty" in await page.text("label[for=receiver]")
    await page.evaluate(
        "(() => { const e = document.querySelector('#get-chain'); e.value = '7565164';"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    await page.until("document.querySelector('#receiver-need').textContent === '(an address on Solana)'")
    assert await page.evaluate("document.querySelector('#receiver').required")
    await choose_token(page, "get-token", "SOL")
    await page.fill("#amount", "5")
    fault = "document.querySelector('#receiver-fault').textContent"
    for text, says in (("", "Enter the address on Solana that is to receive"), (A, "A Solana address has")):
        await page.fill("#receiver", text)
        await page.click("#get-quote")
        assert says in await page.evaluate(fault)
        assert await page.evaluate("document.activeElement.id") == "receiver"
    assert not any("/v1/quotes" in url for url in page.requests)
    await page.fill("#receiver", WSOL)
    assert await page.evaluate(fault) == ""
    await page.click("#get-quote")
    await page.until("!document.querySelector('#answer').hidden")
    (asked,) = [url for url in page.requests if "/v1/quotes" in url]
    assert f"receiverAddress={WSOL}" in asked
    await page.evaluate(
        "(() => { const e = document.querySelector('#get-chain'); "
        f"e.value = '{portal_service.sandbox.evm_chains[1].id}';"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    await page.until("!document.querySelector('#receiver').required")
    assert "your own wallet if left empty" in await page.text("label[for=receiver]")
