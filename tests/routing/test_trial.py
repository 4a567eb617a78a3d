"""What is dropped, what is answered instead, and what a caller is told when nothing is left."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain import errors
from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.fees import FEE_SKIPPED
from rhumbline.routing.trial import GAS_MEMORY_S, MOST_MEASURED, MeasuredGas
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.routing.quote_fixture import KEY, QuoteFixture, integrator
from tests.routing.venues import (
    OTHER,
    WALLET,
    PairVenue,
    PoolVenue,
    Toy,
    raising,
    toy_chain,
    toy_request,
    toy_token,
)  # fmt: skip

AMOUNT = 10**9


@dataclass(frozen=True)
class ThievingVenue(PoolVenue):
    """Builds a call that allows somebody else to take the wallet's tokens."""

    key: str = "THIEF"

    async def build(self, quote: Quote[int], /) -> UpstreamTransaction:
        token = quote.request.origin_token.address
        return EvmTransaction(self.chain.id, token, 0, encoded("approve(address,uint256)", OTHER, 2**255), OTHER)


def entries(error: errors.RhumblineError) -> list[dict[str, str]]:
    assert isinstance(error.details, dict)
    found = error.details["adapters"]
    assert isinstance(found, list)
    return found


async def test_a_route_that_reverts_makes_room_for_the_next_best(quotes: QuoteFixture) -> None:
    boaster = PoolVenue(quotes.described, quotes.rpc, key="BOASTER", boast=10**17)
    honest = PoolVenue(quotes.described, quotes.rpc)
    answer = await quotes.with_(boaster, honest).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "POOL"
    assert [(refusal.adapter, refusal.kind) for refusal in answer.refusals] == [("BOASTER", "slippage")]
    assert answer.simulation is not None
    statuses = [result.status for result in answer.simulation.providers]
    assert statuses == [ExecutionStatus.SUCCESS, ExecutionStatus.REVERTED]
    assert str(answer.simulation.providers[1].reason).startswith("BOASTER: ")
    assert "OutputBelowMinimum(" in str(answer.simulation.providers[1].reason)


async def test_only_a_boaster_is_slippage(quotes: QuoteFixture) -> None:
    boaster = PoolVenue(quotes.described, quotes.rpc, key="BOASTER", boast=10**17)
    with pytest.raises(errors.SlippageExceeded) as caught:
        await quotes.with_(boaster).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert entries(caught.value)[0]["kind"] == "slippage"


@pytest.mark.parametrize(("sold", "bought", "amount"), [("TAX", "WETH", 10**19), ("WETH", "TAX", 10**17)])
@pytest.mark.parametrize("slippage", [None, Fraction(1, 10)])
async def test_a_token_that_takes_a_fee_on_transfer_is_refused(
    quotes: QuoteFixture, sold: str, bought: str, amount: int, slippage: Fraction | None
) -> None:
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.with_(PairVenue(quotes.described, quotes.rpc)).service.answer(
            quotes.ask(sold, bought, amount, slippage=slippage)
        )
    (entry,) = entries(caught.value)
    assert entry["kind"] == "refused"
    assert f"{quotes.token('TAX')} takes a fee on transfer" in entry["reason"]


async def test_a_call_that_approves_somebody_is_refused(quotes: QuoteFixture) -> None:
    """In the direct form the wallet itself makes the upstream's call."""
    bare = replace(quotes.chain, diamond=None, executor=None)
    thief, honest = ThievingVenue(quotes.described, quotes.rpc), PoolVenue(quotes.described, quotes.rpc)
    request = quotes.ask("USDC", "WETH", AMOUNT, origin=bare, destination=bare)
    answer = await quotes.with_(thief, honest).service.answer(request)
    assert answer.adapter == "POOL"
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.with_(thief).service.answer(request)
    assert "approves something of the sender's" in entries(caught.value)[0]["reason"]


async def test_the_executor_refuses_the_thief_too(quotes: QuoteFixture) -> None:
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.with_(ThievingVenue(quotes.described, quotes.rpc)).service.answer(
            quotes.ask("USDC", "WETH", AMOUNT)
        )
    (entry,) = entries(caught.value)
    assert entry["kind"] == "reverted"
    assert f"TargetRefused({quotes.token('USDC')})" in entry["reason"]


async def test_direct_form_without_a_diamond(quotes: QuoteFixture) -> None:
    bare = replace(quotes.chain, diamond=None, executor=None)
    request = quotes.ask(
        "USDC", "WETH", AMOUNT, origin=bare, destination=bare, receiver=quotes.receiver, integrator="acme",
        fee_share=Fraction(1, 100),
    )  # fmt: skip
    answer = await quotes.service.answer(request)
    assert answer.approval_address == quotes.described.contracts["swap_router_02"]
    assert answer.charges == ()
    assert [warning.code for warning in answer.warnings] == [FEE_SKIPPED]
    gain, _ = await quotes.execute(answer)
    assert gain == answer.output_amount


async def test_no_pool_is_no_quote(quotes: QuoteFixture) -> None:
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.service.answer(quotes.ask("USDT", "WBTC", AMOUNT))
    assert caught.value.details == {
        "message": ["POOL: has no pool for this pair"],
        "adapters": [{"adapter": "POOL", "kind": "no_route", "reason": "has no pool for this pair"}],
    }


async def test_excluding_everybody_is_no_quote(quotes: QuoteFixture) -> None:
    choice = AdapterFilter(exclude_exchanges=frozenset({"POOL"}))
    with pytest.raises(errors.NoAvailableQuotes) as caught:
        await quotes.service.answer(quotes.ask("USDC", "WETH", AMOUNT, adapters=choice))
    assert entries(caught.value)[0]["kind"] == "excluded"


async def test_the_minimum_is_before_fees(quotes: QuoteFixture) -> None:
    chains = (quotes.chain.id,)
    toys = [
        Toy(key, raising(errors.BelowMinimum("too small", least)), chains=chains)
        for key, least in (("A", 990), ("B", 1980))
    ]
    request = quotes.ask("USDC", "WETH", 100, integrator="acme", fee_share=Fraction(1, 100))
    with pytest.raises(errors.AmountTooLow, match=r"too low; A asks for at least 999$") as caught:
        await quotes.with_(*toys).service.answer(request)
    assert [entry["minimum"] for entry in entries(caught.value)] == ["999", "1999"]
    assert isinstance(caught.value.details, dict)
    assert "minimum" not in caught.value.details, "at no amount that was told there is a quote"


@dataclass(frozen=True)
class Picky(PoolVenue):
    """Refuses what is below a minimum of its own, and ``tells`` one."""

    least: int = 10**6
    tells: int = 10**6
    asked: list[int] = field(default_factory=list)

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        self.asked.append(request.amount)
        if request.amount < self.least:
            raise errors.BelowMinimum("too small", self.tells)
        return await super().quote(request)


async def test_an_amount_that_is_named_works(quotes: QuoteFixture) -> None:
    """The smaller minimum is not true; it is asked for once, and then the other."""
    liar = Picky(quotes.described, quotes.rpc, key="LIAR", tells=5 * 10**5)
    true = Picky(quotes.described, quotes.rpc, key="TRUE", least=2 * 10**6, tells=2 * 10**6)
    quotes = quotes.with_(liar, true)
    request = quotes.ask("USDC", "WETH", 100, integrator="acme", fee_share=Fraction(1, 100))
    with pytest.raises(errors.AmountTooLow, match="at least 2020202 is needed") as caught:
        await quotes.service.answer(request)
    assert (liar.asked, true.asked) == ([99, 500_000], [99, 2_000_000])
    assert isinstance(caught.value.details, dict)
    least = int(str(caught.value.details["minimum"]))
    assert (await quotes.service.answer(replace(request, amount=least))).output_amount > 0


async def test_while_something_fails_no_amount_is_named(quotes: QuoteFixture) -> None:
    picky = Picky(quotes.described, quotes.rpc, key="PICKY")
    failing = Toy("A", raising(errors.UpstreamFailed("is down")), chains=(quotes.chain.id,))
    with pytest.raises(errors.AdaptersFailed) as caught:
        await quotes.with_(picky, failing).service.answer(quotes.ask("USDC", "WETH", 100))
    assert picky.asked == [100]
    assert isinstance(caught.value.details, dict)
    assert "minimum" not in caught.value.details


async def test_unknown_tokens_same_tokens_and_bad_receivers(quotes: QuoteFixture) -> None:
    with pytest.raises(errors.NotFound):
        await quotes.service.answer(replace(quotes.ask("USDC", "WETH", AMOUNT), destination_token=OTHER))
    with pytest.raises(errors.InvalidRequest, match=r"^Invalid") as same:
        await quotes.service.answer(quotes.ask("USDC", "USDC", AMOUNT))
    assert same.value.faults[0].startswith("destinationCurrency:")
    for receiver in (quotes.token("WETH"), quotes.token("USDC"), str(quotes.chain.diamond), str(quotes.chain.executor)):
        with pytest.raises(errors.InvalidRequest) as refused:
            await quotes.service.answer(quotes.ask("USDC", "WETH", AMOUNT, receiver=receiver))
        assert refused.value.faults[0].startswith("receiverAddress:")
    with pytest.raises(errors.InvalidRequest) as named:
        await quotes.service.answer(quotes.ask("USDC", "WETH", AMOUNT, integrator="x" * 33))
    assert named.value.faults[0].startswith("integrator:")


async def test_a_node_that_is_gone_is_a_passing_failure(quotes: QuoteFixture) -> None:
    gone = EvmRpc("http://127.0.0.1:9", quotes.rpc.http, "gone")
    with pytest.raises(errors.AdaptersFailed):
        await quotes.with_(PoolVenue(quotes.described, gone)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))


async def test_a_store_that_is_gone_matters_for_fees_only(quotes: QuoteFixture) -> None:
    async def gone(name: str) -> None:
        raise errors.StoreUnavailable("The store does not answer")

    service = replace(quotes.service, integrators=gone)
    answer = await service.answer(quotes.ask("USDC", "WETH", AMOUNT, integrator="acme"))
    assert answer.output_amount
    with pytest.raises(errors.StoreUnavailable):
        await service.answer(quotes.ask("USDC", "WETH", AMOUNT, integrator="acme", fee_share=Fraction(1, 100)))


async def test_loss_against_known_prices(quotes: QuoteFixture) -> None:
    stale = {"now": False}
    usd = {quotes.token("USDC"): Decimal(1), quotes.token("WETH"): Decimal(4000)}

    def price(chain_id: int, token: str) -> PriceSnapshot | None:
        if token not in usd:
            return None
        now = datetime.now(UTC)
        return PriceSnapshot(chain_id, token, usd[token], "test", now, stale["now"], PriceTier.HOT, False)

    service = replace(quotes.service, prices=price)
    # WETH trades at 3000: a third is gained by selling USDC, which is too good, a quarter is lost by selling WETH.
    with pytest.raises(errors.NoAvailableQuotes) as good:
        await service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert "% more than the input is worth" in entries(good.value)[0]["reason"]
    with pytest.raises(errors.SlippageExceeded, match="slippage") as caught:
        await service.answer(quotes.ask("WETH", "USDC", 10**18))
    assert "26 % of the value would be lost" in entries(caught.value)[0]["reason"]
    assert (await service.answer(quotes.ask("WETH", "USDC", 10**18, slippage=Fraction(3, 10)))).output_amount
    with pytest.raises(errors.SlippageExceeded):
        await service.answer(quotes.ask("WETH", "USDC", 10**18, slippage=Fraction(3, 10), auto_slippage=True))
    stale["now"] = True
    assert (await service.answer(quotes.ask("WETH", "USDC", 10**18))).output_amount


@dataclass(frozen=True)
class OddVenue(PoolVenue):
    """Quotes well and builds whatever it is told to."""

    key: str = "ODD"
    built: UpstreamTransaction | Exception | None = None

    async def build(self, quote: Quote[int], /) -> UpstreamTransaction:
        if isinstance(self.built, Exception):
            raise self.built
        assert self.built is not None
        return self.built


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize(
    ("built", "kind", "reason"),
    [
        (errors.RequestRejected("the answer names another receiver"), "bad_request", "another receiver"),
        (ZeroDivisionError("inside"), "transient", "failed unexpectedly"),
        (EvmTransaction(900001, OTHER, 5, b""), "transient", "sends 5 wei instead of 0"),
        (EvmTransaction(1, OTHER, 0, b""), "transient", ""),
    ],
    ids=["refuses", "breaks", "value", "chain"],
)
async def test_a_venue_that_cannot_build_makes_room(
    quotes: QuoteFixture, built: UpstreamTransaction | Exception, kind: str, reason: str, direct: bool
) -> None:
    chain = replace(quotes.chain, diamond=None, executor=None) if direct else quotes.chain
    odd = OddVenue(quotes.described, quotes.rpc, built=built)
    service = quotes.with_(odd, PoolVenue(quotes.described, quotes.rpc)).service
    answer = await service.answer(quotes.ask("USDC", "WETH", AMOUNT, origin=chain, destination=chain))
    assert answer.adapter == "POOL"
    (refusal,) = answer.refusals
    assert (refusal.adapter, refusal.kind) == ("ODD", kind)
    assert reason in refusal.reason


@pytest.mark.parametrize("direct", [False, True])
async def test_a_transaction_for_another_type_of_chain(quotes: QuoteFixture, direct: bool) -> None:
    odd = OddVenue(quotes.described, quotes.rpc, built=SvmDraft(1, NATIVE_SVM, (), frozenset()))
    chain = replace(quotes.chain, diamond=None) if direct else quotes.chain
    with pytest.raises(errors.AdaptersFailed) as caught:
        await quotes.with_(odd).service.answer(quotes.ask("USDC", "WETH", AMOUNT, origin=chain, destination=chain))
    assert entries(caught.value)[0]["reason"] == "the transaction is for another type of chain"


async def test_direct_form_gives_the_minimum_or_nothing(quotes: QuoteFixture) -> None:
    """There the Diamond does not watch over the minimum, so the simulation does."""
    bare = replace(quotes.chain, diamond=None)
    boaster = PoolVenue(quotes.described, quotes.rpc, boast=10**17)
    with pytest.raises(errors.SlippageExceeded) as caught:
        await quotes.with_(boaster).service.answer(quotes.ask("USDC", "WETH", AMOUNT, origin=bare, destination=bare))
    assert "would arrive" in entries(caught.value)[0]["reason"]


async def test_direct_form_pays_nobody_that_nobody_is(quotes: QuoteFixture) -> None:
    bare = replace(quotes.chain, diamond=None)
    request = quotes.ask("USDC", "WETH", AMOUNT, origin=bare, destination=bare, receiver=NATIVE_EVM)
    with pytest.raises(errors.InvalidRequest) as caught:
        await quotes.service.answer(request)
    assert caught.value.faults == ("receiverAddress: must be a wallet that somebody can sign for",)


async def test_without_simulator_and_gas_reader_there_is_still_an_answer(quotes: QuoteFixture) -> None:
    service = replace(quotes.service, simulators={}, composers={ChainType.EVM: EvmComposer((KEY,))})
    answer = await service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert (answer.simulation, answer.gas) == (None, None)
    assert not answer.fees.items


async def test_a_simulation_that_tells_nothing_drops_nothing(quotes: QuoteFixture) -> None:
    gone = EvmRpc("http://127.0.0.1:9", quotes.rpc.http, "gone")
    gas = GasReader(gone)
    composer = EvmComposer((KEY,), {quotes.chain.id: gas})
    service = replace(
        quotes.service, simulators={quotes.chain.id: RpcSimulator(gone, gas)}, composers={ChainType.EVM: composer}
    )
    answer = await service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.ERROR
    assert answer.gas is None


async def test_a_token_that_cannot_be_looked_up_now_is_a_passing_failure(quotes: QuoteFixture) -> None:
    gone = EvmRpc("http://127.0.0.1:9", quotes.rpc.http, "gone")
    tokens = TokenCatalog([quotes.chain], [], token_readers({quotes.chain.id: gone}))
    with pytest.raises(errors.AdaptersFailed):
        await replace(quotes.service, tokens=tokens).answer(quotes.ask("USDC", "WETH", AMOUNT))


async def test_the_callers_own_integrator_needs_no_store(quotes: QuoteFixture) -> None:
    async def gone(name: str) -> None:
        raise errors.StoreUnavailable("The store does not answer")

    request = quotes.ask(
        "USDC", "WETH", AMOUNT, integrator="ACME", fee_share=Fraction(1, 100), client=ApiClient(integrator("Acme"))
    )
    answer = await replace(quotes.service, integrators=gone).answer(request)
    assert [charge.amount for charge in answer.charges] == [AMOUNT // 100]


def of(request: QuoteRequest | None = None) -> Quote[None]:
    return Quote("A", request or toy_request(), 1, None)


@given(st.lists(st.tuples(st.integers(1, 10**7), st.integers(0, int(GAS_MEMORY_S))), min_size=1))
def test_of_measured_gas_the_least_of_the_last_ten_minutes_counts(noted: list[tuple[int, int]]) -> None:
    now = [0.0]
    gas, quote = MeasuredGas(now=lambda: now[0]), of()
    assert gas.least(quote) is None
    for used, passed in noted:
        now[0] += passed
        known = gas.least(quote)
        gas.note(quote, used)
        assert gas.least(quote) == (used if known is None else min(used, known))
    now[0] += GAS_MEMORY_S
    assert gas.least(quote) is None


def test_gas_that_one_way_used_says_nothing_of_another() -> None:
    gas, elsewhere = MeasuredGas(), toy_chain(2)
    gas.note(of(), 100)
    turned = toy_request(origin_token=toy_request().destination_token, destination_token=toy_request().origin_token)
    for request in (
        turned,
        toy_request(taker=WALLET),
        toy_request(origin=elsewhere),
        toy_request(destination=elsewhere),
    ):
        assert gas.least(of(request)) is None
    assert gas.least(replace(of(), adapter="OTHER")) is None
    assert gas.least(of(toy_request(amount=1, sender=OTHER, receiver=OTHER))) == 100


def test_gas_of_an_unlisted_token_is_not_remembered() -> None:
    gas, strange = MeasuredGas(), toy_token(listed=False)
    for request in (toy_request(origin_token=strange), toy_request(destination_token=strange)):
        quote = of(request)
        gas.note(quote, 100)
        assert gas.least(quote) is None


def test_remembered_gas_is_bounded() -> None:
    gas = MeasuredGas()
    quotes = [of(toy_request(origin_token=toy_token(f"0x{n:040x}"))) for n in range(MOST_MEASURED + 1)]
    for quote in quotes:
        gas.note(quote, 100)
    assert [gas.least(quotes[0]), gas.least(quotes[1]), gas.least(quotes[-1])] == [None, 100, 100]
