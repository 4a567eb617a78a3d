"""Messages that others have signed are handed out untouched, or not at all."""

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from solders.hash import Hash
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.svm.compute_budget import read_budget
from rhumbline.gateways.svm.fingerprint import sealed_fingerprint
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval
from rhumbline.gateways.svm.programs import SPL
from rhumbline.routing.fees import FEE_SKIPPED
from rhumbline.routing.svm.wallet_transaction import LEAST_TIME_S
from tests.routing.svm.quote_fixture import FRIEND, INTEGRATOR, SENDER, SERVICE, SvmQuotes, instructions_of
from tests.routing.svm.sealing_venue import OTHER, SealingVenue
from tests.routing.svm.test_bad_input import account_of

USDC = 10**6


def sealing(quotes: SvmQuotes, **changes: Any) -> SvmQuotes:
    return quotes.with_(SealingVenue(quotes.running.server.chain, **changes))


def transaction_of(answer: RouteAnswer) -> SvmTransaction:
    assert isinstance(answer.transaction, SvmTransaction)
    return answer.transaction


async def test_it_is_passed_through_untouched_and_the_foreign_signature_kept(quotes: SvmQuotes) -> None:
    answer = await sealing(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    transaction = transaction_of(answer)
    read = VersionedTransaction.from_bytes(transaction.data)
    message = to_bytes_versioned(read.message)
    signers = read.message.account_keys[:2]
    assert signers == [keypair(0).pubkey(), OTHER.pubkey()]
    assert bytes(read.signatures[0]) == bytes(64)
    assert read.signatures[1] == OTHER.sign_message(message)
    # Its own limit of units, which a run of ours would have lowered, and none of our instructions.
    assert read_budget(instructions_of(answer)).units == 150_000
    assert transaction.digest == sealed_fingerprint(message)
    # It was made on the block that was processed last, one later than the last that is confirmed.
    newest = await quotes.rpc.latest_blockhash()
    assert transaction.last_valid_block_height == newest.last_valid_block_height + 1


async def test_one_that_is_about_to_end_is_not_handed_out(quotes: SvmQuotes) -> None:
    newest = await quotes.rpc.latest_blockhash()
    soon = newest.height + ceil(LEAST_TIME_S / quotes.rpc.pace.block_s)
    with pytest.raises(AdaptersFailed) as caught:
        await sealing(quotes, ends=soon - 1).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert "expires before it could be sent" in str(caught.value.details)
    await sealing(quotes, ends=soon).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))


async def test_nobody_makes_a_wallet_believe_that_it_has_ended_while_it_may_be_executed(quotes: SvmQuotes) -> None:
    newest = await quotes.rpc.latest_blockhash()
    said_to_end = newest.last_valid_block_height - 40
    answer = await sealing(quotes, ends=said_to_end).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    told = transaction_of(answer)
    quotes.running.server.chain.advance(told.last_valid_block_height - await processed_height(quotes))
    await executed(quotes, told)
    # And when they are no longer among the blocks that are told, it may not.
    ended = transaction_of(await sealing(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC)))
    quotes.running.server.chain.advance(ended.last_valid_block_height - await processed_height(quotes) + 1)
    with pytest.raises(SvmRpcError, match="Blockhash not found"):
        await executed(quotes, ended)


async def processed_height(quotes: SvmQuotes) -> int:
    return await replace(quotes.rpc, commitment="processed").block_height()


async def executed(quotes: SvmQuotes, transaction: SvmTransaction) -> None:
    read = VersionedTransaction.from_bytes(transaction.data)
    signature = keypair(0).sign_message(to_bytes_versioned(read.message))
    await quotes.rpc.send(bytes(VersionedTransaction.populate(read.message, [signature, read.signatures[1]])))


@pytest.mark.parametrize("foreign", [True, False])
async def test_a_blockhash_that_the_chain_does_not_take(quotes: SvmQuotes, foreign: bool) -> None:
    chain = quotes.running.server.chain
    venue = SealingVenue(chain, blockhash=Hash(b"another chain's, or one made up.") if foreign else chain.blockhash())
    chain.advance(0 if foreign else 151)
    with pytest.raises(AdaptersFailed) as caught:
        await quotes.with_(venue).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert "blockhash is unknown or expired" in str(caught.value.details)


async def test_the_wallet_signs_beside_and_it_is_executed(quotes: SvmQuotes) -> None:
    answer = await sealing(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    before = await quotes.balance(SENDER, "USDT")
    await executed(quotes, transaction_of(answer))
    quotes.running.server.chain.advance()
    assert await quotes.balance(SENDER, "USDT") - before >= answer.min_output_amount


async def test_fees_are_left_out_and_it_is_said(quotes: SvmQuotes) -> None:
    fees = sealing(quotes.with_fees(SERVICE, INTEGRATOR))
    asked = quotes.ask("USDC", "USDT", 1000 * USDC, integrator="acme", fee_share=Fraction(5, 1000))
    answer = await fees.service.answer(asked)
    assert answer.charges == ()
    assert [warning.code for warning in answer.warnings] == [FEE_SKIPPED]
    assert "signed by others" in answer.warnings[0].message


async def test_a_foreign_signature_that_is_missing(quotes: SvmQuotes) -> None:
    with pytest.raises(AdaptersFailed) as caught:
        await sealing(quotes, signs=False).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert "needs another signature" in str(caught.value.details)


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (SystemTransfer(SENDER, FRIEND, 1).encode(), "pays lamports to a stranger"),
        (TokenApproval(SPL, str(account_of(SENDER, "USDC")), FRIEND, SENDER, 1).encode(), "lets a stranger take"),
        (SvmInstruction(FRIEND, (), b""), "a program that is not its own"),
    ],
)
async def test_its_instructions_are_checked_like_any_others(
    quotes: SvmQuotes, added: SvmInstruction, said: str
) -> None:
    with pytest.raises(AdaptersFailed) as caught:
        await sealing(quotes, more=(added,)).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert said in str(caught.value.details)
