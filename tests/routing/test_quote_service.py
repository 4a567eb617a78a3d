"""Quotes on the sandbox: what is promised is what the simulation sees and what the chain then does, to the unit."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NoAvailableQuotes, NoStepQuote, QuotingPaused
from rhumbline.domain.fee import ChainWallets, FeeKind, FeeRule, FeeType
from rhumbline.domain.pauses import Pause, Pauses
from rhumbline.domain.plan import StepRequest
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.transaction import EvmTransaction, OrderKind, OrderTerms, verify_transaction_id
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.routing.evm.verification import decode_swap
from rhumbline.routing.fees import FEE_SKIPPED, FeeSettings
from rhumbline.routing.planner import Planner
from tests.routing.quote_fixture import KEY, QuoteFixture, integrator

PAIRS = [
    ("USDC", "WETH", 1_500_000_000),
    ("WETH", "USDC", 10**18),
    ("ETH", "USDC", 10**18),
    ("USDC", "ETH", 900_000_000),
    ("ETH", "WETH", 10**18),
    ("WETH", "ETH", 10**17),
]


@pytest.mark.parametrize("elsewhere", [False, True], ids=["to_sender", "to_another"])
@pytest.mark.parametrize(("sold", "bought", "amount"), PAIRS)
async def test_promised_simulated_and_real_are_one(
    quotes: QuoteFixture, sold: str, bought: str, amount: int, elsewhere: bool
) -> None:
    receiver = quotes.nobody if elsewhere else quotes.sender
    answer = await quotes.service.answer(quotes.ask(sold, bought, amount, receiver=receiver))
    assert answer.simulation is not None
    result = answer.simulation.result
    assert (result.status, result.validation) == (ExecutionStatus.SUCCESS, OutputValidation.VERIFIED)
    assert result.simulated_output == answer.output_amount
    assert result.deviation is not None
    assert result.deviation.absolute == 0
    gain, spare = await quotes.execute(answer)
    assert gain == answer.output_amount
    assert spare >= 0


async def test_a_wallet_without_anything_is_simulated(quotes: QuoteFixture) -> None:
    for sold, bought, amount in PAIRS[:4]:
        request = quotes.ask(sold, bought, amount, sender=quotes.nobody, receiver=quotes.nobody)
        answer = await quotes.service.answer(request)
        assert answer.simulation is not None
        assert answer.simulation.result.simulated_output == answer.output_amount


async def test_the_answer_says_what_the_call_does(quotes: QuoteFixture) -> None:
    answer = await quotes.service.answer(
        quotes.ask("USDC", "WETH", 10**9, integrator="acme", fee_share=Fraction(1, 100))
    )
    assert isinstance(answer.transaction, EvmTransaction)
    assert answer.transaction.to == answer.approval_address == quotes.chain.diamond
    assert answer.transaction.value == 0
    called = decode_swap(answer.transaction.data)
    order = called["order"]
    assert isinstance(order, dict)
    assert order["minOutput"] == answer.min_output_amount == answer.output_amount - answer.output_amount // 200
    assert order["integrator"] == b"Acme".ljust(32, b"\0")
    identifier = bytes.fromhex(answer.transaction_id[2:])
    assert order["id"] == identifier
    terms = OrderTerms(
        kind=OrderKind.SWAP,
        chain_id=quotes.chain.id,
        sender=evm_word(quotes.sender),
        integrator="Acme",
        adapter=answer.adapter,
        receiver=evm_word(quotes.sender),
        input_token=evm_word(quotes.token("USDC")),
        ordered_amount=10**9,
        output_token=evm_word(quotes.token("WETH")),
        min_output=answer.min_output_amount,
        deadline=int(str(order["deadline"])),
    )
    assert verify_transaction_id((KEY,), identifier, terms)
    again = await quotes.service.answer(quotes.ask("USDC", "WETH", 10**9))
    assert again.transaction_id != answer.transaction_id


async def test_fees_arrive_and_the_rest_is_swapped(quotes: QuoteFixture) -> None:
    collector = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"
    fees = FeeSettings(FeeRule(Fraction(3, 10_000)), ChainWallets(collector))
    service = replace(quotes.service, fees=fees)
    request = quotes.ask("USDC", "ETH", 1_000_000_007, integrator="acme", fee_share=Fraction(1, 300))
    answer = await service.answer(request)
    wallet = integrator().evm_wallet
    assert wallet is not None
    usdc = quotes.token("USDC")
    before = [await balance_of(quotes.rpc, usdc, owner) for owner in (collector, wallet)]
    gain, _ = await quotes.execute(answer)
    paid = [
        await balance_of(quotes.rpc, usdc, owner) - had for owner, had in zip((collector, wallet), before, strict=True)
    ]
    assert gain == answer.output_amount
    assert paid == [charge.amount for charge in answer.charges] == [300_000, 3_333_333]
    assert [charge.kind for charge in answer.charges] == [FeeKind.SERVICE, FeeKind.INTEGRATOR]
    apps = [item.amount for item in answer.fees.items if item.type is FeeType.APP]
    assert apps == paid
    assert not answer.warnings


async def test_a_fee_for_nobody_is_skipped_with_a_warning(quotes: QuoteFixture) -> None:
    request = quotes.ask("USDC", "WETH", 10**9, integrator="nobody", fee_share=Fraction(1, 100))
    answer = await quotes.service.answer(request)
    assert [warning.code for warning in answer.warnings] == [FEE_SKIPPED]
    assert answer.charges == ()


async def test_wrapping_guarantees_everything(quotes: QuoteFixture) -> None:
    answer = await quotes.service.answer(quotes.ask("ETH", "WETH", 10**18))
    assert answer.min_output_amount == answer.output_amount == 10**18
    assert answer.approval_address is None


@pytest.mark.parametrize(
    "wallet",
    [
        NATIVE_EVM,
        "0x0000000000000000000000000000000000000001",
        "0x0000000000000000000000000000000000000009",
        "0x000000000000000000000000000000000000dEaD",
    ],
)
@pytest.mark.parametrize(("sold", "bought", "amount"), PAIRS[:4])
async def test_any_wallet_may_be_a_placeholder(
    quotes: QuoteFixture, wallet: str, sold: str, bought: str, amount: int
) -> None:
    answer = await quotes.service.answer(quotes.ask(sold, bought, amount, sender=wallet, receiver=wallet))
    assert answer.simulation is not None
    assert answer.simulation.result.simulated_output == answer.output_amount


async def test_the_chain_of_what_is_handed_out_is_noted_and_of_nothing_else(quotes: QuoteFixture) -> None:
    noted: list[tuple[int, datetime, bool]] = []
    service = replace(quotes.service, handed_out=lambda *given: noted.append(given))
    await service.answer(quotes.ask("USDC", "WETH", 10**9, sender=NATIVE_EVM, receiver=NATIVE_EVM))
    answer = await service.answer(quotes.ask("USDC", "WETH", 10**9))
    assert answer.expires_at is not None
    assert noted == [(quotes.chain.id, datetime.fromtimestamp(answer.expires_at, UTC), False)]


@pytest.mark.parametrize(
    "receiver",
    [
        NATIVE_EVM,
        "0x0000000000000000000000000000000000000001",
        "0x000000000000000000000000000000000000dEaD",
        "0xdEAD000000000000000042069420694206942069",
    ],
)
async def test_a_placeholder_receiver_is_answered_and_never_paid(quotes: QuoteFixture, receiver: str) -> None:
    """Simulated for the stand-in; whoever signs it nevertheless loses nothing, for the Diamond refuses."""
    answer = await quotes.service.answer(quotes.ask("ETH", "USDC", 10**18, receiver=receiver))
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert answer.simulation.result.simulated_output == answer.output_amount
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    data = "0x" + transaction.data.hex()
    call = {"from": quotes.sender, "to": transaction.to, "value": hex(transaction.value), "data": data}
    with pytest.raises(RpcError, match="revert"):
        await quotes.rpc.call("eth_call", [call, "latest"])


@pytest.mark.parametrize("name", ["diamond", "executor", "multicall3", "usdc"])
async def test_a_wallet_that_cannot_take_part_drops_no_route(quotes: QuoteFixture, name: str) -> None:
    """Contracts that refuse the native asset, and those that the Diamond refuses, as a placeholder for a wallet."""
    wallet = quotes.token("USDC") if name == "usdc" else quotes.described.contracts[name]
    answer = await quotes.service.answer(quotes.ask("USDC", "ETH", 10**9, sender=wallet, receiver=wallet))
    assert answer.simulation is not None
    assert answer.simulation.wallet_fault
    assert answer.simulation.result.status is ExecutionStatus.REVERTED
    assert "it succeeds for another wallet" in str(answer.simulation.result.reason)


def paused(adapter: str | None, chain: int | None) -> Callable[[], Pauses]:
    pauses = Pauses((Pause(adapter, chain, system_clock(), "alice", "hidden-word"),))
    return lambda: pauses


async def test_nothing_is_quoted_routed_or_stepped_of_what_is_paused(quotes: QuoteFixture) -> None:
    request, here = quotes.ask("USDC", "WETH", 10**6), quotes.chain.id
    (venue,) = quotes.service.adapters
    key = venue.info.key
    step = StepRequest("a-route", 0, key, request)
    for place, quoted, stepped in (
        ((None, None), QuotingPaused, QuotingPaused),
        ((None, here), NoAvailableQuotes, NoStepQuote),
        ((key, None), NoAvailableQuotes, NoStepQuote),
        ((key, here), NoAvailableQuotes, NoStepQuote),
    ):
        service = replace(quotes.service, pauses=paused(*place))
        planner = Planner(service, (KEY,))
        for work, kind in (
            (service.answer(request), quoted),
            (planner.routes(request, 3), quoted),
            (planner.step(step), stepped),
        ):
            with pytest.raises(kind) as raised:
                await work
            assert "paused" in raised.value.message
            assert "hidden-word" not in str(raised.value.details)
    for place in ((None, here + 1), (key, here + 1), ("OTHER", None)):
        answer = await replace(quotes.service, pauses=paused(*place)).answer(request)
        assert answer.adapter == key
