"""A transfer across chains: which form is asked, what is kept, which minimum binds, and that the Diamond makes it."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NoAvailableQuotes, SlippageExceeded, StoreUnavailable
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.transaction import CallKind, EvmTransaction, Transaction
from rhumbline.domain.transfer import StoredBuild
from rhumbline.gateways.evm.abi import decode_args, selector
from rhumbline.gateways.words import reference_word
from rhumbline.routing.verifying import decode_bridge
from tests.routing.desk import Desk
from tests.routing.venues import chain_of, tokens_of

DEPOSIT = "0x1111111111111111111111111111111111111119"


@dataclass(frozen=True)
class PayBridge:
    """A bridge that is paid at a deposit address; ``routed`` tells whether a contract may pay."""

    chains: tuple[int, ...]
    routed: bool = True
    least: Fraction | None = None
    key: str = "PAYBRIDGE"
    cut: int = 1
    asked: list[QuoteRequest] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(
            self.key, "Pay", "", Capability.BRIDGE, self.chains, scan_url="https://scan.example/{reference}"
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.routed or request.caller == request.sender

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        self.asked.append(request)
        output = request.amount // 2
        least = None if self.least is None else int(output * self.least)
        return Quote(self.key, request, output, None, min_output_amount=least, seconds=9, gas_units=100_000)

    async def build(self, quote: Quote[None], /) -> Transaction:
        request = quote.request
        taken = request.amount // self.cut * self.cut
        native = request.origin_token.address == NATIVE_EVM
        return EvmTransaction(
            request.origin.id, DEPOSIT, taken if native else 0, b"", None, CallKind.PAY, reference=DEPOSIT,
            expires_at=request.deadline - 100, takes=None if taken == request.amount else taken,
        )  # fmt: skip


@dataclass
class Crossing:
    desk: Desk
    other: Any
    kept: list[StoredBuild]

    def ask(self, sold: str, bought: str, amount: int, **changes: Any) -> RouteRequest:
        token = NATIVE_EVM if bought == "ETH" else self.other.tokens[bought].address
        plain = self.desk.ask(sold, "USDC", amount)
        return replace(plain, destination=chain_of(self.other), destination_token=token, **changes)

    def with_(self, *adapters: Any, **changes: Any) -> Desk:
        chains = [self.desk.chain, chain_of(self.other)]
        tokens = TokenCatalog(
            chains, [*tokens_of(self.desk.described), *tokens_of(self.other)], {self.desk.chain.id: self.desk.rpc}
        )

        async def keep(build: StoredBuild) -> None:
            self.kept.append(build)

        return self.desk.with_(*adapters, **{"tokens": tokens, "keep": keep, **changes})


@pytest.fixture
async def crossing(desk: Desk, restored_sandbox: Any) -> Crossing:
    return Crossing(desk, restored_sandbox.chains[1], [])


def both(crossing: Crossing) -> tuple[int, int]:
    return crossing.desk.chain.id, crossing.other.id


async def sent(desk: Desk, answer: RouteAnswer, token: str) -> int:
    """Execute; return what the deposit address got of the token."""
    answer = replace(answer, request=replace(answer.request, destination_token=token, receiver=DEPOSIT))
    gain, spare = await desk.execute(answer)
    assert spare >= 0
    return gain


@pytest.mark.parametrize(("sold", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_a_transfer_is_made_through_the_diamond(crossing: Crossing, sold: str, amount: int) -> None:
    bridge = PayBridge(both(crossing))
    desk = crossing.with_(bridge)
    answer = await desk.service.answer(crossing.ask(sold, "USDT", amount, receiver=desk.receiver))
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    assert transaction.to == desk.chain.diamond
    (asked,) = bridge.asked
    assert (asked.caller, asked.recipient, asked.sender) == (desk.chain.executor, desk.receiver, desk.sender)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert answer.simulation.result.validation is OutputValidation.UNVERIFIABLE
    order = decode_bridge(transaction.data)["order"]
    assert isinstance(order, dict)
    assert order["refundTo"] == desk.sender.lower()
    assert order["deadline"] == asked.deadline - 100
    assert order["bridgeRef"] == reference_word(DEPOSIT)
    assert (answer.seconds, answer.reference, answer.scan_url) == (9, DEPOSIT, bridge.info.scan_url)
    (build,) = crossing.kept
    assert (build.transaction_id, build.direct, build.reference) == (answer.transaction_id, False, DEPOSIT)
    assert (build.min_output, build.sent_amount) == (answer.min_output_amount, amount)
    assert await sent(desk, answer, answer.request.origin_token) == amount


async def test_what_the_bridge_does_not_take_goes_back(crossing: Crossing) -> None:
    desk = crossing.with_(PayBridge(both(crossing), cut=1000))
    answer = await desk.service.answer(crossing.ask("ETH", "ETH", 10**18 + 999))
    assert await sent(desk, answer, NATIVE_EVM) == 10**18
    assert crossing.kept[0].sent_amount == 10**18


@pytest.mark.parametrize("sold", ["USDC", "ETH"])
async def test_who_cannot_be_called_by_a_contract_is_asked_in_the_direct_form(crossing: Crossing, sold: str) -> None:
    bridge = PayBridge(both(crossing), routed=False)
    desk = crossing.with_(bridge)
    answer = await desk.service.answer(crossing.ask(sold, "USDT", 10**8, receiver=desk.receiver))
    (asked,) = bridge.asked
    assert (asked.caller, asked.amount) == (desk.sender, 10**8)
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    assert answer.approval_address is None
    assert crossing.kept[0].direct
    if sold == "ETH":
        assert (transaction.to, transaction.value, transaction.data) == (DEPOSIT, 10**8, b"")
    else:
        assert (transaction.to, transaction.value) == (desk.token("USDC"), 0)
        assert transaction.data[:4] == selector("transfer(address,uint256)")
        assert decode_args(["address", "uint256"], transaction.data[4:]) == (DEPOSIT.lower(), 10**8)
    assert await sent(desk, answer, answer.request.origin_token) == 10**8


async def test_a_minimum_that_was_fixed_binds_or_is_refused(crossing: Crossing) -> None:
    fine = crossing.with_(PayBridge(both(crossing), least=Fraction(999, 1000)))
    answer = await fine.service.answer(crossing.ask("USDC", "USDT", 10**6, slippage=Fraction(1, 100)))
    assert answer.min_output_amount == 499_500
    loose = crossing.with_(PayBridge(both(crossing), least=Fraction(98, 100)))
    with pytest.raises(SlippageExceeded) as caught:
        await loose.service.answer(crossing.ask("USDC", "USDT", 10**6, slippage=Fraction(1, 100)))
    assert "guarantees 490000 only" in str(caught.value.details)


async def test_what_cannot_be_kept_is_not_handed_out(crossing: Crossing) -> None:
    async def keep(build: StoredBuild) -> None:
        raise StoreUnavailable("The store does not answer")

    desk = crossing.with_(PayBridge(both(crossing)), keep=keep)
    with pytest.raises(StoreUnavailable):
        await desk.service.answer(crossing.ask("USDC", "USDT", 10**6))


async def test_nothing_is_sent_from_a_chain_that_is_not_served(crossing: Crossing) -> None:
    desk = crossing.with_(PayBridge(both(crossing)), origins=frozenset({crossing.other.id}))
    with pytest.raises(NoAvailableQuotes, match="no node of it"):
        await desk.service.answer(crossing.ask("USDC", "USDT", 10**6))


async def test_on_one_chain_the_direct_form_is_not_asked(crossing: Crossing) -> None:
    bridge = replace(PayBridge(both(crossing), routed=False))

    @dataclass(frozen=True)
    class Multi(PayBridge):
        @property
        def info(self) -> AdapterInfo:
            return replace(super().info, capability=Capability.MULTI)

    desk = crossing.with_(Multi(bridge.chains, routed=False))
    with pytest.raises(NoAvailableQuotes):
        await desk.service.answer(desk.ask("USDC", "USDT", 10**6))
