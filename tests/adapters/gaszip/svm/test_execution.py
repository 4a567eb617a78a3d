"""Deposits with the sandbox's Gas.zip on Solana are paid on the other chain, or come back; it pays there too."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.solana import PAID, WALLET, SolanaFixture
from tests.adapters.gaszip.svm.test_deposit import STRANGER, VENDOR

CENT, SOL = 10**16, 10**9
OUT = (("sbxs", "SOL"), ("sbxa", "ETH"), SOL // 5)
IN = (("sbxb", "ETH"), ("sbxs", "SOL"), CENT)
Change = Callable[[SvmInstruction], SvmInstruction]


@pytest.fixture
def solana(adapter_fixture: AdapterFixture) -> SolanaFixture:
    return SolanaFixture(adapter_fixture)


async def test_from_solana(solana: SolanaFixture) -> None:
    token = solana.token(OUT[1])
    before, held = await solana.balance(token, RECEIVER), await solana.held(VENDOR)
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    assert draft.deposit is not None
    assert (draft.deposit.least, draft.deposit.holders) == (SOL // 5, (VENDOR,))
    executed = await solana.run(draft)
    assert await solana.held(VENDOR) - held == SOL // 5
    status = await solana.evm.followed(solana.evm.begun(quote, draft, executed.signature), TransferState.SUCCESS)
    assert status.destination_tx_hash is not None
    assert await solana.balance(token, RECEIVER) - before == quote.output_amount


async def test_to_solana(solana: SolanaFixture) -> None:
    token = solana.token(IN[1])
    before = await solana.balance(token, PAID)
    quote, built = await solana.evm.built(await solana.evm.adapter.quote(solana.request(*IN)))
    status = await solana.evm.followed(await solana.evm.execute(quote, built), TransferState.SUCCESS)
    assert status.destination_tx_hash is not None
    assert await solana.node.stands(status.destination_tx_hash)
    assert await solana.balance(token, PAID) - before == quote.output_amount


async def test_a_deposit_comes_back(solana: SolanaFixture) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.REFUND
    transfer = await solana.crossed(solana.request(*OUT))
    status = await solana.evm.followed(transfer, TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    refund = await solana.node.rpc.transaction(status.refund_tx_hash)
    assert refund is not None
    assert refund.balances_after[WALLET] - refund.balances_before[WALLET] == SOL // 5


@pytest.mark.parametrize(
    "lie", [Lie.OTHER_RECEIVER, Lie.OTHER_ENTRY, Lie.OTHER_TOKEN, Lie.OTHER_AMOUNT, Lie.MORE_VALUE]
)
async def test_no_lie_about_a_payment_on_solana_is_signed(solana: SolanaFixture, lie: Lie) -> None:
    solana.evm.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await solana.evm.built(await solana.evm.adapter.quote(solana.request(*IN)))


WRONG: dict[str, tuple[str, Change]] = {
    "another wallet": (
        "0x7dc",
        lambda found: replace(found, accounts=(*found.accounts[:2], replace(found.accounts[2], address=STRANGER))),
    ),
    "too few accounts": ("0xbbd", lambda found: replace(found, accounts=found.accounts[:2])),
    "another call": ("0x65", lambda found: replace(found, data=b"\xff" + found.data[1:])),
    "no chain": ("0x66", lambda found: replace(found, data=found.data[:16] + bytes(4) + found.data[22:])),
    "no receiver": ("0x66", lambda found: replace(found, data=found.data[:-1])),
}


@pytest.mark.parametrize(("error", "change"), WRONG.values(), ids=WRONG)
async def test_the_program_refuses_what_would_be_lost(solana: SolanaFixture, error: str, change: Change) -> None:
    _, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    (instruction,) = draft.instructions
    with pytest.raises(SvmRpcError, match=error):
        await solana.run(replace(draft, instructions=(change(instruction),)))
