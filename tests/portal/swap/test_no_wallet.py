"""Where no wallet has announced itself: the dialog leads to some, on phones to this page in their own browsers."""

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.portal.chromium import Page
from tests.portal.sizes import PHONE, sound
from tests.portal.stack import PortalService
from tests.portal.swap.solana_wallet import SolanaTestWallet
from tests.portal.swap_box import opened

PHONE_AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148"
LINKS = "deepAll('#wallet-none a').map((e) => [e.textContent.trim(), e.href])"


async def shown(page: Page) -> dict[str, str]:
    """Open the dialog; answer where it leads, by the words of each link."""
    await page.click("#connect")
    await page.until("!!deep('#wallet-none')")
    return dict(await page.evaluate(LINKS))


async def test_a_desktop_is_led_to_where_wallets_are_installed_from(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    leads = await shown(page)
    assert leads["MetaMask"] == "https://metamask.io/download"
    assert {"Base", "Trust Wallet", "OKX Wallet", "Phantom"} < set(leads)
    assert "Solflare" not in leads
    await page.see("No wallet for EVM chains has announced itself to this page.")
    await sound(page)
    assert [url for url in page.requests if not url.startswith((portal_service.base_url, "http://127.0.0.1"))] == []


async def test_a_phone_opens_this_page_in_a_wallet_with_the_form_filled(
    page: Page, portal_service: PortalService
) -> None:
    """The links say what was typed; never who receives."""
    await page.send("Emulation.setUserAgentOverride", userAgent=PHONE_AGENT)
    await page.look(*PHONE)
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH&amount=5&integrator=acme")
    await page.fill("#amount", "12.5")
    await page.click("#add-receiver")
    await page.fill("#receiver", "0x" + "5a" * 20)
    leads = await shown(page)
    base, chain = portal_service.base_url, portal_service.sandbox.evm_chains[0]
    targets = {
        "Open in Base": parse_qs(urlsplit(leads["Open in Base"]).query)["cb_url"][0],
        "Open in Trust Wallet": parse_qs(urlsplit(leads["Open in Trust Wallet"]).query)["url"][0],
        "Open in Phantom": unquote(urlsplit(leads["Open in Phantom"]).path.removeprefix("/ul/browse/")),
        "Open in MetaMask": "http://" + leads["Open in MetaMask"].removeprefix("https://link.metamask.io/dapp/"),
    }
    inner = parse_qs(urlsplit(leads["Open in OKX Wallet"]).query)["deeplink"][0]
    targets["Open in OKX Wallet"] = parse_qs(urlsplit(inner).query)["dappUrl"][0]
    for name, target in targets.items():
        assert target.startswith(f"{base}/?"), (name, target)
        asked = parse_qs(urlsplit(target).query)
        assert asked == {
            "from": [f"{chain.id}:{chain.tokens['USDC'].address}"],
            "to": [f"{chain.id}:0x{'0' * 40}"],
            "amount": ["12.5"],
            "integrator": ["acme"],
        }, name
    assert leads["Open in Phantom"].endswith("?ref=" + base.replace(":", "%3A").replace("/", "%2F"))
    await sound(page)
    await page.goto(targets["Open in Base"])
    await page.until("deep('#amount')?.value === '12.5' && deep('#get-token strong')?.textContent === 'ETH'")


@pytest.mark.parametrize("opener", ["#connect", "#connect-receiver"])
async def test_what_is_missing_is_named_beside_what_is_there(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, opener: str
) -> None:
    """A Solana wallet is there: it is offered, first where it is wanted, below what is said of the other type else."""
    await opened(page, portal_service, "?from=HERE:USDC&to=SOLANA:USDC")
    await page.click(opener)
    await page.until("!!deep('#wallet-list button')")
    headings = await page.evaluate("deepAll('#wallet-list h3').map((e) => e.textContent)")
    if opener == "#connect":
        assert headings == ["For EVM chains", "For Solana"]
        assert await page.evaluate("!!deep('#wallet-none')")
    else:
        assert headings == ["For Solana"]
        assert not await page.evaluate("!!deep('#wallet-none')")
