"""Who is asked, and in what order answers stand."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.pauses import NOTHING_PAUSED, Pause, Pauses
from rhumbline.domain.quote import Quote
from rhumbline.domain.route import AdapterFilter
from rhumbline.routing.quote_prices import unit_values
from rhumbline.routing.ranking import RankingContext
from rhumbline.routing.selection import select
from rhumbline.simulation.evm.gas_price import GasPrice
from tests.routing.venues import Toy, ranked_by, toy_chain, toy_request

SWAP = toy_request()
CROSSING = toy_request(destination=toy_chain(2))
DEX = Toy("DEX", chains=(1, 2))
BRIDGE = Toy("BRIDGE", capability=Capability.BRIDGE, chains=(1, 2))
BOTH = Toy("BOTH", capability=Capability.MULTI, chains=(1, 2))
ALL = (DEX, BRIDGE, BOTH)
NOW = datetime(2026, 11, 27, tzinfo=UTC)


def keys(*names: str) -> frozenset[str]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("choice", "swap", "crossing"),
    [
        (AdapterFilter(), "BOTH DEX", "BOTH BRIDGE"),
        (AdapterFilter(include_exchanges=keys("DEX")), "DEX", "BOTH BRIDGE"),
        (AdapterFilter(include_bridges=keys("BOTH")), "BOTH DEX", "BOTH"),
        (AdapterFilter(include_exchanges=keys("BOTH")), "BOTH", "BOTH BRIDGE"),
        (AdapterFilter(exclude_exchanges=keys("DEX", "OKX")), "BOTH", "BOTH BRIDGE"),
        (AdapterFilter(exclude_bridges=keys("BRIDGE", "BOTH")), "BOTH DEX", ""),
        (AdapterFilter(include_exchanges=keys("DEX", "BOTH"), exclude_exchanges=keys("DEX")), "BOTH", "BOTH BRIDGE"),
        (AdapterFilter(include_exchanges=keys("OKX")), "", "BOTH BRIDGE"),
    ],
)
def test_filters(choice: AdapterFilter, swap: str, crossing: str) -> None:
    for request, expected in ((SWAP, swap), (CROSSING, crossing)):
        selection = select(ALL, [request], choice, NOTHING_PAUSED)
        assert [ask.adapter.info.key for ask in selection.asks] == expected.split()
        named = {refusal.adapter for refusal in selection.refusals} | {ask.adapter.info.key for ask in selection.asks}
        assert named >= {"DEX", "BRIDGE", "BOTH"}


def test_an_included_adapter_that_is_not_here_is_said_to_be_missing() -> None:
    selection = select(ALL, [SWAP], AdapterFilter(include_exchanges=keys("OKX")), NOTHING_PAUSED)
    assert ("OKX", "disabled") in [(refusal.adapter, refusal.kind) for refusal in selection.refusals]


def test_chains_and_pairs_that_are_not_served() -> None:
    adapters = (Toy("FAR", chains=(2,)), Toy("PICKY", serves=False))
    selection = select(adapters, [SWAP], AdapterFilter(), NOTHING_PAUSED)
    assert [(refusal.adapter, refusal.kind) for refusal in selection.refusals] == [
        ("FAR", "unsupported"),
        ("PICKY", "unsupported"),
    ]


@pytest.mark.parametrize(
    ("places", "swap", "crossing"),
    [
        ([("DEX", None)], "BOTH", "BOTH BRIDGE"),
        ([("DEX", 1)], "BOTH", "BOTH BRIDGE"),
        ([("BOTH", 1)], "DEX", "BRIDGE"),
        ([("BOTH", 2)], "BOTH DEX", "BRIDGE"),
        ([("BOTH", 3), ("OKX", None)], "BOTH DEX", "BOTH BRIDGE"),
        ([("BOTH", None), ("BRIDGE", 2)], "DEX", ""),
    ],
)
def test_what_the_operator_has_paused_is_not_asked(
    places: list[tuple[str, int | None]], swap: str, crossing: str
) -> None:
    pauses = Pauses(tuple(Pause(adapter, chain, NOW, "alice", "hidden-word") for adapter, chain in places))
    for request, expected in ((SWAP, swap), (CROSSING, crossing)):
        selection = select(ALL, [request], AdapterFilter(), pauses)
        assert [ask.adapter.info.key for ask in selection.asks] == expected.split()
        said = {refusal.adapter: refusal for refusal in selection.refusals}
        for adapter in {"DEX", "BRIDGE", "BOTH"} - set(expected.split()):
            assert said[adapter].kind in ("disabled", "unsupported")
            assert "hidden-word" not in said[adapter].reason


def test_a_filter_that_names_a_paused_adapter_is_told_of_the_pause() -> None:
    only = AdapterFilter(include_exchanges=keys("DEX"))
    for pause, reason in (
        (Pause("DEX", None, NOW, "alice", "hidden-word"), "is paused by the operator"),
        (Pause("DEX", 1, NOW, "alice", "hidden-word"), "is paused by the operator on Toy"),
        (Pause("DEX", None, NOW, "alice", "its API moves", public=True), "is paused by the operator: its API moves"),
    ):
        refusals = {each.adapter: each for each in select(ALL, [SWAP], only, Pauses((pause,))).refusals}
        assert (refusals["DEX"].kind, refusals["DEX"].reason) == ("disabled", reason)
        # What the request excludes, and what does not serve the chains, is said before.
        assert refusals["BOTH"].kind == "excluded"
    paused_afar = select(
        (Toy("FAR", chains=(2,)),), [SWAP], AdapterFilter(), Pauses((Pause("FAR", None, NOW, "a", "b"),))
    )
    assert [each.kind for each in paused_afar.refusals] == ["unsupported"]


def quote(
    adapter: str, output: int, gas: int | None = 100_000, native_fee: int = 0, seconds: int | None = None
) -> Quote[None]:
    return Quote(adapter, SWAP, output, None, native_fee=native_fee, gas_units=gas, seconds=seconds)


DAI_1 = 10**18
GAS = GasPrice(0, 10**10, 30_000_000)
BLIND = RankingContext(None, None, GAS)
OUTPUT_VALUE, NATIVE_VALUE = unit_values((SWAP.destination_token, Decimal(1)), (SWAP.origin.native, Decimal(3000)))
PRICED = RankingContext(OUTPUT_VALUE, NATIVE_VALUE, GAS)


@pytest.mark.parametrize(
    ("quotes", "blind", "priced"),
    [
        # 100,000 units at 10 gwei are 0.001 ETH, 3 USD.
        ([quote("A", 100 * DAI_1), quote("B", 101 * DAI_1)], "B A", "B A"),
        ([quote("A", 100 * DAI_1), quote("B", 101 * DAI_1, gas=200_000)], "B A", "A B"),
        ([quote("A", 100 * DAI_1), quote("B", 101 * DAI_1, native_fee=10**15)], "B A", "A B"),
        ([quote("A", 100 * DAI_1, gas=None), quote("B", 99 * DAI_1, gas=50_000)], "A B", "A B"),
        ([quote("A", 100 * DAI_1, gas=None), quote("B", 98 * DAI_1, gas=90_000), quote("C", 1)], "A B C", "A B C"),
        ([quote("B", DAI_1), quote("A", DAI_1)], "A B", "A B"),
        ([quote("A", DAI_1, seconds=60), quote("B", DAI_1, seconds=2)], "B A", "B A"),
        ([quote("A", DAI_1, seconds=2), quote("B", DAI_1)], "B A", "B A"),
        ([], "", ""),
    ],
)
def test_ranking(quotes: list[Quote[None]], blind: str, priced: str) -> None:
    assert [each.adapter for each in ranked_by(BLIND, quotes)] == blind.split()
    assert [each.adapter for each in ranked_by(PRICED, quotes)] == priced.split()
    assert ranked_by(PRICED, quotes[::-1]) == ranked_by(PRICED, quotes)


def test_whoever_names_a_refund_is_never_refunded_elsewhere() -> None:
    """A bridge that cannot be held to the name is not asked, and says so; neither is one from another type of chain."""
    held = Toy("HELD", capability=Capability.BRIDGE, chains=(1, 2), refunds_named=(ChainType.EVM,))
    bound = Toy("BOUND", capability=Capability.BRIDGE, chains=(1, 2), refunds_bound="it gives back to nobody")
    other = Toy("SOL", capability=Capability.BRIDGE, chains=(1, 2), refunds_named=(ChainType.SVM,))
    named = replace(CROSSING, refund_to=CROSSING.receiver)
    found = select((held, bound, other, BRIDGE), [named], AdapterFilter(), NOTHING_PAUSED)
    assert [ask.adapter.info.key for ask in found.asks] == ["HELD"]
    assert {refusal.adapter: refusal.kind for refusal in found.refusals} == {
        "BRIDGE": "unsupported", "BOUND": "unsupported", "SOL": "unsupported",
    }  # fmt: skip
    reasons = {refusal.adapter: refusal.reason for refusal in found.refusals}
    assert reasons["SOL"] == "cannot refund a named address from Toy: leave refundTo out to use it"
    assert "from Toy (it gives back to nobody): leave" in reasons["BOUND"]
    assert len(select((held, other, BRIDGE), [CROSSING], AdapterFilter(), NOTHING_PAUSED).asks) == 3


def test_native_on_arrival_is_asked_of_who_brings_it_from_there() -> None:
    brings = Toy("BRINGS", capability=Capability.BRIDGE, chains=(1, 2), gas_from=(ChainType.EVM,))
    other = Toy("SOL", capability=Capability.BRIDGE, chains=(1, 2), gas_from=(ChainType.SVM,))
    wanted = replace(CROSSING, destination_gas=1)
    found = select((brings, other, BRIDGE), [wanted], AdapterFilter(), NOTHING_PAUSED)
    assert [ask.adapter.info.key for ask in found.asks] == ["BRINGS"]
    assert {each.reason for each in found.refusals} == {"cannot bring native of the destination with a transfer"}
    called = replace(wanted, calls_on_arrival=True)
    assert not select((brings, other, BRIDGE), [called], AdapterFilter(), NOTHING_PAUSED).asks
