"""Swaps and transfers from Solana by wallets of the Wallet Standard, in a real Chromium."""

import aiohttp
import pytest
from solders.keypair import Keypair

from rhumbline.devnet.svm.wallet import SvmClient
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.svm.rpc import SvmRpc
from tests.portal.chromium import Page
from tests.portal.solana_wallet import SolanaTestWallet
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import connect, opened, routes, send


def solana_wallet(
    portal_service: PortalService, session: aiohttp.ClientSession, key: str | None = None
) -> SolanaTestWallet:
    sandbox = portal_service.sandbox
    (chain,) = [each for each in sandbox.chains if each.type is ChainType.SVM]
    funded = next(each for each in sandbox.accounts if each.type is ChainType.SVM)
    client = SvmClient(SvmRpc(chain.rpc_url, session, chain.key, 60.0))
    return SolanaTestWallet(client.wallet(key or funded.private_key))


def solana_id(portal_service: PortalService) -> int:
    return next(chain.id for chain in portal_service.sandbox.chains if chain.type is ChainType.SVM)


@pytest.mark.parametrize("feature", ["solana:signAndSendTransaction", "solana:signTransaction"])
async def test_a_swap_on_solana(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, feature: str
) -> None:
    """A wallet that sends, and one that only signs: the page sends for it, to the chain's public node."""
    wallet = solana_wallet(portal_service, session)
    wallet.features = (feature,)
    await wallet.into(page)
    chain = solana_id(portal_service)
    await opened(page, portal_service.base_url, f"?from={chain}:SOL&to={chain}:USDC&amount=1.5")
    await connect(page)
    await routes(page)
    await send(page)
    await page.see("USDC arrived", 40)
    assert wallet.seen == ["send" if feature.endswith("SendTransaction") else "sign"]


async def test_a_transfer_from_solana_wants_a_receiver(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = solana_wallet(portal_service, session)
    await wallet.into(page)
    there = portal_service.sandbox.evm_chains[0]
    chain = solana_id(portal_service)
    await opened(page, portal_service.base_url, f"?from={chain}:USDC&to={there.id}:USDC&amount=25")
    assert await page.text("#go") == f"Enter a receiver on {there.name}"
    assert "an address on Sandbox A" in await page.text("label[for=receiver]")
    await page.fill("#receiver", wallet.wallet.address)
    await page.see("An EVM address has 0x and 40 hexadecimal digits")
    assert not any("/v1/advanced" in url for url in page.requests)
    await page.fill("#receiver", wallet_of(portal_service, session, OWNER + 2).address)
    await connect(page)
    await send(page)
    await page.see(f"USDC arrived on {there.name}", 60)


async def test_a_wallet_of_another_type_is_not_asked(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    await wallet_of(portal_service, session, OWNER + 2).into(page)
    chain = solana_id(portal_service)
    await opened(page, portal_service.base_url, f"?from={chain}:SOL&to={chain}:USDC&amount=1")
    await connect(page)
    await page.until("deep('#go').textContent === 'Connect a wallet for Sandbox Solana'", 30)


async def test_an_empty_wallet_on_solana_is_told_so(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    wallet = solana_wallet(portal_service, session, str(Keypair()))
    await wallet.into(page)
    chain = solana_id(portal_service)
    await opened(page, portal_service.base_url, f"?from={chain}:SOL&to={chain}:USDC&amount=1")
    await connect(page)
    await page.until("deep('#go').textContent === 'Not enough SOL'", 30)
    assert wallet.seen == []
