"""Messages that others have signed are handed out untouched, or not at all."""

from fractions import Fraction
from typing import Any

import pytest
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.compute_budget import read_budget
from rhumbline.gateways.svm.fingerprint import sealed_fingerprint
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval
from rhumbline.gateways.svm.programs import SPL
from rhumbline.routing.fees import FEE_SKIPPED
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
    newest = await quotes.rpc.latest_blockhash()
    assert transaction.last_valid_block_height == newest.last_valid_block_height


async def test_one_that_is_about_to_end_is_not_handed_out(quotes: SvmQuotes) -> None:
    newest = await quotes.rpc.latest_blockhash()
    soon = newest.last_valid_block_height - 150 + 39
    with pytest.raises(AdaptersFailed) as caught:
        await sealing(quotes, ends=soon).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert "ends before it could be sent" in str(caught.value.details)
    answer = await sealing(quotes, ends=soon + 1).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert transaction_of(answer).last_valid_block_height == soon + 1


async def test_the_wallet_signs_beside_and_it_is_executed(quotes: SvmQuotes) -> None:
    answer = await sealing(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    before = await quotes.balance(SENDER, "USDT")
    read = VersionedTransaction.from_bytes(transaction_of(answer).data)
    signature = keypair(0).sign_message(to_bytes_versioned(read.message))
    signed = VersionedTransaction.populate(read.message, [signature, read.signatures[1]])
    await quotes.rpc.send(bytes(signed))
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
    assert "somebody else has to sign" in str(caught.value.details)


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
