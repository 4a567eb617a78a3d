"""Swaps and transfers from Solana by wallets of the Wallet Standard, in a real Chromium."""

import json
from base64 import b64encode

import pytest
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import ID as SYSTEM
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from rhumbline.gateways.http.client import HttpClient
from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap.solana_wallet import SolanaTestWallet, solana_wallet
from tests.portal.swap_box import BUTTON, changed_steps, connect, opened, quoted, send
from tests.portal.wallet import TestWallet


@pytest.mark.parametrize("feature", ["solana:signAndSendTransaction", "solana:signTransaction"])
async def test_a_swap_on_solana(page: Page, portal_service: PortalService, http: HttpClient, feature: str) -> None:
    """A wallet that sends, and one that only signs: the page sends for it, to the chain's public node."""
    wallet = solana_wallet(portal_service, http)
    wallet.features = (feature,)
    await wallet.into(page)
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1.5")
    await send(page)
    await page.see("USDC arrived")
    assert wallet.seen == ["send" if feature.endswith("SendTransaction") else "sign"]


async def test_a_priority_is_chosen_where_it_is_paid_from_solana(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet
) -> None:
    """The route and its step are asked for with it: the transaction that is signed has its place in the queue."""
    await page.begin_with(ASKED)
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1.5")
    await page.click("#settings summary")
    await page.click("[data-priority='high']")
    await page.until("deep('[data-priority=high]').ariaPressed === 'true' && asked.at(-1).priority === 'high'")
    await page.until("!!deep('#routes')")
    await send(page)
    await page.see("USDC arrived")
    steps = await page.evaluate(
        "asked.filter(each => each.step).map(each => each.step.execution.quoteRequest.priority)"
    )
    assert set(steps) == {"high"}


async def test_a_priority_is_not_offered_elsewhere(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?amount=500")
    await page.click("#settings summary")
    assert not await page.evaluate("!!deep('#priority')")


async def test_a_transfer_from_solana_wants_a_receiver(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, other_wallet: TestWallet
) -> None:
    there = portal_service.sandbox.evm_chains[0].name
    await opened(page, portal_service, "?from=SOLANA:USDC&to=HERE:USDC&amount=25")
    assert await page.text("#go") == f"Enter a receiver on {there}"
    assert "an address on Sandbox A" in await page.text("label[for=receiver]")
    await page.fill("#receiver", solana.wallet.address)
    await page.see("An EVM address has 0x and 40 hexadecimal digits")
    assert not any("/v1/advanced" in url for url in page.requests)
    await page.fill("#receiver", other_wallet.address)
    await connect(page)
    await send(page)
    await page.see(f"USDC arrived on {there}")


async def test_a_wallet_of_another_type_is_not_asked(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1")
    await page.until(f"{BUTTON} === 'Connect a wallet for Sandbox Solana'")


async def test_an_empty_wallet_on_solana_is_told_so(
    page: Page, portal_service: PortalService, http: HttpClient
) -> None:
    wallet = solana_wallet(portal_service, http, str(Keypair()))
    await wallet.into(page)
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1")
    await page.until(f"{BUTTON} === 'Not enough SOL'")
    assert wallet.seen == []


ASKED = """(() => {
  window.asked = [];
  const plain = window.fetch;
  window.fetch = (url, options) => {
    if (String(url).includes('/v1/advanced')) asked.push(JSON.parse(options.body));
    return plain(url, options);
  };
})();"""
"""Keeps the bodies of what the page asks for."""


def paying(wallet: SolanaTestWallet, lamports: int) -> str:
    """A whole transaction that pays a stranger."""
    owner = wallet.wallet.key.pubkey()
    payment = transfer(TransferParams(from_pubkey=owner, to_pubkey=Pubkey.new_unique(), lamports=lamports))
    message = MessageV0.try_compile(owner, [payment], [], Hash.default())
    unsigned = VersionedTransaction.populate(message, [Signature.default()])
    return b64encode(bytes(unsigned)).decode()


@at_a_size
async def test_a_transaction_that_does_something_else_is_not_signed(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, size: tuple[int, int]
) -> None:
    """The answer's transaction pays a stranger more than was agreed."""
    await page.look(*size)
    bad = json.dumps({"to": str(SYSTEM), "value": "0", "data": paying(solana, 2_000_000_000)})
    await changed_steps(page, f"{{transactionRequest: {bad}}}")
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1.5")
    await send(page)
    await page.see("The answer's transaction is not what you agreed to: it pays more than was agreed")
    assert solana.seen == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("{priceImpact: '0.1156'}", "You lose 11.56%"),
        (
            "{estimate: {...step.estimate, simulation: {executionStatus: 'REVERTED', reason: 'slippage'}}}",
            "The chain would refuse this transaction now (slippage)",
        ),
        ("{warnings: [{code: 'SOLANA_INSUFFICIENT_BALANCE', message: ''}]}", "Your wallet has too little for this"),
    ],
    ids=["loss", "run", "rent"],
)
async def test_what_the_chain_would_refuse_or_what_loses_a_tenth_is_not_signed(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet, changes: str, words: str
) -> None:
    await changed_steps(page, changes)
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1.5")
    await send(page)
    await page.see(words)
    assert solana.seen == []
    if "Impact" in changes:
        await page.until(f"{BUTTON} === 'Confirm the loss first'")
        await page.click("#agree")
        await send(page)
        await page.see("USDC arrived")


async def test_a_solana_wallet_that_declines_or_gives_no_clear_answer(
    page: Page, portal_service: PortalService, solana: SolanaTestWallet
) -> None:
    """Declined, nothing was sent; sent without an answer, it is found."""
    solana.refuses = "User rejected the request."
    await quoted(page, portal_service, "?from=SOLANA:SOL&to=SOLANA:USDC&amount=1.25")
    await send(page)
    await page.see("User rejected the request.")
    await page.until("!deep('.progress')")
    solana.refuses, solana.silent = "", True
    await send(page)
    await page.see("The wallet gave no clear answer (it timed out)")
    await page.see("USDC arrived")
    assert solana.seen == ["send", "send"]
