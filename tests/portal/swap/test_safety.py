"""No wallet is led into what the chain reverts, and no loss of a tenth happens without a deliberate yes."""

from typing import Any

import aiohttp
import pytest

from rhumbline.devnet.evm.accounts import EMPTY
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import wallet_of
from tests.portal.swap_box import BUTTON, changed_steps, opened, quoted, routes, send
from tests.portal.wallet import TestWallet, always

ENTER = ("Enter", 13)


async def test_a_wallet_without_funds_is_told_so(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, EMPTY[0])
    await wallet.into(page)
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    # Once the dialog is closed, the focus goes here, and Enter with it.
    await page.until(f"{BUTTON} === 'Not enough USDC' && !usable('#go') && focused()?.id === 'disconnect'")
    await page.evaluate("deep('#amount').focus()")
    await page.press(*ENTER)
    await page.evaluate("deep('form').requestSubmit()")
    # An answer may have been asked for anew meanwhile.
    await page.until(f"{BUTTON} === 'Not enough USDC'")
    assert wallet.orders() == []


async def test_a_wallet_without_gas_is_told_so(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, other_wallet: TestWallet
) -> None:
    """It has the tokens, and nothing to pay the network with."""
    wallet = wallet_of(portal_service, session, EMPTY[1])
    await wallet.into(page)
    usdc = portal_service.sandbox.evm_chains[0].tokens["USDC"].address
    data = f"0xa9059cbb{wallet.address[2:].lower().rjust(64, '0')}{100_000_000:064x}"
    gift = {"from": other_wallet.address, "to": usdc, "data": data}
    await other_wallet.receipt(await other_wallet.send_transaction(gift))
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"{BUTTON}.startsWith('Not enough ETH for the network') && !usable('#go')")
    assert wallet.orders() == []


async def test_funds_that_leave_meanwhile_stop_it(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """Between the look at the balance and the button they were spent elsewhere."""
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=1")
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")
    wallet.answers["eth_getBalance"] = always(hex(10**17))
    await page.click("#go")
    await page.see("Nothing was sent")
    assert wallet.orders() == []


async def test_what_the_chain_would_revert_is_not_sent(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    diamond = portal_service.sandbox.evm_chains[0].contracts["diamond"].lower()
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=1")
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")
    ask = wallet.rpc

    async def reverting(params: list[Any]) -> Any:
        if str(params[0].get("to", "")).lower() == diamond:
            # Half of the value that the call carries.
            return await ask("eth_call", {**params[0], "value": "0x1"}, *params[1:])
        return await ask("eth_call", *params)

    wallet.answers["eth_call"] = reverting
    await page.click("#go")
    await page.see("The chain would revert this transaction now")
    assert wallet.orders() == []


async def test_a_wallet_that_lies_about_its_chain_sends_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    here, there = portal_service.sandbox.evm_chains
    wallet.chain_id = there.id
    wallet.answers["eth_chainId"] = always(hex(here.id))
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"!{BUTTON}.startsWith('Looking for')")
    await page.evaluate("deep('form').requestSubmit()")
    await page.until(f"!{BUTTON}.startsWith('Confirm')")
    assert wallet.orders() == []


@pytest.mark.parametrize("slippage", ["15", "8"])
async def test_a_loss_of_a_tenth_takes_a_deliberate_yes(
    page: Page, portal_service: PortalService, wallet: TestWallet, slippage: str
) -> None:
    """The least that may arrive counts: a slippage of 15 % may lose as much."""
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await page.click("#settings summary")
    await page.fill("#slippage", slippage)
    if slippage == "8":
        await send(page)
        await page.see("USDC arrived")
        return
    await page.until(f"{BUTTON} === 'Confirm the loss first' && !usable('#go')")
    await page.evaluate("deep('form').requestSubmit()")
    assert "up to 15" in await page.text("#loss")
    assert wallet.orders() == []
    await page.click("#agree")
    await send(page)
    await page.see("USDC arrived")
    assert len(wallet.orders()) == 1


async def test_a_price_impact_that_only_the_transaction_tells_is_asked_about(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await changed_steps(page, "{priceImpact: '0.1156'}")
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You lose 11.56%")
    await page.until(f"{BUTTON} === 'Confirm the loss first'")
    assert wallet.orders() == []
    await page.click("#agree")
    await send(page)
    await page.see("USDC arrived")


async def test_a_yes_to_one_loss_is_none_to_a_greater_one(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await changed_steps(page, "{priceImpact: window.impact ?? '0.1156'}")
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You lose 11.56%")
    await page.evaluate("window.impact = '0.3'")
    await page.click("#agree")
    await send(page)
    await page.see("You lose 30%")
    await page.until(f"{BUTTON} === 'Confirm the loss first'")
    assert wallet.orders() == []


@pytest.mark.parametrize("fault", ["funds", "run"])
async def test_a_batch_that_the_chain_would_revert_is_not_sent(
    page: Page, portal_service: PortalService, wallet: TestWallet, fault: str
) -> None:
    """A wallet that makes one transaction of several is asked for none: the tokens are gone, or the run has failed."""
    usdc = portal_service.sandbox.evm_chains[0].tokens["USDC"].address.lower()

    async def little(params: list[Any]) -> Any:
        return hex(1) if params[0]["to"].lower() == usdc else await wallet.rpc("eth_call", *params)

    wallet.answers["wallet_getCapabilities"] = always({hex(wallet.chain_id): {"atomic": {"status": "supported"}}})
    failed = "{estimate: {...step.estimate, simulation: {executionStatus: 'REVERTED', reason: 'too late'}}}"
    await changed_steps(page, failed if fault == "run" else "{}")
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"{BUTTON} === 'Approve and swap'")
    if fault == "funds":
        wallet.answers["eth_call"] = little
    await send(page)
    await page.see(
        "Your wallet has less than 100 USDC" if fault == "funds" else "The chain would revert this transaction"
    )
    assert wallet.orders() == []


async def test_a_refusal_in_the_wallet_moves_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You declined in the wallet. Nothing was sent")
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")
    await page.click("#history")
    await page.see("Nothing yet")


async def test_without_a_wallet_the_page_says_so(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?amount=5")
    await routes(page)
    await page.click("#go")
    await page.see("No wallet for EVM chains has announced itself")
    await page.press("Escape", 27)
    await page.until("!deep('#wallet-dialog')")
