"""A wallet for EVM chains and one for Solana, connected at the same time."""

from tests.portal.chromium import Page
from tests.portal.sizes import sound
from tests.portal.stack import PortalService
from tests.portal.swap.solana_wallet import SolanaTestWallet
from tests.portal.swap_box import BUTTON, opened, routes, send
from tests.portal.wallet import TestWallet, always

TO_SOLANA = "?from=HERE:USDC&to=SOLANA:USDC&amount=25"
FROM_SOLANA = "?from=SOLANA:USDC&to=HERE:USDC&amount=25"


async def connect_by(page: Page, opener: str, chain_type: str) -> None:
    """Connect the first wallet that is listed, which is one for the type that is wanted."""
    await page.click(opener)
    await page.click("#wallet-list button")
    await page.until(f"!!deep('.connected[data-chain-type={chain_type}]') && !deep('#wallet-dialog')")


async def connect_both(page: Page, payer: str, receiver: str) -> None:
    await connect_by(page, "#connect", payer)
    await connect_by(page, "#connect-receiver", receiver)


async def ready(page: Page, portal_service: PortalService, link: str) -> None:
    """Open a transfer between the two types, connect both wallets and choose a route."""
    await opened(page, portal_service, link)
    await connect_both(page, *("EVM", "SVM") if link == TO_SOLANA else ("SVM", "EVM"))
    await routes(page)


async def test_from_evm_to_solana_without_a_pasted_address(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    await opened(page, portal_service, TO_SOLANA)
    assert await page.text("#go") == "Enter a receiver on Sandbox Solana"
    await connect_both(page, "EVM", "SVM")
    await routes(page)
    shown = await page.text("#receiving")
    assert solana.wallet.address in shown
    assert "Received on Sandbox Solana by Astrolabe" in shown
    assert not await page.evaluate("!!deep('#receiver')")
    await sound(page)
    await send(page)
    await page.see("USDC arrived on Sandbox Solana")
    assert solana.seen == []


async def test_from_solana_to_evm_without_a_pasted_address(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    await ready(page, portal_service, FROM_SOLANA)
    assert wallet.address in await page.text("#receiving")
    await send(page)
    await page.see("USDC arrived on Sandbox A")
    assert wallet.transactions() == []


async def test_each_is_disconnected_by_itself_and_comes_back_by_itself(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    await opened(page, portal_service, TO_SOLANA)
    await connect_both(page, "EVM", "SVM")
    types = "deepAll('.connected').map((e) => e.dataset.chainType).join()"
    assert await page.evaluate(types) == "EVM,SVM"
    assert await page.evaluate("deep('#disconnect-other').ariaLabel") == "Disconnect Astrolabe on Solana"
    await page.goto(f"{portal_service.base_url}/")
    await page.until(f"{types} === 'EVM,SVM'")
    await page.click("#disconnect-other")
    await page.until(f"{types} === 'EVM'")
    await page.goto(f"{portal_service.base_url}/")
    await page.until(f"{types} === 'EVM'")
    await page.click("#disconnect")
    await page.until(f"{types} === '' && !!deep('#connect')")


async def test_another_address_can_be_typed_all_the_same(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet, other_wallet: TestWallet
) -> None:
    await opened(page, portal_service, FROM_SOLANA)
    await connect_both(page, "SVM", "EVM")
    await page.click("#add-receiver")
    await page.fill("#receiver", other_wallet.address)
    await send(page)
    await page.see("USDC arrived on Sandbox A")
    (kept,) = await page.evaluate(
        "Object.keys(localStorage).filter((k) => k.includes('/transfer/')).map((k) => JSON.parse(localStorage[k]))"
    )
    assert kept["receiver"] == other_wallet.address
    await page.fill("#amount", "26")
    await page.fill("#receiver", "0x12")
    await page.until(f"{BUTTON} === 'Check the receiver'")


async def test_a_receiving_wallet_that_shows_another_account_receives_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet, other_wallet: TestWallet
) -> None:
    """It says nothing of it, so it is asked once more before anything is signed."""
    await ready(page, portal_service, FROM_SOLANA)
    wallet.answers["eth_accounts"] = always([other_wallet.address])
    await send(page)
    await page.see("The receiving wallet does not show that account any more, so nothing was sent")
    assert solana.seen == []
    del wallet.answers["eth_accounts"]
    await send(page)
    await page.see("USDC arrived on Sandbox A")


async def test_a_receiving_wallet_on_solana_that_is_locked_receives_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    await ready(page, portal_service, TO_SOLANA)
    await page.evaluate("solanaLocks()")
    await send(page)
    await page.see("The receiving wallet does not show that account any more, so nothing was sent")
    assert wallet.transactions() == []


async def test_a_receiving_wallet_that_moves_on_is_asked_for_anew(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet, other_wallet: TestWallet
) -> None:
    """Told of another account, the page shows it and asks for routes to it."""
    await ready(page, portal_service, FROM_SOLANA)
    wallet.answers["eth_accounts"] = always([other_wallet.address])
    await wallet.tell(page, "accountsChanged", [other_wallet.address])
    await page.until(f"deep('#receiving').textContent.includes('{other_wallet.address}')")
    await send(page)
    await page.see("USDC arrived on Sandbox A")


async def test_what_is_signed_by_one_goes_on_when_the_other_is_disconnected(
    page: Page, portal_service: PortalService, wallet: TestWallet, solana: SolanaTestWallet
) -> None:
    await ready(page, portal_service, TO_SOLANA)
    hold = wallet.hold("eth_sendTransaction")
    await send(page)
    await hold.reached()
    await page.click("#disconnect-other")
    await page.until("deepAll('.connected').length === 1")
    hold.set()
    await page.see("USDC arrived on Sandbox Solana")
