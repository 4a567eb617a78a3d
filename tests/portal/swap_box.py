"""The swap box as a visitor uses it: choose, type, connect, send."""

import json
import re

import pytest

from rhumbline.domain.chain import ChainType
from tests.portal.chromium import Page
from tests.portal.stack import PortalService, Tell
from tests.portal.wallet import Held, TestWallet

ROUTES = "/v1/advanced/routes"
BUTTON = "deep('#go').textContent"
STORAGE = pytest.mark.parametrize("storage", ["forbidden", "full"])
# Few bridges make the service plan ways of several steps.
BY_ACROSS = """
const asked = window.fetch;
window.fetch = (url, options) => {
  if (!String(url).endsWith('ROUTES')) return asked(url, options);
  return asked(url, {...options, body: JSON.stringify({...JSON.parse(options.body), includeBridges: 'ACROSS'})});
};
""".replace("ROUTES", ROUTES)
# What is answered otherwise, by a part of the address: {status, headers, body}, "never", or "held" for an answer of the
# service's own that comes late, whether or not it is still waited for. Null asks the service.
OTHERWISE = """
(() => {
  const asked = window.fetch;
  window.instead = {...window.instead, ['PATH']: SAID};
  window.fetch = async (url, options) => {
    const said = String(url).includes('PATH') && window.instead?.['PATH'];
    if (!said) return asked(url, options);
    if (said === 'never') throw new TypeError('Failed to fetch');
    if (said !== 'held') return new Response(JSON.stringify(said.body), {status: said.status, headers: said.headers});
    await new Promise((resolve) => { window.release = resolve; });
    const answer = await asked(url, {...options, signal: undefined});
    setTimeout(() => { window.released = true; });
    return answer;
  };
})();
"""


async def opened(page: Page, portal_service: PortalService, query: str = "") -> None:
    """Open the front page, and wait until its form is filled; HERE, THERE and SOLANA name the sandbox's chains."""
    sandbox = portal_service.sandbox
    here, there = sandbox.evm_chains
    (solana,) = [chain for chain in sandbox.chains if chain.type is ChainType.SVM]
    chains = {"HERE": here.id, "THERE": there.id, "SOLANA": solana.id}
    linked = re.sub("THERE|HERE|SOLANA", lambda name: str(chains[name[0]]), query)
    await page.goto(f"{portal_service.base_url}/{linked}")
    await page.until("usable('#get-token')")


async def quoted(page: Page, portal_service: PortalService, query: str) -> None:
    """Open the form as a link fills it, wait for routes, and connect."""
    await opened(page, portal_service, query)
    await quoted_here(page)


async def quoted_here(page: Page) -> None:
    """Wait for routes of the page that is open, and connect."""
    await routes(page)
    await connect(page)


async def pick(page: Page, side: str) -> None:
    """Open the picker of tokens; `side` is pay or get."""
    await page.click(f"#{side}-token")
    await page.until("!!deep('#tokens [role=option]')")


async def choose(page: Page, side: str, symbol: str, chain_id: int | None = None) -> None:
    """Choose a token by the picker."""
    await pick(page, side)
    if chain_id is not None:
        await page.click(f"[data-chain='{chain_id}']")
        await page.until(f"deep('[data-chain=\"{chain_id}\"]').getAttribute('aria-pressed') === 'true'")
    await page.fill("#search", symbol)
    await page.until(f"deep('#tokens [aria-selected=true] strong')?.textContent === '{symbol}'")
    await page.press("Enter", 13)
    await page.until(f"!deep('#search') && deep('#{side}-token strong').textContent === '{symbol}'")


async def connect(page: Page) -> None:
    await page.click("#connect")
    await page.click("#wallet-list button")
    # As long as the dialog is open, nothing behind it takes the focus.
    await page.until("!!deep('#wallet-state') && !deep('dialog[open]')")


async def routes(page: Page) -> list[str]:
    """Wait for routes; answer their adapters in the order that is shown."""
    await page.until("!!deep('#routes')")
    found: list[str] = await page.evaluate("deepAll('#routes tbody').map((e) => e.dataset.adapter)")
    return found


async def take(page: Page, adapter: str) -> None:
    """Choose one route of the table."""
    await page.until(f"!!deep('tbody[data-adapter=\"{adapter}\"]')")
    await page.click(f"tbody[data-adapter='{adapter}'] .pick")
    await page.until(f"deep('tbody[data-adapter=\"{adapter}\"]').classList.contains('chosen')")


async def by_relay(page: Page, portal_service: PortalService, amount: str) -> None:
    """Connect, and choose RELAY to bring USDC to the other chain."""
    await opened(page, portal_service, f"?from=HERE:USDC&to=THERE:USDC&amount={amount}")
    await connect(page)
    await take(page, "RELAY")


async def on_its_way(page: Page, portal_service: PortalService, relay: Tell, amount: str) -> None:
    """Send USDC to the other chain by RELAY, which delivers nothing until it is told to behave."""
    await relay(outcome="never")
    await by_relay(page, portal_service, amount)
    await send(page)
    await page.see("On its way to Sandbox B")


async def in_several_steps(page: Page, portal_service: PortalService, amount: str) -> None:
    """Connect, and choose a route of several steps from DAI to WBTC on the other chain."""
    await page.begin_with(BY_ACROSS)
    await opened(page, portal_service, f"?from=HERE:DAI&to=THERE:WBTC&amount={amount}")
    await connect(page)
    await routes(page)
    several = "deepAll('#routes tbody').findIndex((e) => +e.querySelector('[data-label=Steps]').innerText > 1)"
    place = await page.evaluate(several)
    assert place >= 0
    await page.click(f"#routes tbody:nth-of-type({place + 1}) .pick")


async def believed(page: Page) -> None:
    """Wait until an open route says what has to be believed."""
    await page.until("!!deep('.detail .believed') || deep('.detail').innerText.includes('Nothing beyond')")


async def send(page: Page) -> None:
    """Press the one button once it offers to send."""
    await page.until("/^(Approve and |Swap$|Transfer$)/.test(deep('#go')?.textContent ?? '') && usable('#go')")
    await page.click("#go")


async def send_held(page: Page, wallet: TestWallet) -> Held:
    """Send; the wallet is asked for it, and does so only when what is answered here is set."""
    hold = wallet.hold("eth_sendTransaction")
    await send(page)
    await hold.reached()
    return hold


async def hashes(page: Page) -> list[str]:
    """The whole hashes in the list of what is under way, in their order."""
    found: list[str] = await page.evaluate("deepAll('.progress .log code').map((e) => e.title)")
    return found


def times_asked(page: Page) -> int:
    """How often the page has asked for routes."""
    return len([url for url in page.requests if ROUTES in url])


def faults(page: Page) -> list[str]:
    """What went wrong, but for what the service says of itself.

    It has not seen what has just been sent, or has no price while routes are late.
    """
    return [fault for fault in page.faults if "/v1/status/" not in fault and "/v1/prices/pair" not in fault]


async def keep_nothing(page: Page, storage: str) -> None:
    """Have the browser refuse to keep anything: its storage is forbidden or full."""
    deny = "throw new DOMException('no', 'QuotaExceededError');"
    if storage == "full":
        await page.begin_with(f"Storage.prototype.setItem = () => {{ {deny} }};")
    else:
        await page.begin_with(f"Object.defineProperty(window, 'localStorage', {{get() {{ {deny} }}}});")


async def otherwise(page: Page, path: str, said: object) -> None:
    await page.begin_with(OTHERWISE.replace("SAID", json.dumps(said)).replace("PATH", path))


def error(code: str, status: int, **headers: str) -> dict[str, object]:
    return {"status": status, "headers": headers, "body": {"statusCode": status, "code": code, "message": "raw words"}}


async def changed_steps(page: Page, changes: str) -> None:
    """Have steps answered with changes: an expression over `step` and `asks`, what was sent for it."""
    script = """
    (() => {
      const asked = window.fetch;
      window.fetch = async (url, ...more) => {
        const answer = await asked(url, ...more);
        if (!String(url).includes('stepTransaction') || !answer.ok) return answer;
        const step = await answer.json(), asks = JSON.parse(more[0].body);
        return new Response(JSON.stringify({...step, ...CHANGES}), {status: answer.status});
      };
    })();
    """
    await page.begin_with(script.replace("CHANGES", changes))
