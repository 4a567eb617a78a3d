"""What a wallet does with a transaction before it is in a block: speeds it up, cancels it, loses it."""

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap.blocks import Mining
from tests.portal.swap_box import hashes, quoted, send
from tests.portal.wallet import TestWallet

SEEN = "Object.values(localStorage).some((each) => each.includes('\"seen\":true'))"
PENDING = "Sent, waiting to be confirmed"


async def pending(page: Page, portal_service: PortalService) -> str:
    """Swap ETH; answer the hash once the page knows the transaction that no block has."""
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:DAI&amount=0.05")
    await send(page)
    await page.see(PENDING)
    await page.until(SEEN)
    return (await hashes(page))[0]


async def test_a_transaction_that_was_sped_up_goes_on_under_its_new_hash(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    first = await pending(page, portal_service)
    second = await wallet.send_transaction(wallet.transactions()[0], await mining.nonce(first), dearer=3)
    await mining.go_on()
    await page.see("DAI arrived")
    await page.see("Replaced in your wallet: it was")
    assert await hashes(page) == [first, second, *(await hashes(page))[2:]]
    assert len(wallet.transactions()) == 1


@at_a_size
async def test_a_transaction_that_was_cancelled_is_not_counted_as_sent(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining, size: tuple[int, int]
) -> None:
    await page.look(*size)
    first = await pending(page, portal_service)
    nothing = {"from": wallet.address, "to": wallet.address, "data": "0x"}
    await wallet.send_transaction(nothing, await mining.nonce(first), dearer=3)
    await mining.go_on()
    await page.see("Your wallet sent another transaction in its place")
    await page.click("#history")
    await page.until("deep('.transfers .badge').textContent === 'Not sent'")


async def test_a_transaction_that_was_dropped_is_told_of_until_it_is_there_again(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    first = await pending(page, portal_service)
    nonce = await mining.nonce(first)
    await mining.drop(first)
    await page.see("Your wallet’s node has lost it")
    await wallet.send_transaction(wallet.transactions()[0], nonce, dearer=3)
    await mining.go_on()
    await page.see("DAI arrived")
    assert "has lost it" not in await page.text(".progress")


async def test_an_approval_that_was_cancelled_or_sped_up(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    """Cancelled it is asked for anew; sped up it counts, under its new hash."""
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=31.25")
    await send(page)
    await page.see("Waiting for the approval to be mined")
    (first,) = await hashes(page)
    # Asked a second time, the page has heard the first answer.
    await wallet.asked_for("eth_getTransactionByHash", first, times=2)
    nothing = {"from": wallet.address, "to": wallet.address, "data": "0x"}
    await wallet.send_transaction(nothing, await mining.nonce(first), dearer=3)
    await mining.mine()
    await page.see("Your wallet sent another transaction in place of the approval")
    await page.click(".next")
    await page.until(f"deepAll('.progress .log code').some((e) => e.title !== '{first}')")
    (second,) = await hashes(page)
    # What the node estimates now is for an approval that stands already.
    again = {**wallet.transactions()[1], "gas": hex(100_000)}
    await wallet.send_transaction(again, await mining.nonce(second), dearer=3)
    await mining.go_on()
    await page.see("WETH arrived")
    approvals = [each for each in wallet.transactions() if each["data"].startswith("0x095ea7b3")]
    assert (len(approvals), len(wallet.transactions())) == (2, 3)
