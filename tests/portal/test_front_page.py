"""The front page in a real Chromium with a wallet beside it, over the sandbox's chains."""

import json
import random
import re

import aiohttp
import pytest

from rhumbline.domain.amount import format_amount
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, choose_token, swap_on_front_page, wallet_of

TAB, ESCAPE, DOWN = ("Tab", 9), ("Escape", 27), ("ArrowDown", 40)


async def loaded(page: Page, portal_service: PortalService) -> None:
    await page.goto(portal_service.base_url)
    await page.until("document.querySelector('#get-token').value === 'ETH'")


async def ask_for(page: Page, portal_service: PortalService, amount: str) -> None:
    await loaded(page, portal_service)
    await page.fill("#amount", amount)
    await page.click("#get-quote")


async def test_the_keyboard_alone_gets_a_quote(page: Page, portal_service: PortalService) -> None:
    await loaded(page, portal_service)
    reached = []
    for _ in range(20):
        await page.press(*TAB)
        reached.append(await page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", reached
        if reached[-1] == "pay-token":
            break
    assert reached[0] == "Skip to content"
    await page.until("!document.querySelector('#pay-token-list').hidden")
    await page.press(*DOWN)
    await page.press(*DOWN)
    picked = await page.until(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
        "?.querySelector('strong').textContent"
    )
    await page.press("Enter", 13)
    assert await page.evaluate("document.querySelector('#pay-token').value") == picked
    assert await page.evaluate("document.querySelector('#pay-token').getAttribute('aria-expanded')") == "false"
    await page.press(*DOWN)
    await page.until("!document.querySelector('#pay-token-list').hidden")
    await page.press(*ESCAPE)
    assert await page.evaluate("document.querySelector('#pay-token-list').hidden")
    assert await page.evaluate("document.querySelector('#pay-token').value") == picked
    await page.press(*TAB)
    assert await page.evaluate("document.activeElement.id") == "amount"
    await page.send("Input.insertText", text="2")
    await page.press("Enter", 13)
    await page.see("simulated, output verified")
    status = await page.evaluate("document.querySelector('#answer-status').textContent")
    said = re.fullmatch(r"Best answer: ([0-9.,]+) ETH by ([A-Z]+)", status)
    assert said is not None
    assert (await page.text(".route .output")).startswith(said[1])
    assert f"via {said[2]}" in await page.text(".route .tags")
    assert page.faults == []


HOLD_TOKENS = """
const asked = window.fetch;
const go = new Promise((resolve) => { window.letTokensCome = resolve; });
window.fetch = async (url, ...more) => {
  if (String(url).includes("/v1/tokens")) await go;
  return asked(url, ...more);
};
"""


@pytest.mark.parametrize("when", ["before", "while choosing"])
async def test_what_is_written_before_the_tokens_are_there_stays(
    page: Page, portal_service: PortalService, when: str
) -> None:
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=HOLD_TOKENS)
    await page.goto(portal_service.base_url)
    await page.until("!document.querySelector('#pay-chain').disabled")
    await page.click("#pay-token")
    if when == "before":
        await page.fill("#pay-token", "USDC")
        await page.evaluate("window.letTokensCome()")
    else:
        await page.evaluate("window.letTokensCome()")
        await page.until("document.querySelector('#pay-token').value !== ''")
        # As a hand writes: it does not mark what stands there first.
        await page.send("Input.insertText", text="USDC")
    await page.until("document.querySelector('#pay-token-list [aria-selected=true] strong')?.textContent === 'USDC'")
    await page.press("Enter", 13)
    assert await page.evaluate("document.querySelector('#pay-token').value") == "USDC"


async def test_amounts_are_exact_whatever_their_size(page: Page, portal_service: PortalService) -> None:
    """The page's own arithmetic against this one's, both ways; no digit is lost on the way to the question."""
    await loaded(page, portal_service)
    script = await page.evaluate("document.querySelector('script[type=module]').src")
    module = script.replace("front.js", "amounts.js")
    chance = random.Random(7)
    cases = [(0, 18), (1, 18), (10**18, 18), (2**256 - 1, 18), (2**256 - 1, 0), (2**53 + 1, 0), (123456, 255)]
    cases += [(chance.getrandbits(chance.randint(1, 256)), chance.randint(0, 36)) for _ in range(400)]
    given = json.dumps([[str(raw), decimals] for raw, decimals in cases])
    written = await page.evaluate(
        f"import('{module}').then(({{formatAmount, parseAmount}}) => {given}.map(([raw, decimals]) => {{"
        "const text = formatAmount(raw, decimals), plain = text.replaceAll(',', '');"
        "return [text, raw === '0' ? '0' : parseAmount(plain, decimals).toString()]; }))"
    )
    for (raw, decimals), (text, back) in zip(cases, written, strict=True):
        assert text.replace(",", "") == format_amount(raw, decimals)
        assert back == str(raw)
    rate = await page.evaluate(f"import('{module}').then((m) => m.formatRate('3000000', 6, '1000000000000000000', 18))")
    assert rate == "0.33333333"


@pytest.mark.parametrize(
    ("amount", "says"),
    [
        ("", "Enter an amount"),
        ("0", "Enter more than 0"),
        ("0.000000", "Enter more than 0"),
        ("1.0000001", "6 decimal places, and you wrote 7"),
        ("1,5", "no other separator"),
        ("1e3", "no other separator"),
        ("-1", "no other separator"),
        ("٣", "no other separator"),
        (".", "no other separator"),
        ("9" * 80, "more than any token has"),
    ],
)
async def test_a_bad_amount_is_told_beside_its_field(
    page: Page, portal_service: PortalService, amount: str, says: str
) -> None:
    await ask_for(page, portal_service, amount)
    assert says in await page.evaluate("document.querySelector('#amount-fault').textContent")
    assert await page.evaluate("document.querySelector('#amount').getAttribute('aria-invalid')") == "true"
    assert await page.evaluate("document.activeElement.id") == "amount"
    assert not any("/v1/quotes" in url for url in page.requests)


async def test_what_the_service_refuses_is_told(page: Page, portal_service: PortalService) -> None:
    await loaded(page, portal_service)
    await choose_token(page, "get-token", "USDC")
    await page.fill("#amount", "10")
    await page.click("#get-quote")
    await page.until("!document.querySelector('#answer').hidden")
    assert await page.evaluate("!!document.querySelector('#answer .note.bad')")
    status = await page.evaluate("document.querySelector('#answer-status').textContent")
    assert status in await page.text("#answer")
    assert "destinationCurrency names the same token" in await page.text("#answer")
    await page.fill("#receiver", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    await page.click("#get-quote")
    await page.see("receiverAddress")


async def test_a_token_on_no_list_is_found_by_its_address(page: Page, portal_service: PortalService) -> None:
    token = portal_service.sandbox.evm_chains[0].tokens["TAX"].address
    await loaded(page, portal_service)
    await page.click("#get-token")
    await page.fill("#get-token", token)
    await page.see("on no list: make sure it is the one you mean")
    await page.press("Enter", 13)
    assert await page.evaluate("document.querySelector('#get-token').value") == "TAX"
    await page.fill("#get-token", "no such token")
    await page.see("No such token on this chain")
    await page.press(*TAB)
    assert "Choose a token" in await page.evaluate("document.querySelector('#get-token-fault').textContent")


async def test_who_declines_sends_and_signs_nothing(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    wallet.refuse = lambda method: method == "personal_sign"
    await page.goto(f"{portal_service.base_url}/portal")
    await page.click("#sign-in")
    await page.click("#wallet-list button")
    await page.see("You declined in the wallet")
    assert [cookie["name"] for cookie in await page.cookies()] == ["portal-browser"]
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await ask_for(page, portal_service, "5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.click("#swap")
    await page.see("You declined in the wallet. Nothing was sent")
    assert await page.evaluate("!document.querySelector('#swap').disabled")
    wallet.refuse = lambda method: False
    await page.click("#swap")
    await page.see("tracking ID is", 30)


async def test_other_sources_are_compared_when_asked_for(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """Each is a question of its own; who has no route is counted, and the rest are listed with the best first."""
    await portal_service.tell(session, "KYBERSWAP", fault="server_error")
    try:
        await ask_for(page, portal_service, "12")
        await page.see("Compare with 5 other sources")
        assert await page.evaluate("document.querySelectorAll('.routes > li').length") == 1
        assert not any("includeExchanges" in url for url in page.requests)
        await page.click("#compare")
        await page.see("4 of 5 other sources have a route")
    finally:
        await portal_service.tell(session, "KYBERSWAP")
    labels = await page.evaluate(
        "[...document.querySelectorAll('.routes > li .label')].map((each) => each.textContent)"
    )
    assert [label.split(":")[0] for label in labels] == ["Best answer", *(f"Number {place}" for place in range(2, 6))]
    tags = await page.evaluate("[...document.querySelectorAll('.routes > li .tags')].map((each) => each.textContent)")
    keys = [re.findall("via ([A-Z]+)", tag)[0] for tag in tags]
    assert sorted(keys) == ["NORDSTERN", "OKX", "OPENOCEAN", "RELAY", "UNISWAP"]
    raw = await page.evaluate("[...document.querySelectorAll('.routes .output')].map((each) => +each.dataset.raw)")
    assert raw[1:] == sorted(raw[1:], reverse=True)
    asked = re.findall(r"includeExchanges=(\w+)", " ".join(page.requests))
    assert sorted(asked) == sorted(["KYBERSWAP", *keys[1:]])
    assert await page.evaluate("document.querySelector('#compare')") is None, "asked once"
    (refused,) = page.faults
    assert "includeExchanges=KYBERSWAP" in refused
    page.requests.clear()
    await page.click(".route:nth-child(3) button.use")
    await page.until(f"document.querySelector('.route .tags').innerText.includes('via {keys[2]}')")
    assert f"includeExchanges={keys[2]}" in "".join(page.requests)
    await page.click("#answer .steer button.plain")
    await page.until(f"!document.querySelector('.route .tags').innerText.includes('via {keys[2]}')")
    assert f"excludeExchanges={keys[2]}" in "".join(page.requests)
    assert f"excludeExchanges={keys[2]}" in await page.evaluate("document.querySelector('#answer pre').textContent")


async def test_a_wallet_on_another_chain_is_asked_to_switch(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    wallet.chain_id = portal_service.sandbox.evm_chains[1].id
    await wallet.into(page)
    await swap_on_front_page(page, portal_service.base_url, wallet)
    assert wallet.chain_id == portal_service.sandbox.evm_chains[0].id
    assert "Your wallet is on Sandbox A" in await page.text("#log")


async def test_a_native_swap_needs_no_approval(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await loaded(page, portal_service)
    await choose_token(page, "pay-token", "ETH")
    await choose_token(page, "get-token", "DAI")
    await page.fill("#amount", "0.25")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.click("#get-quote")
    await page.click("#swap")
    await page.see("DAI arrived", 30)
    assert [method for method, _ in wallet.seen].count("eth_sendTransaction") == 1


async def test_an_answer_that_comes_after_the_wallet_is_not_used(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """Asked for nobody, answered when somebody is connected: it would pay nobody."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await loaded(page, portal_service)
    await page.fill("#amount", "7")
    # The first answer waits until the second one is there.
    await page.evaluate(
        "(() => { const ask = window.fetch; let first = true; window.fetch = async (url) => {"
        "const answer = await ask(url); if (String(url).includes('/v1/quotes') && first) { first = false;"
        "await new Promise((go) => { window.release = go; }); window.late = true; } return answer; }; })()"
    )
    await page.click("#get-quote")
    await page.until("!!window.release")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until("!!document.querySelector('#swap')")
    await page.evaluate("release()")
    await page.until("window.late")
    await page.click("#swap")
    await page.see("tracking ID is", 30)
    quotes = [url for url in page.requests if "/v1/quotes" in url]
    assert ["0x" + "1" * 40 in url for url in quotes] == [True, False]
    sent = await page.evaluate("[...document.querySelectorAll('#log li code')].at(-2).textContent")
    diamond = portal_service.sandbox.evm_chains[0].contracts["diamond"].lower()
    receipt = await wallet.receipt(sent)
    assert receipt["to"].lower() == diamond
    assert not any("1" * 40 in topic for log in receipt["logs"] for topic in log["topics"])


ANOTHER_CHAIN = """
const asked = window.fetch;
const add = { chains: (body) => { body.chains.unshift({ ...body.chains[0], id: 8453, key: "base", name: "Base" }); },
  tools: (body) => body.bridges.forEach((tool) => tool.supportedChains.push("8453")) };
window.fetch = async (url, ...more) => {
  const answer = await asked(url, ...more);
  const [, name] = /\\/v1\\/(chains|tools)/.exec(String(url)) ?? [];
  if (!name) return answer;
  const body = await answer.json();
  add[name](body);
  return new Response(JSON.stringify(body), { status: answer.status, headers: answer.headers });
};
"""


async def test_only_chains_with_a_node_are_offered_to_pay_from(page: Page, portal_service: PortalService) -> None:
    """A known chain that the operator does not serve can be the destination of a bridge, and no more."""
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=ANOTHER_CHAIN)
    await loaded(page, portal_service)
    offered = "[...document.querySelectorAll('#{}-chain option')].map((option) => option.textContent).join()"
    assert await page.evaluate(offered.format("get")) == "Base,Sandbox A,Sandbox B,Sandbox Solana"
    assert await page.evaluate(offered.format("pay")) == "Sandbox A,Sandbox B"
    assert await page.evaluate("document.querySelector('#get-chain').value") == "900001"
