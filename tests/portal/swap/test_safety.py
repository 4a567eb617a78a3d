"""No wallet is led into what the chain reverts, and no loss of a tenth happens without a deliberate yes."""

from typing import Any

import aiohttp
import pytest

from rhumbline.devnet.evm.accounts import EMPTY
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import changed_steps, connect, opened, routes, send
from tests.portal.wallet import TestWallet

ENTER = ("Enter", 13)
BUTTON = "deep('#go').textContent"


def sent_by(wallet: TestWallet) -> list[Any]:
    return [params for method, params in wallet.seen if method in {"eth_sendTransaction", "wallet_sendCalls"}]


async def asked_with(page: Page, portal_service: PortalService, wallet: TestWallet, query: str) -> None:
    await wallet.into(page)
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, query.replace("HERE", str(here.id)))
    await routes(page)
    await connect(page)


async def test_a_wallet_without_funds_is_told_so(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, EMPTY[0])
    await asked_with(page, portal_service, wallet, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"{BUTTON} === 'Not enough USDC' && !usable('#go')")
    await page.evaluate("deep('#amount').focus()")
    await page.press(*ENTER)
    await page.evaluate("deep('form').requestSubmit()")
    # An answer may have been asked for anew meanwhile.
    await page.until(f"{BUTTON} === 'Not enough USDC'")
    assert sent_by(wallet) == []


async def test_a_wallet_without_gas_is_told_so(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """It has the tokens, and nothing to pay the network with."""
    rich, wallet = wallet_of(portal_service, session, OWNER + 2), wallet_of(portal_service, session, EMPTY[1])
    usdc = portal_service.sandbox.evm_chains[0].tokens["USDC"].address
    data = f"0xa9059cbb{wallet.address[2:].lower().rjust(64, '0')}{100_000_000:064x}"
    await rich.receipt(await rich.send_transaction({"from": rich.address, "to": usdc, "data": data}))
    await asked_with(page, portal_service, wallet, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"{BUTTON}.startsWith('Not enough ETH for the network') && !usable('#go')")
    assert sent_by(wallet) == []


async def test_funds_that_leave_meanwhile_stop_it(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """Between the look at the balance and the button they were spent elsewhere."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=1")
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")

    async def little(params: list[Any]) -> str:
        return hex(10**17)

    wallet.answers["eth_getBalance"] = little
    await page.click("#go")
    await page.see("Nothing was sent")
    assert sent_by(wallet) == []


async def test_what_the_chain_would_revert_is_not_sent(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    diamond = portal_service.sandbox.evm_chains[0].contracts["diamond"].lower()
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=1")
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
    assert sent_by(wallet) == []


async def test_a_wallet_that_lies_about_its_chain_sends_nothing(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    here, there = portal_service.sandbox.evm_chains
    wallet = wallet_of(portal_service, session, OWNER + 2)
    wallet.chain_id = there.id

    async def lie(params: list[Any]) -> str:
        return hex(here.id)

    wallet.answers["eth_chainId"] = lie
    await asked_with(page, portal_service, wallet, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"!{BUTTON}.startsWith('Looking for')")
    await page.evaluate("deep('form').requestSubmit()")
    await page.until(f"!{BUTTON}.startsWith('Confirm')")
    assert sent_by(wallet) == []


@pytest.mark.parametrize("slippage", ["15", "8"])
async def test_a_loss_of_a_tenth_takes_a_deliberate_yes(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, slippage: str
) -> None:
    """The least that may arrive counts: a slippage of 15 % may lose as much."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await page.click("#settings summary")
    await page.fill("#slippage", slippage)
    if slippage == "8":
        await send(page)
        await page.see("USDC arrived", 30)
        return
    await page.until(f"{BUTTON} === 'Confirm the loss first' && !usable('#go')")
    await page.evaluate("deep('form').requestSubmit()")
    assert "up to 15" in await page.text("#loss")
    assert sent_by(wallet) == []
    await page.click("#agree")
    await send(page)
    await page.see("USDC arrived", 30)
    assert len(sent_by(wallet)) == 1


async def test_a_price_impact_that_only_the_transaction_tells_is_asked_about(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await changed_steps(page, "{priceImpact: '0.1156'}")
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You lose 11.56 %")
    await page.until(f"{BUTTON} === 'Confirm the loss first'")
    assert sent_by(wallet) == []
    await page.click("#agree")
    await send(page)
    await page.see("USDC arrived", 30)


async def test_a_yes_to_one_loss_is_none_to_a_greater_one(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await changed_steps(page, "{priceImpact: window.impact ?? '0.1156'}")
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You lose 11.56 %")
    await page.evaluate("window.impact = '0.3'")
    await page.click("#agree")
    await send(page)
    await page.see("You lose 30 %")
    await page.until(f"{BUTTON} === 'Confirm the loss first'")
    assert sent_by(wallet) == []


@pytest.mark.parametrize("fault", ["funds", "run"])
async def test_a_batch_that_the_chain_would_revert_is_not_sent(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, fault: str
) -> None:
    """A wallet that makes one transaction of several is asked for none: the tokens are gone, or the run has failed."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    usdc = portal_service.sandbox.evm_chains[0].tokens["USDC"].address.lower()

    async def able(_: list[Any]) -> Any:
        return {hex(wallet.chain_id): {"atomic": {"status": "supported"}}}

    async def little(params: list[Any]) -> Any:
        return hex(1) if params[0]["to"].lower() == usdc else await wallet.rpc("eth_call", *params)

    wallet.answers["wallet_getCapabilities"] = able
    failed = "{estimate: {...step.estimate, simulation: {executionStatus: 'REVERTED', reason: 'too late'}}}"
    await changed_steps(page, failed if fault == "run" else "{}")
    await asked_with(page, portal_service, wallet, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await page.until(f"{BUTTON} === 'Approve and swap'", 30)
    if fault == "funds":
        wallet.answers["eth_call"] = little
    await send(page)
    await page.see(
        "Your wallet has less than 100 USDC" if fault == "funds" else "The chain would revert this transaction"
    )
    assert sent_by(wallet) == []


async def test_a_refusal_in_the_wallet_moves_nothing(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = wallet_of(portal_service, session, OWNER + 2)
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await asked_with(page, portal_service, wallet, "?from=HERE:ETH&to=HERE:USDC&amount=0.1")
    await send(page)
    await page.see("You declined in the wallet. Nothing was sent")
    await page.until(f"{BUTTON} === 'Swap' && usable('#go')")
    await page.click("#history")
    await page.see("Nothing yet")


async def test_without_a_wallet_the_page_says_so(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service.base_url, "?amount=5")
    await routes(page)
    await page.click("#go")
    await page.see("No wallet has announced itself")
    await page.press("Escape", 27)
    await page.until("!deep('#wallet-dialog')")
