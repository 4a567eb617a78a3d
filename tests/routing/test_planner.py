"""Plans on the sandbox: their order, how much is asked for them, and what filters leave of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import AdaptersFailed, NoAvailableQuotes, NoRoute, UpstreamFailed
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.plan import Plan
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter, RouteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction, UpstreamTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.answer import NOT_RUN, UNMEASURED, UNSEEN_THERE
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.planner import ENOUGH, Planner
from rhumbline.routing.quote_service import QuoteService
from rhumbline.routing.shapes import MOST_WAYS
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PoolVenue, chain_of, tokens_of
from tests.simulation.nodes import Answer, lacking, node_before

PLACE = "0x1111111111111111111111111111111111111119"
WETH = 10**18
LOST = Fraction(1, 1000)


@dataclass(frozen=True)
class Venue(PoolVenue):
    asked: list[QuoteRequest] = field(default_factory=list)
    trusts: tuple[str, ...] = ()

    @property
    def info(self) -> AdapterInfo:
        return replace(super().info, trust_assumptions=self.trusts)

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        self.asked.append(request)
        return await super().quote(request)


@dataclass(frozen=True)
class Bridge:
    """Carries tokens to themselves on the other chain, those of ``carries``, and keeps a thousandth."""

    chains: tuple[int, ...]
    key: str = "BRIDGE"
    carries: tuple[tuple[str, str], ...] = (("USDC", "USDC"), ("USDT", "USDT"))
    least: int = 1
    asked: list[QuoteRequest] = field(default_factory=list)
    trusts: tuple[str, ...] = ()
    refunds_named: tuple[ChainType, ...] = ()

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(
            *(self.key, "Bridge", "", Capability.BRIDGE, self.chains),
            trust_assumptions=self.trusts,
            refunds_named=self.refunds_named,
            refund_terms=("The named one is refunded.",),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        return (request.origin_token.symbol, request.destination_token.symbol) in self.carries

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        self.asked.append(request)
        if request.amount < self.least:
            raise NoRoute("takes no less than it takes")
        decimals = request.destination_token.decimals - request.origin_token.decimals
        output = int(request.amount * (1 - LOST) * Fraction(10) ** decimals)
        return Quote(self.key, request, output, None, seconds=9, gas_units=100_000)

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        request = quote.request
        return EvmTransaction(
            request.origin.id, PLACE, 0, b"", None, CallKind.PAY,
            deposit=BridgeDeposit(request.origin_token.address, request.amount, (PLACE,)),
        )  # fmt: skip


@dataclass
class Planning:
    quotes: QuoteFixture
    other: SandboxChain
    near: Venue
    far: Venue
    bridge: Bridge

    def ask(self, sold: str = "WETH", bought: str = "WETH", amount: int = WETH // 10, **changes: Any) -> RouteRequest:
        plain = self.quotes.ask(sold, "USDC", amount)
        bought_there = self.other.tokens[bought].address
        return replace(plain, **{"destination": chain_of(self.other), "destination_token": bought_there, **changes})

    def planner(self, *adapters: Any) -> Planner:
        found = adapters or (self.near, self.far, self.bridge)
        return Planner(replace(self.quotes.service, adapters=found), (KEY,))

    def price(self, chain_id: int, address: str) -> PriceSnapshot | None:
        token = self.quotes.service.tokens.listed_at(chain_id, address)
        worth = None if token is None else {"WETH": Decimal(3000), "USDC": Decimal(1)}.get(token.symbol)
        if worth is None:
            return None
        return PriceSnapshot(chain_id, address, worth, "test", system_clock(), False, PriceTier.HOT, False)

    @property
    def asked(self) -> int:
        return sum(len(each.asked) for each in (self.near, self.far, self.bridge))


@pytest.fixture
def planning(quotes: QuoteFixture, restored_sandbox: Sandbox, http: HttpClient) -> Planning:
    described = restored_sandbox.evm_chains[:2]
    chains = [chain_of(each) for each in described]
    rpcs = {each.id: EvmRpc(each.rpc_url, http, each.key) for each in described}
    gas = {number: GasReader(rpc) for number, rpc in rpcs.items()}
    tokens = [token for each in described for token in tokens_of(each)]
    service: QuoteService = replace(
        quotes.service,
        tokens=TokenCatalog(chains, tokens, token_readers(rpcs)),
        simulators={number: RpcSimulator(rpc, gas[number], 10.0) for number, rpc in rpcs.items()},
        composers={ChainType.EVM: EvmComposer((KEY,), gas)},
    )
    near, far = (
        Venue(each, rpcs[each.id], fee=500, key=key) for each, key in zip(described, ("NEAR", "FAR"), strict=True)
    )
    both = Bridge((described[0].id, described[1].id))
    return Planning(replace(quotes, service=service), described[1], near, far, both)


def shown(plans: Sequence[Plan]) -> list[tuple[tuple[str, str, int, int], ...]]:
    return [
        tuple((step.adapter, step.destination_token.symbol, step.output_amount, step.min_output_amount)
              for step in plan.steps)
        for plan in plans
    ]  # fmt: skip


async def test_the_same_question_has_the_same_plans_in_the_same_order(planning: Planning) -> None:
    """Two bridges promise the same for one step, and the way by the stable coin brings less."""
    equal = [replace(planning.bridge, key=key, carries=(("WETH", "WETH"),)) for key in ("SAME", "ALIKE")]
    adapters = [planning.near, planning.far, planning.bridge, *equal]
    first = await planning.planner(*adapters).routes(planning.ask(), 10)
    again = await planning.planner(*reversed(adapters)).routes(planning.ask(), 10)
    assert shown(first) == shown(again)
    assert [[step.adapter for step in plan.steps] for plan in first] == [["ALIKE"], ["SAME"], ["NEAR", "BRIDGE", "FAR"]]
    assert {plan.id for plan in first}.isdisjoint({plan.id for plan in again})


async def test_each_step_begins_with_what_the_one_before_is_expected_to_bring(planning: Planning) -> None:
    (plan, *_) = await planning.planner().routes(planning.ask(), 1)
    swap, crossing, last = plan.steps
    assert (crossing.request.amount, last.request.amount) == (swap.output_amount, crossing.output_amount)
    assert (plan.output_amount, plan.min_output_amount) == (last.output_amount, last.min_output_amount)
    for step in plan.steps:
        assert 0 < step.min_output_amount <= step.output_amount
    # The guarantee of a step is for the least that the one before brings, so what may be lost adds up.
    alone = crossing.min_output_amount * (1 - LOST)
    assert crossing.min_output_amount <= swap.min_output_amount * (1 - LOST)
    assert alone < crossing.output_amount


@pytest.mark.parametrize("most", [1, 2, 10**9])
async def test_what_is_asked_does_not_grow_with_the_routes_that_are_wanted(planning: Planning, most: int) -> None:
    plans = await planning.planner().routes(planning.ask(), most)
    assert 1 <= len(plans) <= min(most, MOST_WAYS)
    # A way asks once for its first leg, and twice for each of two more: with what is expected and with the least.
    assert planning.asked <= 5 * MOST_WAYS


@pytest.mark.parametrize("anchor", ["ETH", "WETH"])
async def test_a_way_may_go_through_the_native_asset_and_its_wrapped_form(planning: Planning, anchor: str) -> None:
    bridge = replace(planning.bridge, carries=((anchor, anchor),))
    request = planning.ask("USDC", "USDC", 10**9)
    (plan,) = await planning.planner(planning.near, planning.far, bridge).routes(request, 10)
    assert [(step.adapter, step.destination_token.symbol) for step in plan.steps] == [
        ("NEAR", anchor), ("BRIDGE", anchor), ("FAR", "USDC"),
    ]  # fmt: skip


async def test_estimates_say_what_they_have_to_be_believed_in_and_what_they_lose(planning: Planning) -> None:
    """On the way nothing is run: the steps are estimates, and what is known of all of them is known of the route."""
    bridge = replace(planning.bridge, trusts=("Somebody's word.",), carries=(("USDC", "USDC"),))
    planner = planning.planner(planning.near, planning.far, bridge)
    planner = replace(planner, quotes=replace(planner.quotes, prices=planning.price))
    (plan,) = await planner.routes(planning.ask(), 1)
    swap, crossing, last = plan.steps
    assert swap.trust_assumptions == last.trust_assumptions == (UNMEASURED, NOT_RUN)
    assert crossing.trust_assumptions == ("Somebody's word.", UNSEEN_THERE, NOT_RUN)
    assert plan.trust_assumptions == (UNMEASURED, NOT_RUN, "Somebody's word.", UNSEEN_THERE)
    assert crossing.price_impact == 1 - Fraction(crossing.output_amount, crossing.request.amount)
    # No fee is taken here, so what the steps lose together is what is missing at the end.
    assert plan.price_impact == 1 - Fraction(plan.output_amount, plan.request.amount)
    assert replace(plan, steps=(replace(swap, price_impact=None), crossing, last)).price_impact is None


async def test_a_step_that_was_run_says_what_a_quote_of_it_says(planning: Planning) -> None:
    planner = planning.planner(replace(planning.near, trusts=("Somebody's word.",)))
    planner = replace(planner, quotes=replace(planner.quotes, prices=planning.price))
    request = planning.quotes.ask("WETH", "USDC", WETH // 10)
    answer = await planner.quotes.answer(request)
    (plan,) = await planner.routes(request, 1)
    assert answer.trust_assumptions == plan.trust_assumptions == ("Somebody's word.",)
    assert answer.price_impact is not None
    assert plan.price_impact == answer.price_impact


async def test_longer_ways_are_not_asked_for_where_enough_do_it_in_one_step(planning: Planning) -> None:
    carries = (*planning.bridge.carries, ("WETH", "WETH"))
    bridges = [replace(planning.bridge, key=f"BRIDGE{n}", carries=carries, asked=[]) for n in range(ENOUGH)]
    plans = await planning.planner(planning.near, planning.far, *bridges).routes(planning.ask(), 10)
    assert [len(plan.steps) for plan in plans] == [1] * ENOUGH
    assert (planning.asked, [len(each.asked) for each in bridges]) == (0, [1] * ENOUGH)


async def test_a_step_that_cannot_do_with_the_least_is_no_step(planning: Planning) -> None:
    """What is expected would do, what is guaranteed would not: nobody could go on from there."""
    (plan, *_) = await planning.planner().routes(planning.ask(), 1)
    expected, least = plan.steps[0].output_amount, plan.steps[0].min_output_amount
    strict = replace(planning.bridge, carries=(("USDC", "USDC"),), least=(expected + least) // 2)
    with pytest.raises(NoAvailableQuotes):
        await planning.planner(planning.near, planning.far, strict).routes(planning.ask(), 10)


@pytest.mark.parametrize(
    "choice",
    [
        AdapterFilter(include_bridges=frozenset({"BRIDGE"}), exclude_bridges=frozenset({"BRIDGE"})),
        AdapterFilter(exclude_bridges=frozenset({"BRIDGE"})),
        AdapterFilter(include_bridges=frozenset({"NEAR"})),
        AdapterFilter(include_exchanges=frozenset({"NEAR"}), exclude_exchanges=frozenset({"NEAR"})),
        AdapterFilter(include_exchanges=frozenset({"NOBODY"})),
        AdapterFilter(exclude_exchanges=frozenset({"FAR"})),
    ],
)
async def test_a_filter_that_leaves_nothing(planning: Planning, choice: AdapterFilter) -> None:
    with pytest.raises(NoAvailableQuotes) as caught:
        await planning.planner().routes(planning.ask(adapters=choice), 10)
    assert caught.value.details is not None


@pytest.mark.parametrize("broken", ["bridge", "far"])
async def test_a_way_that_an_outage_hides_is_no_definite_no(planning: Planning, broken: str) -> None:
    """Nothing carries WETH in one step; what failed on the way over another token may work in a moment."""

    @dataclass(frozen=True)
    class Away(Venue):
        async def quote(self, request: QuoteRequest, /) -> Quote[int]:
            raise UpstreamFailed("sbxb: the node does not answer")

    @dataclass(frozen=True)
    class AwayBridge(Bridge):
        async def quote(self, request: QuoteRequest, /) -> Quote[None]:
            raise UpstreamFailed("sbxb: the node does not answer")

    far, bridge = planning.far, planning.bridge
    if broken == "bridge":
        bridge = AwayBridge(bridge.chains)
    else:
        far = Away(far.chain, far.rpc, fee=500, key="FAR")
    with pytest.raises(AdaptersFailed) as caught:
        await planning.planner(planning.near, far, bridge).routes(planning.ask(), 5)
    assert "the node does not answer" in str(caught.value.details)


async def refusing(call: dict[str, Any]) -> object | None:
    return {"error": {"code": -32000, "message": "busy"}} if call["method"] == "eth_simulateV1" else None


async def silent(call: dict[str, Any]) -> object | None:
    if call["method"] == "eth_simulateV1":
        await asyncio.Event().wait()
    return None


@pytest.mark.parametrize(
    ("answer", "measured"), [(lacking("eth_simulateV1"), True), (refusing, False), (silent, False)]
)
async def test_routes_come_when_nodes_cannot_simulate(planning: Planning, answer: Answer, measured: bool) -> None:
    async with node_before(planning.quotes.rpc, answer) as rpc:
        planner = planning.planner(planning.near)
        simulator = RpcSimulator(rpc, GasReader(planning.quotes.rpc), 10.0 if measured else 0.3)
        planner = replace(planner, quotes=replace(planner.quotes, simulators={planning.quotes.chain.id: simulator}))
        (plan,) = await planner.routes(planning.quotes.ask("WETH", "USDC", WETH // 10), 10)
    (step,) = plan.steps
    assert step.simulation is not None
    assert (step.simulation.measured_output == step.output_amount) is measured
    assert (step.trust_assumptions == ()) is measured
    assert 0 < plan.min_output_amount < plan.output_amount


async def test_filters_hold_on_every_step(planning: Planning) -> None:
    second = replace(planning.near, key="SECOND", asked=[])
    choice = AdapterFilter(include_exchanges=frozenset({"SECOND", "FAR"}), exclude_exchanges=frozenset({"NOBODY"}))
    adapters = (planning.near, second, planning.far, planning.bridge)
    plans = await planning.planner(*adapters).routes(planning.ask(adapters=choice), 10)
    assert {tuple(step.adapter for step in plan.steps) for plan in plans} == {("SECOND", "BRIDGE", "FAR")}
    assert planning.near.asked == []


async def test_fees_are_on_the_first_step_alone(planning: Planning) -> None:
    wallets = ChainWallets(evm="0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc")
    fees = FeeSettings(FeeRule(service_share=Fraction(1, 1000)), wallets)
    planner = replace(planning.planner(), quotes=replace(planning.planner().quotes, fees=fees))
    request = planning.ask(integrator="Acme", fee_share=Fraction(1, 100))
    for plan in await planner.routes(request, 10):
        first, *later = plan.steps
        taken = request.amount // 100 + request.amount // 1000
        assert first.quote_amount == request.amount - taken
        assert first.fee_proof is None
        for step in later:
            assert (step.quote_amount, step.fee_proof is None) == (step.request.amount, False)
            assert not [item for item in step.fees.items if item.type == "app"]


async def test_a_named_refund_is_that_of_the_step_that_leaves_the_chain(planning: Planning) -> None:
    named = planning.quotes.receiver
    held = replace(planning.bridge, key="HELD", refunds_named=(ChainType.EVM,), asked=[])
    adapters = (planning.near, planning.far, planning.bridge, held)
    plans = await planning.planner(*adapters).routes(planning.ask(refund_to=named), 10)
    assert {tuple(step.adapter for step in plan.steps) for plan in plans} == {("NEAR", "HELD", "FAR")}
    for plan in plans:
        assert [step.request.refund_to for step in plan.steps] == [None, named, None]
        assert ["The named one is refunded." in step.trust_assumptions for step in plan.steps] == [False, True, False]
    assert planning.bridge.asked == []
    assert {request.refund_address for request in held.asked} == {named}
    with pytest.raises(NoAvailableQuotes):
        await planning.planner(planning.near, planning.far, planning.bridge).routes(planning.ask(refund_to=named), 10)
