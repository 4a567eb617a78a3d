"""A contract wallet signs in to the portal in a real Chromium, on a phone and on a desktop."""

from typing import Any

import aiohttp

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size, sound
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.wallet import always
from tests.wallet_chain import wallets_on


@at_a_size
async def test_a_contract_wallet_signs_in(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, http: HttpClient, size: tuple[int, int]
) -> None:
    """By the chain that it is on: refused with another key's signature, let in with its own."""
    await page.look(*size)
    chain = portal_service.sandbox.evm_chains[0]
    there = await wallets_on(EvmRpc(chain.rpc_url, http, chain.key, 60.0), chain.id)
    signer, stranger = (wallet_of(portal_service, session, OWNER + place) for place in (2, 3))
    contract = await there.wallet(signer.private_key)
    keys = [stranger.private_key, signer.private_key]

    async def sign(params: list[Any]) -> str:
        assert params[1] == contract
        return there.bound(keys.pop(0), contract, bytes.fromhex(params[0][2:]).decode())

    signer.chain_id = chain.id
    signer.answers |= {"eth_requestAccounts": always([contract]), "personal_sign": sign}
    await signer.into(page)
    await page.goto(f"{portal_service.base_url}/portal")
    for says in (f"says the contract wallet at this address on {chain.name}", "Your integrators"):
        await page.click("#sign-in")
        await page.click("#wallet-list button")
        await page.see(says)
        await sound(page, size)
    assert await page.evaluate(f"!!document.querySelector('[title=\"eip155:{chain.id}:{contract}\"]')")
