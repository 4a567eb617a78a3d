"""The portal, and what all pages owe everybody, in a real Chromium with a wallet beside it, over the sandbox."""

import re
from itertools import pairwise

import aiohttp
import pytest

from rhumbline.devnet.evm.accounts import sandbox_account
from tests.portal.chromium import ROOT, Browser, Page
from tests.portal.sizes import fits
from tests.portal.stack import PortalService
from tests.portal.story import FEE_WALLET, NAME, OWNER, StoryRecords, sign_in, told, wallet_of

ESCAPE = ("Escape", 27)
PORTAL = ("", "/keys", "/wallets", "/transactions", "/fees", "/requests", "/embed", "/members", "/log")


@pytest.fixture(scope="module")
async def story(portal_service: PortalService, browser: Browser, session: aiohttp.ClientSession) -> StoryRecords:
    return await told(portal_service, browser, session)


async def test_an_integrator_s_story(story: StoryRecords, portal_service: PortalService) -> None:
    """Register, key, swaps and transfers with the key and from the front page: all, and the fees, are in the portal."""
    portal = f"{portal_service.base_url}/portal/i/{NAME}"
    await story.owner.goto(f"{portal}/transactions")
    rows = await story.owner.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.innerText)")
    assert len(rows) == 4
    assert len([row for row in rows if "success" in row]) == 3
    assert any("1,234.56 USDC" in row and "none" in row for row in rows)
    assert any("250 USDC" in row and "2.5 USDC" in row for row in rows)
    (refunded,) = [row for row in rows if "300 USDC" in row]
    for words in ("Sandbox A", "Sandbox B", "with Relay", "nothing", "3 USDC", "was sent back"):
        assert words in refunded
    (arrived,) = [row for row in rows if "800 USDC" in row]
    assert re.search(r"79\d\.\d+ USDC\s+none\s+success", arrived)
    assert "arrived in 0x" in arrived
    await story.owner.goto(f"{portal}/fees")
    assert "5.5 USDC\nfrom 2 transactions" in await story.owner.text()
    assert await story.owner.evaluate("document.querySelectorAll('figure svg.chart rect').length") == 1
    worth = r"worth \$5\.(50|49)"
    assert re.search(worth, await story.owner.text())
    await story.owner.goto(portal)
    assert "5.5 USDC on Sandbox A" in await story.owner.text()
    assert "was sent back" in await story.owner.text()
    usdc = portal_service.sandbox.evm_chains[0].tokens["USDC"].address
    fees = sandbox_account(FEE_WALLET).address[2:].lower().rjust(64, "0")
    balance = await story.owner_wallet.rpc("eth_call", {"to": usdc, "data": f"0x70a08231{fees}"}, "latest")
    assert int(balance, 16) == 5_500_000


async def test_the_wallet_was_asked_for_no_more_than_the_swap_needs(
    story: StoryRecords, portal_service: PortalService
) -> None:
    chain = portal_service.sandbox.evm_chains[0]
    sent = [params[0] for method, params in story.visitor_wallet.seen if method == "eth_sendTransaction"]
    each = [chain.tokens["USDC"].address.lower(), chain.contracts["diamond"].lower()]
    assert [transaction["to"].lower() for transaction in sent] == each * 2
    spender = chain.contracts["diamond"][2:].lower().rjust(64, "0")
    assert sent[0]["data"] == f"0x095ea7b3{spender}{1_234_560_000:064x}"
    assert sent[2]["data"] == f"0x095ea7b3{spender}{800_000_000:064x}"
    assert {method for method, _ in story.owner_wallet.seen} <= {
        "eth_requestAccounts",
        "eth_chainId",
        "personal_sign",
        "eth_call",
    }


async def test_nothing_was_asked_of_another_host_and_no_policy_was_broken(
    story: StoryRecords, portal_service: PortalService
) -> None:
    """But the chains' public nodes, by the page from which a transfer was sent, and without a word about where from.

    The browser's own icons, a calendar's say, come from nowhere.
    """
    nodes = tuple(chain.rpc_url.rstrip("/") + "/" for chain in portal_service.sandbox.evm_chains)
    for page, hosts in ((story.owner, ()), (story.visitor, nodes)):
        assert [fault for fault in page.faults if "/v1/status/" not in fault] == []
        assert page.requests
        for url, headers in zip(page.requests, page.headers, strict=True):
            assert url.startswith((portal_service.base_url + "/", "data:image/svg+xml", *hosts)), url
            if url.startswith(nodes):
                told = {name.lower() for name, value in headers.items() if value}
                assert not {"referer", "cookie", "authorization"} & told, headers
        assert not any("x-api-key" in name.lower() for headers in page.headers for name in headers)
    assert not any(story.key in url for url in (*story.owner.requests, *story.visitor.requests))


async def test_the_session_is_out_of_reach_of_scripts(story: StoryRecords) -> None:
    cookies = {cookie["name"]: cookie for cookie in await story.owner.cookies()}
    assert set(cookies) == {"portal-session"}
    assert cookies["portal-session"]["httpOnly"]
    assert cookies["portal-session"]["sameSite"] == "Strict"
    assert await story.owner.evaluate("document.cookie + JSON.stringify({...localStorage, ...sessionStorage})") == "{}"


async def test_no_page_is_wider_than_its_window(story: StoryRecords, portal_service: PortalService) -> None:
    paths = ["/", "/portal", *(f"/portal/i/{NAME}{page}" for page in PORTAL), "/portal/nowhere"]
    for path in paths:
        await story.owner.goto(portal_service.base_url + path)
        for width in (320, 390, 768, 1280, 1440):
            await story.owner.look(width, 800)
            await fits(story.owner, f"{path} {width}")
    await story.owner.look(1280, 900)
    story.owner.faults.clear()


async def test_everything_that_can_be_used_has_a_name_and_a_place(
    story: StoryRecords, portal_service: PortalService, page: Page
) -> None:
    """As a screen reader has it: each control has a role and a name, each page one heading of the first level."""
    for viewer, paths in (
        (story.owner, ["/", "/portal", *(f"/portal/i/{NAME}{end}" for end in PORTAL)]),
        (page, ["/portal"]),
    ):
        for path in paths:
            await viewer.goto(portal_service.base_url + path)
            nodes = (await viewer.send("Accessibility.getFullAXTree"))["nodes"]
            shown = [node for node in nodes if not node.get("ignored")]
            roles = [node["role"]["value"] for node in shown]
            assert {"main", "banner", "contentinfo", "navigation"} <= set(roles), path
            for node in shown:
                states = {item["name"]: item["value"].get("value") for item in node.get("properties", [])}
                if states.get("focusable") and node["role"]["value"] not in {"RootWebArea", "generic"}:
                    assert node["name"]["value"].strip(), (path, node)
            levels = await viewer.evaluate("[...document.querySelectorAll('h1,h2,h3')].map((h) => +h.tagName[1])")
            assert levels[0] == 1
            assert levels.count(1) == 1
            assert all(after - before <= 1 for before, after in pairwise(levels)), path
            ids = await viewer.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
            assert len(ids) == len(set(ids)), path
            named = "[aria-labelledby],[aria-describedby],[aria-controls]"
            pointed = await viewer.evaluate(
                f"[...document.querySelectorAll('{named}')].flatMap((e) => ['labelledby', 'describedby', 'controls']"
                ".flatMap((n) => (e.getAttribute('aria-' + n) ?? '').split(' ').filter(Boolean)))"
            )
            assert set(pointed) <= set(ids), path


async def test_without_a_wallet_the_page_says_so(page: Page, portal_service: PortalService) -> None:
    await page.goto(f"{portal_service.base_url}/portal")
    await page.click("#sign-in")
    await page.see("No wallet has announced itself")
    await page.press(*ESCAPE)
    await page.until("!document.querySelector('#wallet-dialog').open && !document.querySelector('#sign-in').disabled")


async def test_signing_out_ends_what_the_browser_shows(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    await wallet_of(portal_service, session, OWNER + 3).into(page)
    await sign_in(page, portal_service.base_url)
    await page.follow("header button")
    await page.see("The integrators’ portal")
    await page.goto(f"{portal_service.base_url}/portal/i/{NAME}")
    await page.see("Sign in with a wallet")


@pytest.mark.parametrize("dark", [False, True])
def test_colours_are_told_apart(dark: bool) -> None:
    """Contrast of text as WCAG 2.2 asks for it (1.4.3: 4.5 to 1; 1.4.11: 3 to 1 for edges), in light and in dark."""
    style = (ROOT / "src/rhumbline/api/pages/static/chart.css").read_text()
    parts = style.split("@media (prefers-color-scheme: dark)")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", parts[0].split("* {")[0]))
    if dark:
        colours |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", parts[1].split("* {")[0]))
    grounds = ("paper", "raised", "water")
    pairs = [(text, ground) for text in ("ink", "soft", "sea", "sea-deep", "course", "bad") for ground in grounds]
    pairs += [(tone, f"{tone}-ground") for tone in ("good", "mind", "bad")]
    pairs += [("ink", f"{tone}-ground") for tone in ("good", "mind", "bad")]
    pairs += [("on-sea", "sea"), ("on-sea", "sea-deep")]
    for text, ground in pairs:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for ground in ("paper", "raised"):
        assert contrast(colours["line-strong"], colours[ground]) >= 3, ground


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
