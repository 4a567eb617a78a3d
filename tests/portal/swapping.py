"""The swap box as a visitor uses it: choose, type, connect, send."""

import json

import pytest

from tests.portal.chromium import Page

DESKTOP, PHONE = (1280, 900), (390, 844)
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
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


async def choose(page: Page, side: str, symbol: str, chain_id: int | None = None) -> None:
    """Choose a token by the picker; `side` is pay or get."""
    await page.click(f"#{side}-token")
    await page.until("!!deep('#tokens [role=option]')")
    if chain_id is not None:
        await page.click(f"[data-chain='{chain_id}']")
        await page.until(f"deep('[data-chain=\"{chain_id}\"]').getAttribute('aria-pressed') === 'true'")
    await page.fill("#search", symbol)
    await page.until(f"deep('#tokens [aria-selected=true] strong')?.textContent === '{symbol}'")
    await page.press("Enter", 13)
    await page.until(f"!deep('#search') && deep('#{side}-token strong').textContent === '{symbol}'")


async def opened(page: Page, base_url: str, query: str = "") -> None:
    """Open the front page, and wait until its form is filled."""
    await page.goto(f"{base_url}/{query}")
    await page.until("usable('#get-token')")


async def connect(page: Page) -> None:
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.until("!!deep('#wallet-state')")


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


async def send(page: Page) -> None:
    """Press the one button once it offers to send."""
    await page.until("/^(Approve and |Swap$|Transfer$)/.test(deep('#go')?.textContent ?? '') && usable('#go')", 30)
    await page.click("#go")


async def hashes(page: Page) -> list[str]:
    """The whole hashes in the list of what is under way, in their order."""
    found: list[str] = await page.evaluate("deepAll('.progress .log code').map((e) => e.title)")
    return found


async def otherwise(page: Page, path: str, said: object) -> None:
    script = OTHERWISE.replace("SAID", json.dumps(said)).replace("PATH", path)
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=script)


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
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=script.replace("CHANGES", changes))
