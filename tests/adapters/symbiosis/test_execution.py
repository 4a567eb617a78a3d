"""What is locked in the sandbox's portal arrives on the other chain, or goes back to the wallet."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import AdapterError, BelowMinimum
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.deposits import expect_deposit_seen

PAIRS = [
    (("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (("sbxb", "USDT"), ("sbxa", "DAI"), 900_000_000),
    (("sbxa", "ETH"), ("sbxb", "ETH"), 10**17),
    (("sbxa", "WETH"), ("sbxb", "ETH"), 10**17),
    (("sbxb", "ETH"), ("sbxa", "WETH"), 10**17),
]
ASKED = (("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    request = adapter_fixture.request(origin, destination, amount)
    arrived = await adapter_fixture.delivered(request)
    told = arrived.status.output_amount, arrived.status.output_token
    assert told == (arrived.gained, request.destination_token.address)


async def test_whoever_calls_pays_and_the_wallet_is_refunded(adapter_fixture: AdapterFixture) -> None:
    """The Executor's form: another account makes the call, what is turned back goes to the wallet."""
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    asked = adapter_fixture.request(*ASKED, direct=False)
    quote, built = await adapter_fixture.quoted(asked)
    assert built.spender is not None
    caller = adapter_fixture.others[0]
    approve = adapter_fixture.approval(built.spender, asked.amount)
    await adapter_fixture.send("sbxa", asked.origin_token.address, approve, sender=caller)
    before = await adapter_fixture.balance(asked.origin_token, adapter_fixture.account)
    tx_hash = await adapter_fixture.send("sbxa", built.to, built.data, built.value, sender=caller)
    status = await adapter_fixture.followed(adapter_fixture.begun(quote, built, tx_hash), TransferState.REFUNDED)
    assert await adapter_fixture.balance(asked.origin_token, adapter_fixture.account) == before + asked.amount
    assert status.refund_tx_hash not in (None, tx_hash)


async def test_a_failure_is_stuck(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUND_PENDING)


async def test_a_transaction_that_is_not_indexed_is_pending(adapter_fixture: AdapterFixture) -> None:
    """Any other transaction is called a success of itself."""
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    tx_hash = await adapter_fixture.send("sbxa", RECEIVER, b"", 1)
    status = await adapter_fixture.adapter.status(adapter_fixture.begun(quote, built, tx_hash))
    assert (status.state, status.substatus) == (TransferState.BRIDGE_PENDING, "success")


async def test_the_entry_takes_nothing_that_its_gateway_was_not_allowed(adapter_fixture: AdapterFixture) -> None:
    _, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    with pytest.raises(RpcError):
        await adapter_fixture.send("sbxa", built.to, built.data)
    assert built.spender not in (None, built.to)


async def test_less_than_the_fees_is_below_the_minimum(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(BelowMinimum):
        await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED[:2], 100_000))


@pytest.mark.parametrize("lie", sorted(Lie))
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    assert lie in adapter_fixture.emulator.lies
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await adapter_fixture.built(quote)


async def test_a_minimum_is_met_to_the_unit(adapter_fixture: AdapterFixture) -> None:
    """Whatever minimum is set, the call promises it: the service's own rounding and fees notwithstanding."""
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    for share in (996_000, 993_217, 950_001):
        bound = replace(quote, min_output_amount=quote.output_amount * share // 1_000_000)
        _, built = await adapter_fixture.built(bound)
        assert built.data


async def test_a_lie_about_ether_is_refused(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**17))
    adapter_fixture.emulator.behaviour.lie = Lie.MORE_VALUE
    with pytest.raises(AdapterError):
        await adapter_fixture.built(replace(quote, min_output_amount=1))


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
async def test_a_run_shows_the_lock(
    adapter_fixture: AdapterFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    deposit = await expect_deposit_seen(adapter_fixture, adapter_fixture.request(origin, destination, amount))
    given = "WETH" if origin[1] == "ETH" else origin[1]
    assert deposit.token == adapter_fixture.tokens[origin[0], given].address
