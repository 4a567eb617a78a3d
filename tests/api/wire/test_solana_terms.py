"""The choices for a transaction on Solana: every way they can be wrong, and that they are repeated."""

import pytest

from rhumbline.api.wire.solana_terms import parameters_of
from rhumbline.domain.solana_terms import Priority, SolanaTerms
from tests.api.api_service import SOLANA_WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import STEP, posted
from tests.api.v1.test_step_transaction import altered
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD, fault_of, faults

SPONSOR = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
ALL = {"priority": "high", "jitoTip": "10000", "feePayer": SPONSOR}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("priority", "100000001", "priority must be low, medium, high, or a number of lamports from 0 to 100000000"),
        ("priority", "urgent", "priority must be low, medium, high, or a number"),
        ("priority", "HIGH", "priority must be low"),
        ("priority", "-1", "priority must be low"),
        ("priority", "1.5", "priority must be low"),
        ("priority", "", "priority is empty: give low, medium, high, or a number of lamports, or leave it out"),
        ("jitoTip", "999", "jitoTip must be a number of lamports from 1000 to 100000000"),
        ("jitoTip", "100000001", "jitoTip must be a number of lamports from 1000 to 100000000"),
        ("jitoTip", "high", "jitoTip must be a number of lamports"),
        ("feePayer", SOLANA_WALLET, "feePayer is the sender, who pays without it: name another wallet"),
        ("feePayer", "11111111111111111111111111111111", "feePayer is an address that nobody owns"),
    ],
)
async def test_a_choice_that_is_none(client: Client, api_service: ApiService, name: str, value: str, said: str) -> None:
    assert (await fault_of(client, {**FROM_SOLANA, name: value})).startswith(said)
    assert api_service.asked == []


async def test_a_fee_payer_that_is_the_receiver(client: Client) -> None:
    query = {**FROM_SOLANA, "receiverAddress": SPONSOR, "feePayer": SPONSOR}
    assert (await fault_of(client, query)).startswith("feePayer is the receiver: name another wallet")


async def test_a_fee_payer_of_another_chain_type(client: Client) -> None:
    answer = await client.ask("/v1/quotes", {**FROM_SOLANA, "feePayer": GOOD["senderAddress"]})
    (only,) = faults(answer, 400, "WRONG_ADDRESS")
    assert only.startswith("feePayer must be a wallet on Solana")


@pytest.mark.parametrize(("name", "value"), ALL.items())
async def test_an_origin_that_is_not_solana(client: Client, name: str, value: str) -> None:
    said = f"{name} is for transactions on Solana, and the origin is Ethereum: leave it out"
    assert await fault_of(client, {**GOOD, name: value}) == said


async def test_choices_are_read_and_repeated(client: Client, api_service: ApiService) -> None:
    assert (await client.ask("/v1/quotes", {**FROM_SOLANA, **ALL})).status == 200
    assert api_service.asked[-1].solana == SolanaTerms(Priority.HIGH, 10_000, SPONSOR)
    await client.ask("/v1/quotes", {**FROM_SOLANA, "priority": "0"})
    assert api_service.asked[-1].solana == SolanaTerms(0)
    await client.ask("/v1/quotes", FROM_SOLANA)
    assert api_service.asked[-1].solana is None


@pytest.mark.parametrize("path", ["context.priority", "step.execution.quoteRequest"])
async def test_a_step_is_asked_for_with_them(client: Client, path: str) -> None:
    """In its context, else as its own quote's request repeats them: a choice is never silently lost."""
    value = "high" if path == "context.priority" else {"priority": "high"}
    (only,) = faults(await posted(client, STEP, altered(path, value)), 400, "VALIDATION_ERROR")
    name = path if path == "context.priority" else f"{path}.priority"
    assert only == f"{name} is for transactions on Solana, and the origin is Ethereum: leave it out"


def test_they_are_repeated_for_an_origin_on_solana_alone() -> None:
    assert parameters_of(SolanaTerms(Priority.LOW, 2_000, SPONSOR)) == {
        "priority": "low",
        "jitoTip": "2000",
        "feePayer": SPONSOR,
    }
    assert parameters_of(SolanaTerms(7)) == {"priority": "7", "jitoTip": None, "feePayer": None}
    assert parameters_of(None) == {}
