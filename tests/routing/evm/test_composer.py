"""A transfer across chains: which form is asked, what is kept, which minimum binds, and that the Diamond makes it."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain import errors
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import (
    CallKind,
    CrossingTerms,
    EvmTransaction,
    OrderKind,
    OrderTerms,
    UpstreamTransaction,
    verify_transaction_id,
)
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.domain.unowned_addresses import SVM_INCINERATOR
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word
from rhumbline.gateways.evm.abi import decode_args, selector
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.routing.evm.verification import decode_bridge
from rhumbline.routing.fan_out import Deadlines
from rhumbline.routing.fees import FEE_SKIPPED, FeeSettings
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import chain_of, tokens_of

DEPOSIT = "0x1111111111111111111111111111111111111119"
SOLANA = Chain(
    1_000_000_001, "sol", "Solana", ChainType.SVM, Token(1_000_000_001, NATIVE_SVM, "SOL", 9, "SOL", "SOL"),
    mainnet=True,
)  # fmt: skip


@dataclass(frozen=True)
class PayBridge:
    """A bridge that is paid at a deposit address; ``routed`` tells whether a contract may pay."""

    chains: tuple[int, ...]
    routed: bool = True
    least: Fraction | None = None
    key: str = "PAYBRIDGE"
    cut: int = 1
    odd: Mapping[str, Any] = field(default_factory=dict)
    asked: list[QuoteRequest] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(
            self.key, "Pay", "", Capability.BRIDGE, self.chains, scan_url="https://scan.example/{reference}"
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.routed or request.taker == request.sender

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        self.asked.append(request)
        output = request.amount // 2
        least = None if self.least is None else int(output * self.least)
        return Quote(self.key, request, output, None, min_output_amount=least, seconds=9, gas_units=100_000)

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        request = quote.request
        taken = request.amount // self.cut * self.cut
        native = request.origin_token.address == NATIVE_EVM
        plain = EvmTransaction(
            request.origin.id, DEPOSIT, taken if native else 0, b"", None, CallKind.PAY, reference=DEPOSIT,
            expires_at=request.deadline - 100, input_taken=None if taken == request.amount else taken,
            deposit=BridgeDeposit(request.origin_token.address, taken, (DEPOSIT,)),
        )  # fmt: skip
        return replace(plain, **self.odd)


@dataclass
class Crossing:
    quotes: QuoteFixture
    other: Any
    kept: list[IssuedTransaction]

    def ask(self, sold: str, bought: str, amount: int, **changes: Any) -> RouteRequest:
        token = NATIVE_EVM if bought == "ETH" else self.other.tokens[bought].address
        plain = self.quotes.ask(sold, "USDC", amount)
        return replace(plain, **{"destination": chain_of(self.other), "destination_token": token, **changes})

    def with_(self, *adapters: Any, **changes: Any) -> QuoteFixture:
        chains = [self.quotes.chain, chain_of(self.other), SOLANA]
        tokens = TokenCatalog(
            chains,
            [*tokens_of(self.quotes.described), *tokens_of(self.other)],
            token_readers({self.quotes.chain.id: self.quotes.rpc}),
        )

        async def keep(build: IssuedTransaction) -> None:
            self.kept.append(build)

        return self.quotes.with_(*adapters, **{"tokens": tokens, "keep": keep, **changes})


@pytest.fixture
async def crossing(quotes: QuoteFixture, restored_sandbox: Any) -> Crossing:
    return Crossing(quotes, restored_sandbox.chains[1], [])


def both(crossing: Crossing) -> tuple[int, int]:
    return crossing.quotes.chain.id, crossing.other.id


async def sent(quotes: QuoteFixture, answer: RouteAnswer, token: str) -> int:
    """Execute; return what the deposit address got of the token."""
    answer = replace(answer, request=replace(answer.request, destination_token=token, receiver=DEPOSIT))
    gain, spare = await quotes.execute(answer)
    assert spare >= 0
    return gain


@pytest.mark.parametrize(("sold", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_a_transfer_is_made_through_the_diamond(crossing: Crossing, sold: str, amount: int) -> None:
    bridge = PayBridge(both(crossing))
    quotes = crossing.with_(bridge)
    answer = await quotes.service.answer(crossing.ask(sold, "USDT", amount, receiver=quotes.receiver))
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    assert transaction.to == quotes.chain.diamond
    (asked,) = bridge.asked
    assert (asked.taker, asked.payout_address, asked.sender) == (quotes.chain.executor, quotes.receiver, quotes.sender)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert answer.simulation.result.validation is OutputValidation.UNVERIFIABLE
    order = decode_bridge(transaction.data)["order"]
    assert isinstance(order, dict)
    assert order["refundTo"] == quotes.sender.lower()
    assert order["deadline"] == asked.deadline - 100
    assert order["bridgeRef"] == reference_word(DEPOSIT)
    assert (answer.seconds, answer.reference, answer.scan_url) == (9, DEPOSIT, bridge.info.scan_url)
    (build,) = crossing.kept
    assert (build.transaction_id, build.wallet_call, build.reference) == (answer.transaction_id, False, DEPOSIT)
    assert (build.min_output, build.sent_amount) == (answer.min_output_amount, amount)
    assert await sent(quotes, answer, answer.request.origin_token) == amount


async def test_what_the_bridge_does_not_take_goes_back(crossing: Crossing) -> None:
    quotes = crossing.with_(PayBridge(both(crossing), cut=1000))
    answer = await quotes.service.answer(crossing.ask("ETH", "ETH", 10**18 + 999))
    assert await sent(quotes, answer, NATIVE_EVM) == 10**18
    assert crossing.kept[0].sent_amount == 10**18


async def test_what_the_bridge_does_not_take_of_a_token_goes_back(crossing: Crossing) -> None:
    quotes = crossing.with_(PayBridge(both(crossing), cut=1000))
    token = quotes.token("USDC")
    answer = await quotes.service.answer(crossing.ask("USDC", "USDT", 10**9 + 999))
    had = await balance_of(quotes.rpc, token, quotes.sender)
    assert await sent(quotes, answer, token) == 10**9
    assert had - await balance_of(quotes.rpc, token, quotes.sender) == 10**9
    assert quotes.chain.executor is not None
    assert await balance_of(quotes.rpc, token, quotes.chain.executor) == 0


WALLET = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
SVM_WALLET = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q"
DEAD = "0x000000000000000000000000000000000000dEaD"


@pytest.mark.parametrize(
    ("sender", "receiver"), [(NATIVE_EVM, NATIVE_EVM), (DEAD, DEAD), (NATIVE_EVM, WALLET), (NATIVE_EVM, DEAD)]
)
@pytest.mark.parametrize("sold", ["USDC", "ETH"])
async def test_a_placeholder_drops_no_transfer(crossing: Crossing, sold: str, sender: str, receiver: str) -> None:
    quotes = crossing.with_(PayBridge(both(crossing)))
    answer = await quotes.service.answer(crossing.ask(sold, "USDT", 10**9, sender=sender, receiver=receiver))
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert answer.gas is not None
    assert answer.gas.limit is not None
    assert isinstance(answer.transaction, EvmTransaction)
    order = decode_bridge(answer.transaction.data)["order"]
    assert isinstance(order, dict)
    assert (order["refundTo"], order["receiver"][12:].hex()) == (sender.lower(), receiver[2:].lower())
    assert crossing.kept == [], "nobody can send it, so nobody needs to know it"


@pytest.mark.parametrize("receiver", [NATIVE_EVM, "0x0000000000000000000000000000000000000001", DEAD])
async def test_a_placeholder_receiver_is_answered_and_never_paid(crossing: Crossing, receiver: str) -> None:
    """Through the Diamond, which refuses to send there; the direct form, which would pay it, is not asked."""
    direct, bridge = PayBridge(both(crossing), routed=False, key="A"), PayBridge(both(crossing), key="B")
    quotes = crossing.with_(direct, bridge)
    answer = await quotes.service.answer(crossing.ask("ETH", "USDT", 10**9, receiver=receiver))
    assert answer.adapter == "B"
    assert direct.asked == []
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    call = {"from": quotes.sender, "to": transaction.to, "value": hex(10**9), "data": "0x" + transaction.data.hex()}
    with pytest.raises(RpcError, match="revert"):
        await quotes.rpc.call("eth_call", [call, "latest"])
    assert crossing.kept == [], "nobody can send it, so nobody needs to know it"


async def test_without_contracts_nobody_refuses_a_placeholder(crossing: Crossing) -> None:
    bare = replace(crossing.quotes.chain, diamond=None, executor=None)
    quotes = crossing.with_(PayBridge(both(crossing)))
    with pytest.raises(errors.InvalidRequest) as caught:
        await quotes.service.answer(crossing.ask("USDC", "USDT", 10**9, receiver=DEAD, origin=bare))
    assert caught.value.faults == ("receiverAddress: must be a wallet that somebody can sign for",)


async def test_what_goes_to_solana_is_simulated(crossing: Crossing) -> None:
    quotes = crossing.with_(PayBridge((crossing.quotes.chain.id, SOLANA.id)))
    answer = await quotes.service.answer(to_solana(crossing, SVM_WALLET))
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert answer.warnings == ()
    assert crossing.kept[0].receiver == SVM_WALLET


def to_solana(crossing: Crossing, receiver: str, sold: str = "USDC", **changes: Any) -> RouteRequest:
    there = {"destination": SOLANA, "destination_token": NATIVE_SVM}
    return crossing.ask(sold, "USDT", 10**9, receiver=receiver, **there, **changes)


async def test_what_goes_to_solanas_placeholder_is_shown_only(crossing: Crossing) -> None:
    """The System Program is nobody's wallet: the Diamond refuses it, so the answer cannot be executed."""
    quotes = crossing.with_(PayBridge((crossing.quotes.chain.id, SOLANA.id)))
    answer = await quotes.service.answer(to_solana(crossing, NATIVE_SVM))
    assert answer.simulation is not None
    assert (answer.simulation.result.source, answer.simulation.result.status) == ("NONE", "SKIPPED")
    assert [warning.code for warning in answer.warnings] == ["SOLANA_SYSTEM_ACCOUNT_SKIPPED"]
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    call = {"from": quotes.sender, "to": transaction.to, "data": "0x" + transaction.data.hex()}
    with pytest.raises(RpcError, match="revert"):
        await quotes.rpc.call("eth_call", [call, "latest"])


@pytest.mark.parametrize("sold", ["USDC", "ETH"])
async def test_no_bridge_is_paid_directly_for_solanas_placeholder(crossing: Crossing, sold: str) -> None:
    """The direct form has nobody who would refuse it, so it is not asked; a sender that is nobody may still look."""
    bridge = PayBridge((crossing.quotes.chain.id, SOLANA.id), routed=False)
    quotes = crossing.with_(bridge)
    with pytest.raises(errors.NoAvailableQuotes):
        await quotes.service.answer(to_solana(crossing, NATIVE_SVM, sold))
    assert bridge.asked == []
    shown = await quotes.service.answer(to_solana(crossing, NATIVE_SVM, sold, sender=NATIVE_EVM))
    assert [warning.code for warning in shown.warnings] == ["SOLANA_SYSTEM_ACCOUNT_SKIPPED"]
    bare = replace(quotes.chain, diamond=None, executor=None)
    with pytest.raises(errors.InvalidRequest) as caught:
        await quotes.service.answer(to_solana(crossing, NATIVE_SVM, sold, origin=bare))
    assert caught.value.faults == ("receiverAddress: must be a wallet that somebody can sign for",)


async def test_what_the_diamond_would_burn_is_refused(crossing: Crossing) -> None:
    """Of Solana it knows the System Program alone."""
    quotes = crossing.with_(PayBridge((crossing.quotes.chain.id, SOLANA.id)))
    with pytest.raises(errors.InvalidRequest) as caught:
        await quotes.service.answer(to_solana(crossing, SVM_INCINERATOR))
    assert caught.value.faults == ("receiverAddress: must be a wallet that somebody can sign for",)
    shown = await quotes.service.answer(to_solana(crossing, SVM_INCINERATOR, sender=NATIVE_EVM))
    assert [warning.code for warning in shown.warnings] == ["SOLANA_SYSTEM_ACCOUNT_SKIPPED"]


@pytest.mark.parametrize("slippage", [Fraction(1), Fraction(99_999, 100_000)])
async def test_all_of_it_is_never_what_may_be_lost(crossing: Crossing, slippage: Fraction) -> None:
    """A minimum of nothing is none, so no bridge is asked for one."""
    bridge = PayBridge(both(crossing))
    await crossing.with_(bridge).service.answer(crossing.ask("USDC", "USDT", 10**9, slippage=slippage))
    assert bridge.asked[0].slippage == Fraction(9_999, 10_000)


@pytest.mark.parametrize("routed", [True, False])
@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ({"expires_at": 1}, "expires before it could be sent"),
        ({"expires_at": int(system_clock().timestamp())}, "expires before it could be sent"),
        ({"reference": "a\x00b"}, "an invalid ID of the transfer"),
        ({"reference": "\ud800"}, "an invalid ID of the transfer"),
        ({"reference": "a?b#c"}, "an invalid ID of the transfer"),
        ({"reference": ""}, "an invalid ID of the transfer"),
        ({"kind": CallKind.WRAP}, "gives nothing to a bridge"),
        ({"input_taken": 0}, "takes another amount"),
        ({"input_taken": 10**9 + 1}, "takes another amount"),
        ({"chain_id": 5}, "for another chain"),
    ],
)
async def test_what_no_wallet_should_send_is_refused(
    crossing: Crossing, routed: bool, odd: dict[str, Any], reason: str
) -> None:
    quotes = crossing.with_(PayBridge(both(crossing), routed=routed, odd=odd))
    with pytest.raises(errors.AdaptersFailed) as caught:
        await quotes.service.answer(crossing.ask("USDC", "USDT", 10**9))
    assert reason in str(caught.value.details)
    assert crossing.kept == []


@pytest.mark.parametrize("routed", [True, False])
async def test_a_token_that_takes_a_fee_on_transfer_is_handed_to_no_bridge(crossing: Crossing, routed: bool) -> None:
    quotes = crossing.with_(PayBridge(both(crossing), routed=routed))
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.service.answer(crossing.ask("TAX", "USDT", 10**19))
    assert "takes a fee on transfer" in str(caught.value.details)
    assert crossing.kept == []


async def test_a_small_budget_is_enough_for_a_quote_and_its_transaction(crossing: Crossing) -> None:
    now = 0.0
    guard = UpstreamGuard("PAYBRIDGE", GuardRules(calls_per_s=0.5), now=lambda: now)

    @dataclass(frozen=True)
    class Guarded(PayBridge):
        async def quote(self, request: QuoteRequest, /) -> Quote[None]:
            return await guard.run(partial(PayBridge.quote, self, request))

        async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
            return await guard.run(partial(PayBridge.build, self, quote))

    quotes = crossing.with_(Guarded(both(crossing)))
    answered = []
    for moment in (0, 0, 2, 3.9, 4, 6, 8):
        now = moment
        with suppress(errors.AdaptersFailed):
            await quotes.service.answer(crossing.ask("USDC", "USDT", 10**9))
            answered.append(moment)
    assert answered == [0, 4, 8], "two calls an answer, half a call a second"


@pytest.mark.parametrize(("native_fee", "refused"), [(0, False), (10**17, True)])
async def test_a_native_fee_counts_as_a_loss(crossing: Crossing, native_fee: int, refused: bool) -> None:
    @dataclass(frozen=True)
    class Dear(PayBridge):
        async def quote(self, request: QuoteRequest, /) -> Quote[None]:
            return replace(await super().quote(request), output_amount=request.amount, native_fee=native_fee)

    now = system_clock()

    def prices(chain_id: int, token: str) -> PriceSnapshot:
        usd = Decimal(3000) if token == NATIVE_EVM else Decimal(1)
        return PriceSnapshot(chain_id, token, usd, "test", now, False, PriceTier.HOT, False)

    quotes = crossing.with_(Dear(both(crossing), odd={"value": native_fee}), prices=prices)
    request = crossing.ask("USDC", "USDT", 10**9)
    if not refused:
        assert (await quotes.service.answer(request)).adapter == "PAYBRIDGE"
        return
    with pytest.raises(errors.SlippageExceeded) as caught:
        await quotes.service.answer(request)
    assert "24 % of the value would be lost" in str(caught.value.details)


async def test_a_store_that_hangs_holds_no_quote_for_longer_than_an_adapter_may(crossing: Crossing) -> None:
    async def keep(build: IssuedTransaction) -> None:
        await asyncio.Event().wait()

    quotes = crossing.with_(PayBridge(both(crossing)), keep=keep, deadlines=Deadlines(0.2, 1.0))
    with pytest.raises(errors.StoreUnavailable, match="in time"):
        await quotes.service.answer(crossing.ask("USDC", "USDT", 10**6))


def direct_terms(crossing: Crossing, build: IssuedTransaction) -> OrderTerms:
    """Of a call that no event tells of the issued transaction has every term."""
    origin, destination = crossing.quotes.chain, chain_of(crossing.other)
    return OrderTerms(
        kind=OrderKind.DIRECT,
        chain_id=build.origin_chain_id,
        sender=address_word(origin, build.sender),
        integrator=build.integrator,
        adapter=build.adapter,
        receiver=address_word(destination, build.receiver),
        input_token=address_word(origin, build.input_token),
        ordered_amount=build.input_amount,
        output_token=address_word(destination, build.output_token),
        min_output=build.min_output,
        deadline=int(build.expires_at.timestamp()),
        crossing=CrossingTerms(
            destination_chain_id=build.destination_chain_id,
            sent_token=address_word(origin, build.input_token),
            expected_output=build.expected_output,
            refund_to=address_word(origin, build.sender),
            has_destination_call=False,
            reference=reference_word(build.reference),
        ),
    )


@pytest.mark.parametrize("sold", ["USDC", "ETH"])
async def test_who_cannot_be_called_by_a_contract_is_asked_in_the_direct_form(crossing: Crossing, sold: str) -> None:
    bridge = PayBridge(both(crossing), routed=False)
    quotes = crossing.with_(bridge)
    answer = await quotes.service.answer(crossing.ask(sold, "USDT", 10**8, receiver=quotes.receiver))
    (asked,) = bridge.asked
    assert (asked.taker, asked.amount) == (quotes.sender, 10**8)
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    assert answer.approval_address is None
    assert crossing.kept[0].wallet_call
    identifier = bytes.fromhex(answer.transaction_id[2:])
    assert verify_transaction_id((KEY,), identifier, direct_terms(crossing, crossing.kept[0]))
    if sold == "ETH":
        assert (transaction.to, transaction.value, transaction.data) == (DEPOSIT, 10**8, b"")
    else:
        assert (transaction.to, transaction.value) == (quotes.token("USDC"), 0)
        assert transaction.data[:4] == selector("transfer(address,uint256)")
        assert decode_args(["address", "uint256"], transaction.data[4:]) == (DEPOSIT.lower(), 10**8)
    assert await sent(quotes, answer, answer.request.origin_token) == 10**8


@pytest.mark.parametrize("sold", ["USDC", "ETH"])
@pytest.mark.parametrize("fee", ["integrator", "service"])
async def test_a_form_never_wins_by_leaving_out_a_fee(crossing: Crossing, sold: str, fee: str) -> None:
    """The direct form brings more, because nothing is taken off: it does not win by that."""
    direct = PayBridge(both(crossing), routed=False, key="A")
    quotes = crossing.with_(direct, PayBridge(both(crossing), key="B"))
    asked = crossing.ask(sold, "USDT", 10**9, receiver=quotes.receiver)
    assert (await quotes.service.answer(asked)).adapter == "A", "without a fee the first of two equals is answered"
    if fee == "integrator":
        asked = replace(asked, integrator="acme", fee_share=Fraction(1, 100))
    else:
        fees = FeeSettings(FeeRule(Fraction(1, 100)), ChainWallets("0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"))
        quotes = replace(quotes, service=replace(quotes.service, fees=fees))
    answer = await quotes.service.answer(asked)
    assert (answer.adapter, [charge.amount for charge in answer.charges]) == ("B", [10**7])
    assert answer.warnings == ()


async def test_a_form_that_leaves_out_a_fee_is_the_last_resort_and_says_so(crossing: Crossing) -> None:
    direct = PayBridge(both(crossing), routed=False, key="A")
    unsound = PayBridge(both(crossing), key="B", odd={"takes": 0})
    quotes = crossing.with_(direct, unsound)
    asked = crossing.ask("ETH", "USDT", 10**9, integrator="acme", fee_share=Fraction(1, 100))
    with capture_logs() as lines:
        answer = await quotes.service.answer(asked)
    assert (answer.adapter, answer.charges) == ("A", ())
    assert [warning.code for warning in answer.warnings] == [FEE_SKIPPED]
    assert [line["adapter"] for line in lines if line["event"] == "fee_left_out"] == ["A"]
    assert [refusal.adapter for refusal in answer.refusals] == ["B"]
    with capture_logs() as lines:
        await quotes.service.answer(crossing.ask("ETH", "USDT", 10**9))
    assert "fee_left_out" not in [line["event"] for line in lines], "no fee was asked for"


async def test_a_minimum_that_was_fixed_binds_or_is_refused(crossing: Crossing) -> None:
    fine = crossing.with_(PayBridge(both(crossing), least=Fraction(999, 1000)))
    answer = await fine.service.answer(crossing.ask("USDC", "USDT", 10**6, slippage=Fraction(1, 100)))
    assert answer.min_output_amount == 499_500
    loose = crossing.with_(PayBridge(both(crossing), least=Fraction(98, 100)))
    with pytest.raises(errors.SlippageExceeded) as caught:
        await loose.service.answer(crossing.ask("USDC", "USDT", 10**6, slippage=Fraction(1, 100)))
    assert "guarantees 490000 only" in str(caught.value.details)


async def test_a_fixed_minimum_that_was_rounded_down_is_promised_of_the_output_it_is_the_minimum_of(
    crossing: Crossing,
) -> None:
    """The bridge takes 1 % of 499,999 off and rounds down: a unit below what slippage permits of that output."""
    rounding = crossing.with_(PayBridge(both(crossing), least=Fraction(99, 100)))
    answer = await rounding.service.answer(crossing.ask("USDC", "USDT", 999_999, slippage=Fraction(1, 100)))
    assert answer.min_output_amount == 494_999
    assert answer.output_amount == 499_998
    assert answer.output_amount - answer.output_amount // 100 == answer.min_output_amount


async def test_what_cannot_be_kept_is_not_handed_out(crossing: Crossing) -> None:
    async def keep(build: IssuedTransaction) -> None:
        raise errors.StoreUnavailable("The store does not answer")

    quotes = crossing.with_(PayBridge(both(crossing)), keep=keep)
    with pytest.raises(errors.StoreUnavailable):
        await quotes.service.answer(crossing.ask("USDC", "USDT", 10**6))


async def test_nothing_is_sent_from_a_chain_that_is_not_served(crossing: Crossing) -> None:
    quotes = crossing.with_(PayBridge(both(crossing)), origins=frozenset({crossing.other.id}))
    with pytest.raises(errors.NoAvailableQuotes, match="no node of that chain"):
        await quotes.service.answer(crossing.ask("USDC", "USDT", 10**6))


async def test_on_one_chain_the_direct_form_is_not_asked(crossing: Crossing) -> None:
    bridge = replace(PayBridge(both(crossing), routed=False))

    @dataclass(frozen=True)
    class Multi(PayBridge):
        @property
        def info(self) -> AdapterInfo:
            return replace(super().info, capability=Capability.MULTI)

    quotes = crossing.with_(Multi(bridge.chains, routed=False))
    with pytest.raises(errors.NoAvailableQuotes):
        await quotes.service.answer(quotes.ask("USDC", "USDT", 10**6))
