"""What is handed out on Solana: one transaction with exact fees, executed by whoever signs it."""

from base64 import b64encode
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.svm.compute_budget import read_budget
from rhumbline.gateways.svm.instructions import TokenTransfer, decode
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key
from tests.routing.svm.pool_venue import PoolVenue
from tests.routing.svm.quote_fixture import (
    FRIEND,
    INTEGRATOR,
    KEY,
    POOR,
    SENDER,
    SERVICE,
    SvmQuotes,
    instructions_of,
)  # fmt: skip

USDC = 10**6
SOL = 10**9
SHARE = Fraction(5, 1000)


@pytest.mark.parametrize(
    ("sold", "bought", "amount", "receiver"),
    [
        ("USDC", "USDT", 1000 * USDC, SENDER),
        ("USDC", "USDT", 1000 * USDC, FRIEND),
        ("USDC", "USDT", 1000 * USDC, POOR),
        ("SOL", "USDC", 3 * SOL, SENDER),
        ("USDC", "SOL", 500 * USDC, SENDER),
        ("WSOL", "TAX", SOL, FRIEND),
        ("TAX", "SOL", 10**10, SENDER),
    ],
)
async def test_the_receiver_gains_the_minimum_and_fees_are_exact(
    quotes: SvmQuotes, sold: str, bought: str, amount: int, receiver: str
) -> None:
    quotes = quotes.with_fees(SERVICE, INTEGRATOR)
    asked = quotes.ask(sold, bought, amount, receiver=receiver, integrator="acme", fee_share=SHARE)
    answer = await quotes.service.answer(asked)
    charges = {charge.recipient: charge.amount for charge in answer.charges}
    assert charges == {SERVICE: amount // 1000, INTEGRATOR: amount * 5 // 1000}
    wallets = (receiver, SERVICE, INTEGRATOR)
    before = [await quotes.balance(owner, symbol) for owner, symbol in zip(wallets, (bought, sold, sold), strict=True)]
    executed = await quotes.execute(answer)
    assert executed.error is None, executed.logs
    after = [await quotes.balance(owner, symbol) for owner, symbol in zip(wallets, (bought, sold, sold), strict=True)]
    gain, service, integrator = (new - old for new, old in zip(after, before, strict=True))
    cost = executed.fee if bought == "SOL" and receiver == SENDER else 0
    assert gain + cost >= answer.min_output_amount > 0
    # A token that taxes transfers leaves its tax with the accounts; everything else arrives whole.
    kept = Fraction(99, 100) if sold == "TAX" else 1
    assert service == charges[SERVICE] * kept
    assert integrator == charges[INTEGRATOR] * kept
    assert answer.warnings == ()


async def test_the_order_of_its_instructions(quotes: SvmQuotes) -> None:
    quotes = quotes.with_fees(SERVICE, INTEGRATOR)
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, integrator="acme", fee_share=SHARE))
    instructions = instructions_of(answer)
    budget = read_budget(instructions)
    assert budget.units is not None
    assert budget.units < 200_000
    paid = [decode(each) for each in instructions[2:4]]
    assert [each.amount for each in paid if isinstance(each, TokenTransfer)] == [USDC, 5 * USDC]
    assert all(each.decimals == 6 for each in paid if isinstance(each, TokenTransfer))
    assert [each.program for each in instructions[-3:]] == [LIGHTHOUSE] * 3
    found = read_tracking(instructions[-4], {reference_key(KEY)})
    assert found == (SENDER, bytes.fromhex(answer.transaction_id[2:]))


async def test_a_run_decides_the_limit_of_units(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert answer.simulation is not None
    used = answer.simulation.result.gas_used
    assert used is not None
    assert read_budget(instructions_of(answer)).units == used + used // 5
    executed = await quotes.execute(answer)
    assert executed.error is None
    assert executed.units == used


async def test_its_size_is_what_is_answered(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    transaction = answer.transaction
    assert isinstance(transaction, SvmTransaction)
    assert len(transaction.data) <= 1232
    assert transaction.data[1:65] == bytes(64)
    assert len(b64encode(transaction.data)) % 4 == 0


async def test_every_transaction_is_kept_before_it_is_handed_out(quotes: SvmQuotes) -> None:
    kept: list[IssuedTransaction] = []

    async def keep(issued: IssuedTransaction) -> None:
        kept.append(issued)

    quotes = replace(quotes, service=replace(quotes.service, keep=keep))
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert isinstance(answer.transaction, SvmTransaction)
    (issued,) = kept
    assert issued.wallet_call
    assert issued.data == answer.transaction.digest
    assert issued.transaction_id == answer.transaction_id


async def test_a_lower_measure_is_promised_instead(quotes: SvmQuotes) -> None:
    honest = (await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))).output_amount
    boaster = PoolVenue(quotes.running.server.chain, boast=honest // 1000)
    answer = await quotes.with_(boaster).service.answer(
        quotes.ask("USDC", "USDT", 1000 * USDC, slippage=Fraction(1, 100))
    )
    assert answer.output_amount == honest


@dataclass(frozen=True)
class BringingVenue(PoolVenue):
    """Says that it brings native on arrival, and quotes ``brought`` of it."""

    brought: GasOnArrival | None = None

    @property
    def info(self) -> AdapterInfo:
        return replace(super().info, gas_from=(ChainType.SVM,))

    async def quote(self, request: QuoteRequest) -> Quote[bool]:
        return replace(await super().quote(request), gas_on_arrival=self.brought)


async def test_no_answer_guarantees_less_native_than_was_wanted(quotes: SvmQuotes) -> None:
    """Whatever its adapter has compared: what is handed out says how much arrives at least."""
    wanted, chain = 10**6, quotes.running.server.chain
    asked = quotes.ask("USDC", "USDT", 1000 * USDC, destination_gas=wanted)
    for brought in (None, GasOnArrival(wanted, wanted - 1)):
        with pytest.raises(RhumblineError) as caught:
            await quotes.with_(BringingVenue(chain, brought=brought)).service.answer(asked)
        assert "brings less native of the destination" in str(caught.value.details)
    answer = await quotes.with_(BringingVenue(chain, brought=GasOnArrival(wanted, wanted))).service.answer(asked)
    assert answer.gas_on_arrival == GasOnArrival(wanted, wanted)
