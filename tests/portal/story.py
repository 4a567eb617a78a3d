"""The story of an integrator, told in a browser: sign in, register, a wallet, a key, two swaps, what comes of them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import aiohttp
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.evm.accounts import sandbox_account
from tests.portal.chromium import PATIENCE_S, Browser, Page
from tests.portal.stack import PortalService
from tests.portal.swap_box import choose, connect, hashes, opened, routes, send
from tests.portal.wallet import TestWallet

NAME = "Compass"
OWNER, SWAPPER, FEE_WALLET = 3, 4, 62
Shot = Callable[[Page, str], Awaitable[None]]


async def unseen(page: Page, name: str) -> None:
    """Take no picture."""


@dataclass
class StoryRecords:
    owner: Page
    visitor: Page
    owner_wallet: TestWallet
    visitor_wallet: TestWallet
    key: str
    key_swap: str
    front_swap: str
    front_transfer: str
    key_transfer: str
    engine: AsyncEngine


def wallet_of(portal_service: PortalService, session: aiohttp.ClientSession, account: int) -> TestWallet:
    rpc_urls = {chain.id: chain.rpc_url for chain in portal_service.sandbox.evm_chains}
    return TestWallet(sandbox_account(account).private_key, rpc_urls, session, portal_service.sandbox.evm_chains[0].id)


async def sign_in(page: Page, base_url: str) -> None:
    await page.goto(f"{base_url}/portal")
    await page.click("#sign-in")
    await page.follow("#wallet-list button")
    await page.see("Your integrators")


async def register(page: Page, name: str) -> None:
    await page.fill("#name", name)
    await page.follow("form[action='/portal/integrators'] button")
    await page.see("Fee wallets")


async def set_wallet(page: Page, base_url: str, name: str, address: str, shot: Shot = unseen) -> None:
    await page.goto(f"{base_url}/portal/i/{name}/wallets")
    await page.fill("#address-EVM", address)
    await page.follow("#address-EVM ~ button, form:has(#address-EVM) button")
    await page.see("Sign it only if it says what you mean")
    await shot(page, "fee-wallet")
    await page.click("#sign-form button")
    await page.follow("#wallet-list button")
    await page.see("straight to these wallets")


async def new_key(page: Page, base_url: str, name: str) -> str:
    await page.goto(f"{base_url}/portal/i/{name}/keys")
    await page.follow(f"form[action='/portal/i/{name}/keys'] button")
    await page.see("shown this once")
    return (await page.text("#key")).strip()


async def swap_with_key(
    portal_service: PortalService, session: aiohttp.ClientSession, key: str, wallet: TestWallet
) -> str:
    """Swap 250 USDC with a fee."""
    chain = portal_service.sandbox.evm_chains[0]
    wanted = {"destinationChainId": str(chain.id), "destinationCurrency": chain.tokens["WETH"].address}
    return await sent_with_key(portal_service, session, key, wallet, 250_000_000, wanted)


async def transfer_that_fails(
    portal_service: PortalService, session: aiohttp.ClientSession, key: str, wallet: TestWallet
) -> str:
    """Send 300 USDC to the other chain, with a fee, by a bridge that gives them back."""
    there = portal_service.sandbox.evm_chains[1]
    wanted = {"destinationChainId": str(there.id), "destinationCurrency": there.tokens["USDC"].address}
    await portal_service.tell(session, "RELAY", outcome="refund")
    return await sent_with_key(portal_service, session, key, wallet, 300_000_000, {**wanted, "includeBridges": "RELAY"})


async def sent_with_key(
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    key: str,
    wallet: TestWallet,
    amount: int,
    wanted: Mapping[str, str],
) -> str:
    """Ask with the key and a fee as an integrator's server would, sign, send; answer the transaction's hash."""
    chain = portal_service.sandbox.evm_chains[0]
    usdc = chain.tokens["USDC"].address
    asked = {
        "senderAddress": wallet.address,
        "originChainId": str(chain.id),
        "originCurrency": usdc,
        "amount": str(amount),
        "integrator": NAME,
        "fee": "0.01",
        **wanted,
    }
    async with session.get(
        f"{portal_service.base_url}/v1/quotes", params=asked, headers={"x-api-key": key}
    ) as response:
        quote = await response.json()
        assert response.status == 200, quote
    spender = quote["approvalAddress"][2:].lower().rjust(64, "0")
    approval = {"from": wallet.address, "to": usdc, "data": f"0x095ea7b3{spender}{amount:064x}"}
    await wallet.receipt(await wallet.send_transaction(approval))
    sent: str = await wallet.send_transaction(
        {"from": wallet.address, **quote["calldata"], "gas": quote["gas"]["gasLimit"]}
    )
    await wallet.receipt(sent)
    return sent


async def swap_on_front_page(page: Page, portal_service: PortalService, wallet: TestWallet, shot: Shot = unseen) -> str:
    """Quote without a wallet, connect one, swap; answer the transaction's hash."""
    await opened(page, portal_service, f"?integrator={NAME}")
    await choose(page, "pay", "USDC")
    await choose(page, "get", "WETH")
    await page.fill("#amount", "1234.56")
    await routes(page)
    await shot(page, "front-quote")
    await connect(page)
    await send(page)
    await page.see("tracking ID is")
    await page.see("WETH arrived")
    await shot(page, "front-swap")
    sent = (await hashes(page))[1]
    await wallet.receipt(sent)
    return sent


async def transfer_on_front_page(
    page: Page, portal_service: PortalService, wallet: TestWallet, shot: Shot = unseen
) -> str:
    """Send 800 USDC to the other chain and wait until they have arrived; answer the transaction's hash."""
    await opened(page, portal_service, f"?integrator={NAME}&from=HERE:USDC&to=THERE:USDC&amount=800")
    await send(page)
    await page.see("USDC arrived on Sandbox B")
    await shot(page, "front-transfer")
    sent = (await hashes(page))[1]
    await wallet.receipt(sent)
    return sent


async def told(
    portal_service: PortalService, browser: Browser, session: aiohttp.ClientSession, shot: Shot = unseen
) -> StoryRecords:
    """Tell the story up to where both swaps and both transfers are listed in the portal, as they ended."""
    base_url = portal_service.base_url
    owner, visitor = await browser.page(), await browser.page()
    owner_wallet, visitor_wallet = (
        wallet_of(portal_service, session, OWNER),
        wallet_of(portal_service, session, SWAPPER),
    )
    await owner_wallet.into(owner)
    await visitor_wallet.into(visitor)
    await owner.goto(f"{base_url}/portal")
    await shot(owner, "sign-in")
    await sign_in(owner, base_url)
    await register(owner, NAME)
    await set_wallet(owner, base_url, NAME, sandbox_account(FEE_WALLET).address.lower(), shot)
    key = await new_key(owner, base_url, NAME)
    key_swap = await swap_with_key(portal_service, session, key, visitor_wallet)
    front_swap = await swap_on_front_page(visitor, portal_service, visitor_wallet, shot)
    front_transfer = await transfer_on_front_page(visitor, portal_service, visitor_wallet, shot)
    key_transfer = await transfer_that_fails(portal_service, session, key, visitor_wallet)
    for sent, status in (
        (key_swap, "success"),
        (front_swap, "success"),
        (front_transfer, "success"),
        (key_transfer, "refunded"),
    ):
        await listed(owner, base_url, sent, status)
    await portal_service.tell(session, "RELAY")
    return StoryRecords(
        owner,
        visitor,
        owner_wallet,
        visitor_wallet,
        key,
        key_swap,
        front_swap,
        front_transfer,
        key_transfer,
        portal_service.engine,
    )


async def listed(page: Page, base_url: str, tx_hash: str, status: str) -> None:
    """Reload the portal's list until a transaction is in it, complete, with this status."""
    row, found = f"document.querySelector('td[title=\"{tx_hash}\"]')?.parentElement.innerText", "…\t"
    async with asyncio.timeout(PATIENCE_S):
        while "…\t" in found or status not in found:
            await page.goto(f"{base_url}/portal/i/{NAME}/transactions")
            found = await page.evaluate(row) or "…\t"
