"""A wallet that signs typed data: one signature and one transaction, and the approval where it will not sign."""

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.swap_box import faults, opened, quoted, routes, send
from tests.portal.wallet import TestWallet

TYPED = "eth_signTypedData_v4"


def methods(wallet: TestWallet) -> list[str]:
    """What the wallet's owner was asked for, without what only reads."""
    return [method for method, _ in wallet.seen if method in {TYPED, "eth_sendTransaction"}]


async def test_a_swap_and_a_transfer_by_a_signature(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    wallet.signs_typed_data = True
    hold = wallet.hold(TYPED)
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=123.45")
    await send(page)
    await page.see("Permit exactly 123.45 USDC by a signature in your wallet")
    hold.set()
    await page.see("WETH arrived")
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=120.5")
    await routes(page)
    await send(page)
    await page.see("USDC arrived on Sandbox B")
    assert methods(wallet) == [TYPED, "eth_sendTransaction"] * 2
    diamond = portal_service.sandbox.evm_chains[0].contracts["diamond"].lower()
    assert {each["to"].lower() for each in wallet.transactions()} == {diamond}
    assert faults(page) == []


async def test_who_declines_the_signature_approves(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    wallet.signs_typed_data = True
    wallet.refuse = lambda method: method == TYPED
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=11")
    await send(page)
    await page.see("You declined in the wallet. Nothing was sent")
    assert methods(wallet) == [TYPED]
    await send(page)
    await page.see("WETH arrived")
    assert methods(wallet) == [TYPED, "eth_sendTransaction", "eth_sendTransaction"]
