"""Deposits on Solana and payments there, through the sandbox's 1Click."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.devnet.svm.plans import CHAIN_ID
from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer, decode
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.solana import PAID, WALLET, SolanaFixture

SEEN = sorted({*Lie} - {Lie.WORSE_OUTPUT, Lie.OTHER_SPENDER, Lie.MORE_VALUE})
OUT: tuple[Any, ...] = (("sbxs", "USDC"), ("sbxa", "USDC"), 250_000_000)
WAYS = [
    OUT,
    (("sbxs", "SOL"), ("sbxb", "USDC"), 2 * 10**9),
    (("sbxs", "DAI"), ("sbxa", "ETH"), 900 * 10**9),
    (("sbxa", "USDC"), ("sbxs", "USDC"), 250_000_000),
    (("sbxb", "ETH"), ("sbxs", "SOL"), 10**17),
]


@pytest_asyncio.fixture
async def solana(adapter_fixture: AdapterFixture) -> AsyncIterator[SolanaFixture]:
    yield SolanaFixture(adapter_fixture)


@pytest.mark.parametrize(("origin", "destination", "amount"), WAYS)
async def test_what_was_quoted_arrives(
    solana: SolanaFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    request = solana.request(origin, destination, amount)
    token = solana.token(destination)
    before = await solana.balance(token, request.receiver)
    transfer = await solana.crossed(request)
    status = await solana.evm.followed(transfer, TransferState.SUCCESS)
    gained = await solana.balance(token, request.receiver) - before
    assert gained == status.output_amount
    assert gained >= transfer.min_output > 0
    assert status.destination_tx_hash is not None


async def test_tokens_are_paid_into_an_account_that_the_payment_makes(solana: SolanaFixture) -> None:
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    usdc = solana.token(("sbxs", "USDC"))
    assert draft.reference is not None
    holder = associated_token_address(draft.reference, usdc.address, SPL)
    source = associated_token_address(WALLET, usdc.address, SPL)
    assert [decode(each) for each in draft.instructions] == [
        CreateTokenAccount(WALLET, holder, draft.reference, usdc.address, SPL),
        TokenTransfer(SPL, source, holder, WALLET, 250_000_000, usdc.address, 6),
    ]
    assert (draft.program, draft.programs, draft.delegate, draft.co_signers) == (SPL, frozenset(), None, ())
    assert draft.deposit is not None
    assert (draft.deposit.token, draft.deposit.least, draft.deposit.holders) == (usdc.address, 250_000_000, (holder,))
    await solana.run(draft)
    assert await solana.held(holder) == quote.request.amount


async def test_sol_is_paid_as_it_is(solana: SolanaFixture) -> None:
    request = solana.request(("sbxs", "SOL"), ("sbxa", "USDC"), 10**9)
    _, draft = await solana.drafted(await solana.evm.adapter.quote(request))
    assert draft.reference is not None
    assert [decode(each) for each in draft.instructions] == [SystemTransfer(WALLET, draft.reference, 10**9)]
    assert draft.program == SYSTEM
    assert draft.deposit is not None
    assert (draft.deposit.token, draft.deposit.holders) == (NATIVE_SVM, (draft.reference,))
    await solana.run(draft)
    assert await solana.held(draft.reference) == 10**9


async def test_less_sol_than_keeps_a_new_wallet_is_refused(solana: SolanaFixture) -> None:
    quote = await solana.evm.adapter.quote(solana.request(("sbxs", "SOL"), ("sbxa", "USDC"), 800_000))
    with pytest.raises(BelowMinimum) as refused:
        await solana.drafted(quote)
    assert refused.value.minimum == 128 * 6960


@pytest.mark.parametrize("named", [None, PAID])
async def test_a_refund_comes_back_on_solana(solana: SolanaFixture, named: str | None) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.REFUND
    usdc, request = solana.token(("sbxs", "USDC")), solana.request(*OUT, refund_to=named)
    before, other = await solana.balance(usdc, WALLET), await solana.balance(usdc, PAID)
    transfer = replace(await solana.crossed(request), refund_to=request.refund_address)
    status = await solana.evm.followed(transfer, TransferState.REFUNDED)
    gained = await solana.balance(usdc, WALLET) - before, await solana.balance(usdc, PAID) - other
    assert gained == ((0, 0) if named is None else (-request.amount, request.amount))
    assert status.refund_tx_hash is not None
    refund = await solana.node.rpc.transaction(status.refund_tx_hash)
    assert refund is not None


@pytest.mark.parametrize("lie", SEEN)
async def test_lies_about_the_quote_are_refused(solana: SolanaFixture, lie: Lie) -> None:
    quote = await solana.evm.adapter.quote(solana.request(*OUT))
    solana.evm.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await solana.drafted(quote)


@pytest.mark.parametrize("lie", [Lie.OTHER_RECEIVER, Lie.OTHER_TOKEN, Lie.OTHER_AMOUNT, Lie.NO_MINIMUM])
async def test_lies_about_what_arrives_on_solana_are_refused(solana: SolanaFixture, lie: Lie) -> None:
    quote = await solana.evm.adapter.quote(solana.request(("sbxa", "USDC"), ("sbxs", "USDC"), 250_000_000))
    solana.evm.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await solana.evm.built(quote)


def test_what_is_not_supported(solana: SolanaFixture) -> None:
    supports = solana.evm.adapter.supports
    plain = solana.request(*OUT)
    assert supports(plain)
    assert not supports(replace(plain, taker=PAID))
    assert not supports(replace(plain, receiver=PAID, payout_address=PAID))
    assert not supports(replace(plain, sender=RECEIVER, taker=RECEIVER))
    assert not supports(solana.request(("sbxs", "TAX"), ("sbxa", "USDC"), 10**9))
    assert not supports(solana.request(("sbxs", "WSOL"), ("sbxa", "USDC"), 10**9))
    alone = replace(plain.origin, id=CHAIN_ID + 1)
    assert not supports(replace(plain, origin=alone))
