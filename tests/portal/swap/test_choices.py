"""What is chosen beyond pair and amount, by a visitor in folded settings, or by the page around: done on the chains."""

import json
from typing import Any

import aiohttp
from solders.keypair import Keypair

from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline_client import signatures
from rhumbline_client.co_signers import co_signed
from tests.portal.chromium import Page
from tests.portal.sizes import PHONE, sound
from tests.portal.stack import PortalService, Tell
from tests.portal.swap.solana_wallet import SolanaTestWallet
from tests.portal.swap_box import BUTTON, ROUTES, connect, faults, opened, otherwise, quoted, routes, send, take
from tests.portal.wallet import TestWallet
from tests.solidity import ROOT, creation_codes

SAVINGS = ROOT / "contracts" / "test" / "support" / "Savings.sol"
REFUNDING = {"ACROSS", "NEAR_INTENTS", "RELAY"}
GIVEN = """
document.addEventListener('DOMContentLoaded', () => {
  document.querySelector('rhumbline-swap').NAME = VALUE;
});
"""
"""Sets a property of the element, as a page around it does."""


def given(name: str, value: str) -> str:
    return GIVEN.replace("NAME", name).replace("VALUE", value)


async def test_another_wallet_is_refunded(
    page: Page, portal_service: PortalService, wallet: TestWallet, other_wallet: TestWallet, relay: Tell
) -> None:
    chain = portal_service.sandbox.evm_chains[0]
    usdc = chain.tokens["USDC"].address
    await relay(outcome="refund")
    await quoted(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=130.25")
    await page.click("#settings summary")
    await page.fill("#refund-to", "0x12")
    await page.until(f"{BUTTON} === 'Check the refund address'")
    await sound(page, PHONE)
    await page.fill("#refund-to", other_wallet.address)
    await page.until(f"deepAll('#routes tbody').every((e) => {sorted(REFUNDING)}.includes(e.dataset.adapter))")
    assert "Refund to 0x" in await page.evaluate("deep('#settings summary').textContent")
    await take(page, "RELAY")
    async with HttpClient() as http:
        rpc = EvmRpc(chain.rpc_url, http, chain.key)

        async def held() -> int:
            return int.from_bytes(await rpc.eth_call(usdc, encoded("balanceOf(address)", other_wallet.address)))

        before = await held()
        await send(page)
        await page.see("back to the refund address that you named")
        # The service's own fee was taken before.
        assert await held() - before == 130_250_000 - 130_250
    assert faults(page) == []


async def test_another_wallet_is_refunded_on_solana(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, relay: Tell
) -> None:
    sandbox = portal_service.sandbox
    named = [each for each in sandbox.accounts if each.type is ChainType.SVM][6].address
    await relay(outcome="refund")
    await opened(page, portal_service, "?from=SOLANA:USDC&to=HERE:USDC&amount=20.5")
    await page.fill("#receiver", "0x" + "7e" * 20)
    await connect(page)
    await page.click("#settings summary")
    await page.fill("#refund-to", named)
    await page.until("deepAll('#routes tbody').every((e) => ['NEAR_INTENTS', 'RELAY'].includes(e.dataset.adapter))")
    await take(page, "RELAY")
    (usdc,) = [chain.tokens["USDC"].address for chain in sandbox.chains if chain.type is ChainType.SVM]
    before = await balance_of(solana.wallet.rpc, usdc, named)
    await send(page)
    await page.see("back to the refund address that you named")
    assert await balance_of(solana.wallet.rpc, usdc, named) - before == 20_500_000 - 20_500
    assert faults(page) == []


async def test_a_step_that_would_refund_somebody_else_is_not_signed(
    page: Page, portal_service: PortalService, wallet: TestWallet, other_wallet: TestWallet
) -> None:
    await page.begin_with(
        """(() => {
          const plain = window.fetch;
          window.fetch = async (url, options) => {
            const answer = await plain(url, options);
            if (!/routes|stepTransaction/.test(url)) return answer;
            const stranger = `"refundTo":"0x${'5a'.repeat(20)}"`;
            const text = (await answer.text()).replaceAll(/"refundTo":"0x\\w{40}"/g, stranger);
            return new Response(text, {status: answer.status});
          };
        })();"""
    )
    await quoted(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=131")
    await page.click("#settings summary")
    await page.fill("#refund-to", other_wallet.address)
    await page.until(f"deepAll('#routes tbody').every((e) => {sorted(REFUNDING)}.includes(e.dataset.adapter))")
    await send(page)
    await page.see("The answer is no longer the one you agreed to")
    assert wallet.hashes == []


async def test_the_pages_own_call_has_what_arrives(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    there = portal_service.sandbox.evm_chains[1]
    usdc = there.tokens["USDC"].address
    async with HttpClient() as http:
        operator = await unlocked(EvmRpc(there.rpc_url, http, there.key), "0x" + "c4" * 20, 10**19)
        savings = await operator.deploy((await creation_codes(SAVINGS))["Savings"])
        calldata = "0x" + encoded("depositAll(address,address)", usdc, wallet.address).hex()
        await page.begin_with(given("destinationCall", json.dumps({"target": savings, "calldata": calldata})))
        await quoted(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=132.5")
        assert savings in await page.evaluate("deep('#called').textContent")
        assert await routes(page) == ["ACROSS"]
        await send(page)
        await page.see("USDC arrived on Sandbox B")
        (saved,) = await operator.read(savings, encoded("saved(address,address)", usdc, wallet.address), "uint256")
    assert isinstance(saved, int)
    assert saved > 130_000_000
    assert faults(page) == []


async def test_a_sponsor_pays_the_network_and_a_tip_is_chosen(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, session: aiohttp.ClientSession
) -> None:
    """The site's sponsor signs what the service has signed that it said; the wallet spends no lamport of its own."""
    accounts = [each for each in portal_service.sandbox.accounts if each.type is ChainType.SVM]
    sponsor = Keypair.from_base58_string(accounts[5].private_key)
    async with session.get(f"{portal_service.base_url}/.well-known/jwks.json") as response:
        keys = (await response.json())["keys"]
    seen: list[dict[str, Any]] = []

    async def sign(payload: str) -> None:
        data, proof = json.loads(payload)
        body, posted = (proof[name].encode() for name in ("body", "posted"))
        signatures.verify(
            proof["method"], proof["target"], proof["status"], proof["headers"], body, keys, posted=posted
        )
        answer = json.loads(body)
        assert answer["transactionRequest"]["data"] == data
        seen.append(answer["solana"])
        await page.evaluate(f"sponsorAnswers({json.dumps(co_signed(data, sponsor))})")

    signing = (
        "(...asked) => new Promise((done) => { window.sponsorAnswers = done; sponsorSigns(JSON.stringify(asked)); })"
    )
    value = f"{{address: '{sponsor.pubkey()}', sign: {signing}}}"
    await page.bind("sponsorSigns", sign, given("sponsor", value))
    await quoted(page, portal_service, "?from=SOLANA:USDC&to=SOLANA:USDT&amount=12.5")
    assert str(sponsor.pubkey()) in await page.evaluate("deep('#sponsor').textContent")
    await page.click("#settings summary")
    await page.click("[data-tip='100000']")
    await page.until("deep('[data-tip=\"100000\"]').ariaPressed === 'true' && !!deep('#routes')")
    await sound(page, PHONE)
    rpc, both = solana.wallet.rpc, (solana.wallet.address, str(sponsor.pubkey()))
    before = [await balance_of(rpc, NATIVE_SVM, each) for each in both]
    await send(page)
    await page.see("USDT arrived")
    after = [await balance_of(rpc, NATIVE_SVM, each) for each in both]
    (terms,) = seen
    assert (terms["jitoTip"], terms["feePayer"]) == ("100000", str(sponsor.pubkey()))
    assert [now - then for now, then in zip(after, before, strict=True)] == [0, -int(terms["feePayerCost"])]


async def test_about_what_arrives_is_said_while_routes_are_late(page: Page, portal_service: PortalService) -> None:
    await otherwise(page, ROUTES, "held")
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=1500")
    await page.until("/^≈ 0[.]\\d+/.test(deep('#output').value) && deep('#output').ariaBusy === 'true'")
    about = float((await page.evaluate("deep('#output').value"))[2:])
    assert await page.evaluate("deep('#output').title") == "About: the routes are still being asked for"
    await page.evaluate("release()")
    await routes(page)
    assert abs(float(await page.evaluate("deep('#output').value")) / about - 1) < 0.02


async def test_what_is_typed_as_received_arrives(page: Page, portal_service: PortalService, wallet: TestWallet) -> None:
    chain = portal_service.sandbox.evm_chains[0]
    weth = chain.tokens["WETH"].address
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&receive=0.0213")
    async with HttpClient() as http:
        rpc = EvmRpc(chain.rpc_url, http, chain.key)

        async def held() -> int:
            return int.from_bytes(await rpc.eth_call(weth, encoded("balanceOf(address)", wallet.address)))

        before = await held()
        await send(page)
        await page.see("WETH arrived")
        assert await held() - before >= 213 * 10**14
