"""Swap, Across and another swap under one signature: delivered by the sandbox's relayer, or recovered."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NoAvailableQuotes
from rhumbline.domain.plan import StepRequest, StepType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import SwapAfter, UpstreamTransaction
from rhumbline.routing.answer import MAY_RECOVER
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.destination_swap import DestinationSwap
from rhumbline.routing.planner import Planner
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.slippage import least_output
from tests.adapters.adapter_fixture import open_adapter
from tests.routing.carrier import Carrier
from tests.routing.evm.test_composer import Crossing, both, crossing
from tests.routing.quote_fixture import KEY
from tests.routing.receiving import COMPLETED, RECOVERED, Receiving, decode_message, message_in, receiving_on
from tests.routing.venues import chain_of, tokens_of

__all__ = ["crossing"]
THOUSAND, ONE = 1_000 * 10**6, 10**18


@pytest_asyncio.fixture
async def receiving(crossing: Crossing, restored_sandbox: Any) -> AsyncIterator[Receiving]:
    async with open_adapter(restored_sandbox, SPEC, Across) as across:
        across.emulator.behaviour.outcome = Outcome.DELIVER
        assert isinstance(across.adapter, AcrossAdapter)
        yield receiving_on(crossing, across.adapter, across.emulator, across.rpcs["sbxb"])


@pytest.mark.parametrize(
    ("sold", "amount", "arrives", "swaps"),
    [
        ("DAI", 500 * ONE, "USDC", 1),
        ("ETH", ONE // 5, "USDC", 1),
        ("USDT", THOUSAND, "USDT", 0),
        ("USDC", THOUSAND, "USDC", 0),
    ],
)
async def test_one_signature_delivers_what_no_bridge_carries(
    receiving: Receiving, sold: str, amount: int, arrives: str, swaps: int
) -> None:
    answer = await receiving.quotes.service.answer(receiving.ask(sold, "WBTC", amount))
    order, operations, message = message_in(answer)
    said: Any = decode_message(message)
    assert (answer.adapter, len(operations)) == ("ACROSS", 1 + swaps)
    assert order["hasDestCall"] is True
    assert (order["minOutput"], said["minimum"]) == (answer.min_output_amount, answer.min_output_amount)
    assert "0x" + said["id"].hex() == answer.transaction_id
    assert said["receiver"] == receiving.quotes.receiver.lower()
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    (build,) = receiving.kept
    assert build.destination_call is not None
    assert build.destination_call.message == message
    assert build.destination_call.token == receiving.there.tokens[arrives].address
    assert (build.receiver, build.output_token) == (receiving.quotes.receiver, answer.request.destination_token)
    bought, bridged = await receiving.has("WBTC"), await receiving.has(arrives)
    transfer = await receiving.send(answer)
    assert await receiving.told() == [COMPLETED, said["id"], bytes(12) + bytes.fromhex(said["receiver"][2:])]
    gained = await receiving.has("WBTC") - bought
    assert gained == answer.output_amount
    assert (await receiving.ended(transfer)).state is TransferState.SUCCESS
    assert await receiving.has(arrives) == bridged


async def test_a_swap_that_fails_leaves_the_bridged_token(receiving: Receiving) -> None:
    """The pools move after the quote: the minimum is missed, and the receiver has what was bridged."""
    answer = await receiving.quotes.service.answer(receiving.ask("DAI", "WBTC", 500 * ONE))
    (build,) = receiving.kept
    bought, bridged = await receiving.has("WBTC"), await receiving.has("USDC")
    await receiving.move_pools(300_000 * 10**6)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == RECOVERED
    assert (await receiving.ended(transfer)).state is TransferState.RECOVERED
    assert build.destination_call is not None
    assert await receiving.has("USDC") == bridged + build.destination_call.least
    assert await receiving.has("WBTC") == bought


@dataclass(frozen=True)
class Listening:
    """Across, and what it is asked."""

    bridge: AcrossAdapter
    asked: list[QuoteRequest] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        return self.bridge.info

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.bridge.supports(request)

    async def quote(self, request: QuoteRequest, /) -> Quote[Any]:
        self.asked.append(request)
        return await self.bridge.quote(request)

    async def build(self, quote: Quote[Any], /) -> UpstreamTransaction:
        return await self.bridge.build(quote)


def with_bridge(receiving: Receiving, bridge: Any) -> QuoteService:
    """The pools, with another bridge beside them."""
    service = receiving.quotes.service
    pools = next(each for each in service.adapters if each.info.own_calls)
    return receiving.crossing.with_(pools, bridge, composers=service.composers).service


@pytest.mark.parametrize("slippage", [None, Fraction(1, 100)])
async def test_slippage_is_applied_once_over_all_legs(receiving: Receiving, slippage: Fraction | None) -> None:
    bridge = Listening(receiving.across)
    service = with_bridge(receiving, bridge)
    answer = await service.answer(receiving.ask("DAI", "WBTC", 500 * ONE, slippage=slippage))
    whole = Fraction(5, 1000) if slippage is None else slippage
    before = min(whole / 2, Fraction(1, 1000))
    carried = [each for each in bridge.asked if each.message]
    assert {each.slippage for each in carried} == {whole - before}
    assert {each.payout_address for each in carried} == {receiving.there.contracts["receiver"]}
    assert answer.min_output_amount == least_output(answer.output_amount, whole - before)
    (build,) = receiving.kept
    assert build.destination_call is not None
    # What is bridged is what the first swap guarantees, and what the second one spends is what the bridge delivers.
    _, operations, message = message_in(answer)
    said: Any = decode_message(message)
    assert said["calls"][0]["amount"] == build.destination_call.least < operations[-1]["amount"] == build.sent_amount


async def test_few_ways_are_asked_for_and_one_is_kept(receiving: Receiving) -> None:
    bridge = Listening(receiving.across)
    service = with_bridge(receiving, bridge)
    offers = await service.gather(await service.prepare(receiving.ask("USDT", "WBTC", THOUSAND)))
    assert sorted(each.origin_token.symbol for each in bridge.asked if each.message) == ["USDC", "USDT"]
    assert [offer.quote.adapter for offer in offers.offers] == ["ACROSS"]
    # What bridges carry themselves is swapped into nothing on arrival.
    bridge.asked.clear()
    await service.gather(await service.prepare(receiving.ask("DAI", "USDC", 500 * ONE)))
    assert not any(each.message for each in bridge.asked)


@pytest.mark.parametrize(
    ("choice", "answered"),
    [
        (AdapterFilter(include_exchanges=frozenset({"ONCHAIN"}), include_bridges=frozenset({"ACROSS"})), True),
        (AdapterFilter(exclude_exchanges=frozenset({"ONCHAIN"})), False),
        (AdapterFilter(exclude_bridges=frozenset({"ACROSS"})), False),
    ],
)
async def test_filters_govern_the_swap_and_the_bridge(
    receiving: Receiving, choice: AdapterFilter, answered: bool
) -> None:
    request = receiving.ask("USDC", "WBTC", THOUSAND, adapters=choice)
    if answered:
        assert (await receiving.quotes.service.answer(request)).adapter == "ACROSS"
        return
    with pytest.raises(NoAvailableQuotes):
        await receiving.quotes.service.answer(request)


async def test_a_bridge_that_carries_no_messages_is_never_asked_with_one(receiving: Receiving) -> None:
    bridge = Carrier(both(receiving.crossing))
    service = with_bridge(receiving, bridge)
    await service.gather(await service.prepare(receiving.ask("USDC", "WBTC", THOUSAND)))
    assert [each.message for each in bridge.asked] == [b""]


async def test_routes_offer_it_as_one_step(receiving: Receiving) -> None:
    planner = Planner(receiving.quotes.service, (KEY,))
    plans = await planner.routes(receiving.ask("DAI", "WBTC", 500 * ONE), 10)
    (single,) = [plan for plan in plans if len(plan.steps) == 1]
    (step,) = single.steps
    assert (step.type, step.adapter) == (StepType.BRIDGE, "ACROSS")
    again = await planner.step(StepRequest(single.id, 0, step.adapter, step.request))
    for offer in (step, again):
        pairs = [(part.adapter, part.origin_token.symbol, part.destination_token.symbol) for part in offer.parts]
        assert pairs == [("ONCHAIN", "DAI", "USDC"), ("ACROSS", "USDC", "USDC"), ("ONCHAIN", "USDC", "WBTC")]
        chains = {(part.origin_token.chain_id, part.destination_token.chain_id) for part in offer.parts}
        assert len(chains) == 3
        # Each goes on with what the one before guarantees, and the last brings what is answered.
        first, bridge, last = offer.parts
        assert 0 < bridge.input_amount <= first.output_amount
        assert 0 < last.input_amount <= bridge.output_amount
        assert last.output_amount >= offer.output_amount
    order, _, message = message_in(again)
    assert order["hasDestCall"] is True
    assert "0x" + bytes(order["id"]).hex() == again.transaction_id
    assert decode_message(message)["id"] == order["id"]


@pytest.mark.parametrize("name", ["receiver", "executor", "diamond"])
async def test_our_contracts_over_there_receive_nothing(receiving: Receiving, name: str) -> None:
    request = receiving.ask("USDC", "WBTC", THOUSAND, receiver=receiving.there.contracts[name])
    with pytest.raises(InvalidRequest):
        await receiving.quotes.service.answer(request)


async def test_where_there_is_no_receiver_nothing_is_swapped_on_arrival(receiving: Receiving) -> None:
    """Tokens that a bridge pays to an address without code are lost."""
    request = receiving.ask("USDC", "WBTC", THOUSAND)
    await receiving.rpc.call("anvil_setCode", [receiving.there.contracts["receiver"], "0x"])
    with pytest.raises(NoAvailableQuotes) as caught:
        await receiving.quotes.service.answer(request)
    assert "Receiver was not found" in str(caught.value.details)
    bare = replace(request.destination, receiver=None)
    with pytest.raises(NoAvailableQuotes) as caught:
        await receiving.quotes.service.answer(replace(request, destination=bare))
    assert "before a swap" not in str(caught.value.details)


async def test_a_receiver_that_cannot_be_paid_is_offered_nothing(receiving: Receiving) -> None:
    """Its run on the other chain fails, so nobody signs for what could only be recovered."""
    await receiving.rpc.call("anvil_setCode", [receiving.quotes.receiver, "0x60006000fd"])
    with pytest.raises(NoAvailableQuotes) as caught:
        await receiving.quotes.service.answer(receiving.ask("USDC", "ETH", THOUSAND))
    assert "the swap on arrival fails" in str(caught.value.details)


@pytest.mark.parametrize(
    ("longer", "refused"),
    [(256, "the finished transaction does not match"), (288, "longer than the bridge was asked for")],
)
async def test_the_bridge_is_asked_with_room_for_a_longer_swap(
    receiving: Receiving, monkeypatch: pytest.MonkeyPatch, longer: int, refused: str
) -> None:
    """It is planned again when the transaction is made. Zeros make it longer here: only our own reader refuses them."""
    honest = DestinationSwap.message

    def grown(swap: DestinationSwap, after: SwapAfter, /, *, asked_only: bool = False) -> bytes:
        return honest(swap, after, asked_only=asked_only) + bytes(0 if asked_only else longer)

    monkeypatch.setattr(DestinationSwap, "message", grown)
    with pytest.raises((NoAvailableQuotes, AdaptersFailed), match=refused):
        await receiving.quotes.service.answer(receiving.ask("USDC", "WBTC", THOUSAND))


async def test_without_a_run_the_exchange_says_what_gas_it_needs(receiving: Receiving) -> None:
    ran = await receiving.quotes.service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    service = receiving.unrehearsed()
    answer = await service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    gas = [int(str(decode_message(message_in(each)[2])["swapGas"])) for each in (ran, answer)]
    assert gas[0] < gas[1] < 1_000_000
    await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED


async def test_a_placeholder_sees_what_a_wallet_would(receiving: Receiving) -> None:
    request = receiving.ask("DAI", "WBTC", 500 * ONE, sender=NATIVE_EVM, receiver=NATIVE_EVM)
    answer = await receiving.quotes.service.answer(request)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert receiving.kept == []


async def test_it_is_said_that_the_receiver_may_have_the_bridged_token(receiving: Receiving) -> None:
    answer = await receiving.quotes.service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    assert MAY_RECOVER in answer.trust_assumptions
    plain = await receiving.quotes.service.answer(receiving.ask("USDC", "USDC", THOUSAND))
    assert MAY_RECOVER not in plain.trust_assumptions


async def test_the_native_asset_arrives_wrapped_and_is_swapped(receiving: Receiving) -> None:
    """Where it is the only anchor: pools pay contracts the wrapped token."""
    chains = [receiving.quotes.chain, chain_of(receiving.there)]
    listed = [*tokens_of(receiving.quotes.described), *tokens_of(receiving.there)]
    tokens = TokenCatalog(chains, [token for token in listed if token.symbol not in ("USDC", "USDT")], {})
    service = replace(with_bridge(receiving, receiving.across), tokens=tokens)
    answer = await service.answer(receiving.ask("ETH", "WBTC", ONE // 5))
    (build,) = receiving.kept
    assert build.destination_call is not None
    assert build.destination_call.token == receiving.there.contracts["weth9"]
    bought = await receiving.has("WBTC")
    await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await receiving.has("WBTC") - bought == answer.output_amount


async def test_a_node_that_does_not_tell_of_the_receiver_is_no_definite_no(receiving: Receiving) -> None:
    """Nothing but a swap on arrival brings this token; whether there is one is not known while that node is away."""
    composer = receiving.quotes.service.composers[ChainType.EVM]
    assert isinstance(composer, EvmComposer)
    assert composer.checks is not None
    away = replace(receiving.rpc, url="http://127.0.0.1:9")
    checks = ContractChecks({**composer.checks.rpcs, receiving.there.id: away}, 1.0)
    blind = replace(composer, checks=checks)
    service = replace(receiving.quotes.service, composers={ChainType.EVM: blind})
    with pytest.raises(AdaptersFailed) as caught:
        await service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    assert "Sandbox B's node does not say whether" in str(caught.value.details)
