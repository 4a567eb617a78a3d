"""What a draft may say beside its instructions: who signs with the wallet, when it ends, what it may use."""

from typing import Any

import pytest
from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, read_budget
from rhumbline.gateways.svm.signatures import with_unit_limit
from rhumbline.routing.svm.wallet_transaction import LEAST_TIME_S
from tests.routing.svm.quote_fixture import POOR, SENDER, SvmQuotes, instructions_of
from tests.routing.svm.sealing_venue import OTHER, ChangedVenue

USDC = 10**6


def changed(quotes: SvmQuotes, co_signer: Keypair | None = None, **changes: Any) -> SvmQuotes:
    return quotes.with_(ChangedVenue(quotes.running.server.chain, changes=tuple(changes.items()), co_signer=co_signer))


async def answer_of(quotes: SvmQuotes, **changes: Any) -> RouteAnswer:
    return await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **changes))


def read(answer: RouteAnswer) -> VersionedTransaction:
    assert isinstance(answer.transaction, SvmTransaction)
    return VersionedTransaction.from_bytes(answer.transaction.data)


async def test_keys_made_up_for_it_have_signed_what_is_handed_out(quotes: SvmQuotes) -> None:
    answer = await answer_of(changed(quotes, OTHER, co_signers=(bytes(OTHER),)))
    transaction = read(answer)
    message = to_bytes_versioned(transaction.message)
    # Signed anew with the limit of units that the run showed.
    assert transaction.signatures[1] == OTHER.sign_message(message)
    own = keypair(0).sign_message(message)
    signed = VersionedTransaction.populate(transaction.message, [own, transaction.signatures[1]])
    await quotes.rpc.send(bytes(signed))


async def test_a_signer_whose_key_nobody_has(quotes: SvmQuotes) -> None:
    with pytest.raises(AdaptersFailed) as caught:
        await answer_of(changed(quotes, OTHER))
    assert "needs another signature" in str(caught.value.details)


@pytest.mark.parametrize("secret", [bytes(OTHER), b"short"])
async def test_a_key_that_signs_nothing(quotes: SvmQuotes, secret: bytes) -> None:
    with pytest.raises(AdaptersFailed):
        await answer_of(changed(quotes, co_signers=(secret,)))


async def test_what_ends_before_it_could_be_sent(quotes: SvmQuotes) -> None:
    now = int(system_clock().timestamp())
    with pytest.raises(AdaptersFailed) as caught:
        await answer_of(changed(quotes, expires_at=now + LEAST_TIME_S - 2))
    assert "expires before it could be sent" in str(caught.value.details)
    await answer_of(changed(quotes, expires_at=now + LEAST_TIME_S + 30))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"chain_id": 1}, "for another chain"),
        ({"input_taken": 2000 * USDC}, "takes another amount"),
        ({"input_taken": 0}, "takes another amount"),
        ({"heap_frame": 1}, "a compute budget that is none"),
        ({"instructions": ()}, "does nothing"),
        ({"tables": (SENDER,)}, "a lookup table that is none"),
    ],
)
async def test_terms_that_cannot_be(quotes: SvmQuotes, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(AdaptersFailed) as caught:
        await answer_of(changed(quotes, **changes))
    assert said in str(caught.value.details)


@pytest.mark.parametrize(("told", "limit"), [(100_000, 140_000), (None, 600_000), (MOST_UNITS, MOST_UNITS)])
async def test_a_run_that_shows_nothing_leaves_what_the_upstream_reckons_with(
    quotes: SvmQuotes, told: int | None, limit: int
) -> None:
    answer = await answer_of(changed(quotes, compute_limit=told), sender=POOR)
    assert read_budget(instructions_of(answer)).units == limit


async def test_another_limit_changes_nothing_else_of_the_message(quotes: SvmQuotes) -> None:
    answer = await answer_of(changed(quotes))
    assert isinstance(answer.transaction, SvmTransaction)
    data = answer.transaction.data
    other = with_unit_limit(data, 777_777, ())
    units = bytes(VersionedTransaction.from_bytes(data).message.instructions[0].data)
    again = b"\x02" + (777_777).to_bytes(4, "little")
    assert data.count(units) == 1
    assert other == data.replace(units, again)
