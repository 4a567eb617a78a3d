"""The swap box in a real Chromium with a wallet beside it, over the sandbox's chains: from a number to what arrived."""

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.swap_box import BUTTON, choose, connect, faults, hashes, opened, quoted, routes, send
from tests.portal.wallet import TestWallet


async def test_a_swap_goes_from_a_number_to_what_arrived(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    chain = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service)
    await choose(page, "pay", "USDC", chain.id)
    await choose(page, "get", "WETH", chain.id)
    await page.fill("#amount", "1234.56")
    assert "ONCHAIN" in await routes(page)
    assert await page.text("#go") == "Connect wallet"
    await connect(page)
    await send(page)
    await page.see("WETH arrived")
    sent = wallet.transactions()
    assert [each["to"].lower() for each in sent] == [
        chain.tokens["USDC"].address.lower(),
        chain.contracts["diamond"].lower(),
    ]
    spender = chain.contracts["diamond"][2:].lower().rjust(64, "0")
    assert sent[0]["data"] == f"0x095ea7b3{spender}{1_234_560_000:064x}"
    approval, swap = await hashes(page)
    for each in (approval, swap):
        await wallet.receipt(each)
    assert faults(page) == []


async def test_a_transfer_is_followed_until_it_has_arrived(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """From a wallet that is on the wrong chain."""
    here, there = portal_service.sandbox.evm_chains
    wallet.chain_id = there.id
    await quoted(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=120.5")
    await page.until(f"{BUTTON} === 'Switch to Sandbox A'")
    await page.click("#go")
    await send(page)
    await page.see("USDC arrived on Sandbox B")
    assert wallet.chain_id == here.id


async def test_what_has_to_be_believed_comes_with_the_routes(page: Page, portal_service: PortalService) -> None:
    """No transaction is asked for to tell it."""
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=120.5")
    await page.until("!!deep('tbody[data-adapter=RELAY]')")
    await page.click("tbody[data-adapter=RELAY] .open")
    await page.until("deepAll('.detail .believed li').length > 0")
    assert not any("stepTransaction" in url for url in page.requests)
