"""Deposits with the sandbox's Relay on Solana arrive on the other chain, or come back; what it owes there is paid."""

from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.solana import PAID, WALLET, SolanaFixture
from tests.adapters.relay.svm.orders import STRANGER
from tests.adapters.svm_fixture import Executed

ONE, SOL = 10**18, 10**9
Place = tuple[str, str]
Change = Callable[[SvmInstruction], SvmInstruction]
FROM_SOLANA = [
    (("sbxs", "SOL"), ("sbxa", "ETH"), SOL),
    (("sbxs", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (("sbxs", "USDT"), ("sbxa", "DAI"), 250_000_000),
]
TO_SOLANA = [
    (("sbxa", "USDC"), ("sbxs", "USDC"), 250_000_000),
    (("sbxb", "ETH"), ("sbxs", "SOL"), ONE // 10),
    (("sbxa", "DAI"), ("sbxs", "USDT"), 250 * ONE),
]


@pytest.fixture
def solana(adapter_fixture: AdapterFixture) -> SolanaFixture:
    return SolanaFixture(adapter_fixture)


@pytest.mark.parametrize(("origin", "destination", "amount"), FROM_SOLANA)
async def test_what_was_quoted_arrives(solana: SolanaFixture, origin: Place, destination: Place, amount: int) -> None:
    token = solana.token(destination)
    before = await solana.balance(token, RECEIVER)
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(origin, destination, amount)))
    assert draft.deposit is not None
    assert (draft.deposit.token, draft.deposit.least) == (solana.token(origin).address, amount)
    (holder,) = draft.deposit.holders
    held = await solana.held(holder)
    executed = await solana.run(draft)
    assert await solana.held(holder) - held == amount
    status = await solana.evm.followed(solana.evm.begun(quote, draft, executed.signature), TransferState.SUCCESS)
    assert status.destination_tx_hash is not None
    assert status.destination_tx_hash.startswith("0x")
    assert await solana.balance(token, RECEIVER) - before == quote.output_amount >= (quote.min_output_amount or 0) > 0


@pytest.mark.parametrize(("origin", "destination", "amount"), TO_SOLANA)
async def test_it_pays_on_solana(solana: SolanaFixture, origin: Place, destination: Place, amount: int) -> None:
    token = solana.token(destination)
    before = await solana.balance(token, PAID)
    quote, built = await solana.evm.built(await solana.evm.adapter.quote(solana.request(origin, destination, amount)))
    status = await solana.evm.followed(await solana.evm.execute(quote, built), TransferState.SUCCESS)
    assert status.destination_tx_hash is not None
    assert await solana.node.stands(status.destination_tx_hash)
    # The receiver has had no account of the token before: it is made.
    assert await solana.balance(token, PAID) - before == quote.output_amount


@pytest.mark.parametrize("named", [None, PAID])
@pytest.mark.parametrize(("origin", "destination", "amount"), FROM_SOLANA[:2])
async def test_a_deposit_comes_back(
    solana: SolanaFixture, origin: Place, destination: Place, amount: int, named: str | None
) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.REFUND
    transfer = await solana.crossed(solana.request(origin, destination, amount, refund_to=named))
    status = await solana.evm.followed(transfer, TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    refund = await solana.node.rpc.transaction(status.refund_tx_hash)
    assert refund is not None
    assert Executed(refund).gained(named or WALLET, solana.token(origin).address) == amount


async def test_a_failure_says_why(solana: SolanaFixture) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.FAIL
    transfer = await solana.crossed(solana.request(*FROM_SOLANA[0]))
    status = await solana.evm.followed(transfer, TransferState.BRIDGE_FAILED)
    assert status.substatus == "SLIPPAGE"


@pytest.mark.parametrize("lie", sorted(set(Lie) - {Lie.WORSE_OUTPUT}))
@pytest.mark.parametrize("origin", [("sbxs", "SOL"), ("sbxs", "USDC")])
async def test_no_lie_is_signed(solana: SolanaFixture, origin: Place, lie: Lie) -> None:
    solana.evm.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await solana.drafted(await solana.evm.adapter.quote(solana.request(origin, ("sbxa", "USDC"), 10**9)))


def account(place: int, address: str) -> Change:
    def change(found: SvmInstruction) -> SvmInstruction:
        roles = [replace(role, address=address) if at == place else role for at, role in enumerate(found.accounts)]
        return replace(found, accounts=tuple(roles))

    return change


WRONG: dict[str, tuple[str, Change]] = {
    "another state": ("0x7d6", account(0, STRANGER)),
    "another vault": ("0x7d6", account(3, STRANGER)),
    "another call": ("0x65", lambda found: replace(found, data=b"\xff" + found.data[1:])),
    "no order": ("0x66", lambda found: replace(found, data=found.data[:20])),
    "too few accounts": ("0xbbd", lambda found: replace(found, accounts=found.accounts[:4])),
    "more than the wallet has": (
        "insufficient|0x1", lambda found: replace(found, data=found.data[:8] + b"\xff" * 7 + found.data[15:])
    ),
}  # fmt: skip


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("error", "change"), WRONG.values(), ids=WRONG)
async def test_the_program_takes_a_deposit_whole_or_not_at_all(
    solana: SolanaFixture, native: bool, error: str, change: Change
) -> None:
    _, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*FROM_SOLANA[0 if native else 1])))
    with pytest.raises(SvmRpcError, match=error):
        await solana.run(changed(draft, change))


@pytest.mark.parametrize(
    ("error", "change"),
    [
        ("0x7df|0x7d9", account(5, STRANGER)),
        ("0x177a", lambda found: account(6, found.accounts[5].address)(found)),
        ("InvalidSeeds", account(6, WALLET)),
        ("0xbc0|0x1772", account(7, STRANGER)),
        ("0xbc0", account(8, STRANGER)),
    ],
)
async def test_the_program_takes_tokens_of_the_sender_into_its_own_account(
    solana: SolanaFixture, error: str, change: Change
) -> None:
    _, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*FROM_SOLANA[1])))
    with pytest.raises(SvmRpcError, match=error):
        await solana.run(changed(draft, change))


def changed(draft: SvmDraft, change: Change) -> SvmDraft:
    (instruction,) = draft.instructions
    return replace(draft, instructions=(change(instruction),))


async def test_the_event_tells_of_the_deposit(solana: SolanaFixture) -> None:
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*FROM_SOLANA[1])))
    executed = await solana.run(draft)
    (told,) = [line for line in executed.logs or () if line.startswith("Program data: ")]
    assert AccountRole(WALLET) in draft.instructions[0].accounts
    # discriminator, depositor, a token, its mint, the amount, the order
    assert len(decoded(told)) == 8 + 32 + 1 + 32 + 8 + 32
    assert decoded(told)[8 + 32 + 33 : 8 + 32 + 41] == quote.request.amount.to_bytes(8, "little")
    assert decoded(told)[-32:] == draft.instructions[0].data[16:]


def decoded(line: str) -> bytes:
    return b64decode(line.removeprefix("Program data: "))
