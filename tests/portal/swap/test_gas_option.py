"""Gas on arrival as a visitor asks for it: one more line, and native money on the other chain."""

import pytest

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from tests.portal.chromium import Page
from tests.portal.sizes import sound
from tests.portal.stack import PortalService
from tests.portal.swap.solana_wallet import SolanaTestWallet
from tests.portal.swap_box import changed_steps, connect, faults, opened, quoted, routes, send
from tests.portal.wallet import TestWallet


async def test_a_little_native_money_comes_with_the_transfer(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    there = portal_service.sandbox.evm_chains[1]
    await quoted(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=140.5")
    assert "RELAY" in await routes(page)
    assert await page.evaluate("deep('#gas').checked") is False
    await page.click("#gas")
    bringing = "ACROSS,MAYAN,MAYAN_SWIFT,RELAY"
    await page.until(f"deepAll('#routes tbody').map((e) => e.dataset.adapter).sort().join() === '{bringing}'")
    await page.click("tbody[data-adapter=ACROSS] .open")
    await page.until("!!deep('.fees')")
    assert "Gas on arrival, yours there" in await page.evaluate("deep('.fees').textContent")
    await sound(page)
    async with HttpClient() as http:
        rpc = EvmRpc(there.rpc_url, http, there.key)
        before = quantity(await rpc.call("eth_getBalance", [wallet.address, "latest"]))
        await send(page)
        await page.see("USDC arrived on Sandbox B")
        gained = quantity(await rpc.call("eth_getBalance", [wallet.address, "latest"])) - before
    assert gained > 0
    assert faults(page) == []


async def test_it_is_offered_only_where_it_makes_sense(page: Page, portal_service: PortalService) -> None:
    for query, offered in (
        ("?from=HERE:USDC&to=THERE:USDC", True),
        ("?from=HERE:USDC&to=THERE:ETH", False),
        ("?from=HERE:USDC&to=SOLANA:USDC", False),
    ):
        await opened(page, portal_service, query)
        assert await page.evaluate("!!deep('#gas')") is offered, query


@pytest.mark.parametrize("changes", ["{}", "{destinationGas: {...step.destinationGas, minAmount: '1'}}"])
async def test_it_comes_from_solana_too(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, changes: str
) -> None:
    """A step that brings less than its route has promised is not signed."""
    there, receiver = portal_service.sandbox.evm_chains[1], "0x" + "9a" * 20
    await changed_steps(page, changes)
    await opened(page, portal_service, "?from=SOLANA:USDC&to=THERE:USDC&amount=140.5")
    await page.fill("#receiver", receiver)
    await connect(page)
    await page.click("#gas")
    bringing = "MAYAN,MAYAN_SWIFT,RELAY"
    await page.until(f"deepAll('#routes tbody').map((e) => e.dataset.adapter).sort().join() === '{bringing}'")
    await send(page)
    if changes != "{}":
        await page.see("The answer is no longer the one you agreed to")
        assert solana.seen == []
        return
    await page.see("USDC arrived on Sandbox B")
    async with HttpClient() as http:
        rpc = EvmRpc(there.rpc_url, http, there.key)
        assert quantity(await rpc.call("eth_getBalance", [receiver, "latest"])) > 0
    assert faults(page) == []
