from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import MISSING

from rhumbline.api.wire.fees import to_fees
from rhumbline.domain.amount import share_down
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.fee import ChainWallets, Charge, FeeItem, FeeKind, FeeRule, FeeType
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token
from rhumbline.routing.fees import FEE_SKIPPED, Costs, FeeSettings, FeeTerms, divide, gross_for, itemise
from rhumbline.routing.quote_prices import PriceReader
from tests.routing.quote_fixture import integrator
from tests.routing.venues import DAI, EXECUTOR, OTHER, USDC, WALLET, WETH, toy_chain, toy_token

CHAIN = toy_chain()
NATIVE = CHAIN.native
shares = st.fractions(0, Fraction(1, 10), max_denominator=10_000)
amounts = st.integers(1, 2**256 - 1)


def terms(service: Fraction, own: Fraction, *, wallet: str | None = OTHER, collector: str | None = WALLET) -> FeeTerms:
    rule = FeeRule(service)
    settings = FeeSettings(rule, ChainWallets(collector))
    return FeeTerms(settings, rule, own, integrator(wallet=wallet), None, frozenset({EXECUTOR}))


@given(amounts, shares, shares)
def test_the_input_is_the_charges_and_what_the_upstream_gets(amount: int, service: Fraction, own: Fraction) -> None:
    intake = divide(amount, CHAIN, terms(service, own))
    assert intake.net + sum(charge.amount for charge in intake.charges) == amount
    assert intake.net > 0
    assert all(charge.amount > 0 for charge in intake.charges)
    # The Diamond refuses fees beyond a fifth, and takes no more than the shares say.
    assert sum(charge.amount for charge in intake.charges) <= amount // 5
    by_kind = {charge.kind: charge.amount for charge in intake.charges}
    assert by_kind.get(FeeKind.SERVICE, 0) == share_down(amount, service)
    assert by_kind.get(FeeKind.INTEGRATOR, 0) == share_down(amount, own)


@given(st.integers(1, 10**30), shares, shares, st.sampled_from([OTHER, None, EXECUTOR]), st.booleans())
def test_the_gross_minimum_is_the_smallest(
    net: int, service: Fraction, own: Fraction, wallet: str | None, registered: bool
) -> None:
    agreed = terms(service, own, wallet=wallet)
    agreed = agreed if registered else replace(agreed, integrator=None)
    gross = gross_for(net, CHAIN, agreed)
    assert divide(gross, CHAIN, agreed).net >= net
    for less in range(max(gross - 4, 1), gross):
        assert divide(less, CHAIN, agreed).net < net


@pytest.mark.parametrize(
    ("wallet", "registered"),
    [(None, True), (OTHER, False), (EXECUTOR, True), ("0x" + "0" * 39 + "1", True)],
    ids=["no wallet", "unknown", "refused", "nobody's"],
)
def test_a_fee_that_cannot_be_paid_is_left_with_the_user(wallet: str | None, registered: bool) -> None:
    agreed = terms(Fraction(0), Fraction(1, 100), wallet=wallet)
    intake = divide(10_000, CHAIN, agreed if registered else replace(agreed, integrator=None))
    assert (intake.net, intake.charges) == (10_000, ())
    assert [warning.code for warning in intake.warnings] == [FEE_SKIPPED]


@pytest.mark.parametrize("collector", [None, EXECUTOR, "0x" + "0" * 36 + "dEaD"])
def test_without_a_wallet_of_its_own_the_service_takes_nothing(collector: str | None) -> None:
    assert divide(10_000, CHAIN, terms(Fraction(1, 100), Fraction(0), collector=collector)).net == 10_000


def test_an_integrator_without_fee_is_no_warning() -> None:
    assert divide(10_000, CHAIN, terms(Fraction(0), Fraction(0), wallet=None)).warnings == ()


def test_shares_have_bounds() -> None:
    with pytest.raises(InvalidRequest) as own:
        divide(10_000, CHAIN, terms(Fraction(0), Fraction(11, 100)))
    assert own.value.faults == ("fee: must be at most 0.1, the limit of this API key",)
    with pytest.raises(InvalidRequest) as both:
        divide(10_000, CHAIN, terms(Fraction(15, 100), Fraction(6, 100)))
    assert both.value.faults == ("fee: must be at most 0.05, because of the service's own fee",)


def reader(usd: dict[str, str]) -> PriceReader:
    def read(chain_id: int, token: str) -> PriceSnapshot | None:
        if token not in usd:
            return None
        price = Decimal(usd[token])
        return PriceSnapshot(chain_id, token, price, "test", datetime.now(UTC), False, PriceTier.HOT, False)

    return read


TOKEN, OTHER_TOKEN, WRAPPED = toy_token(), toy_token(DAI, "DAI", 18), toy_token(WETH, "WETH", 18)
CHARGES = (Charge(FeeKind.SERVICE, WALLET, 30), Charge(FeeKind.INTEGRATOR, OTHER, 70))


def test_items_in_the_origin_token_are_exact() -> None:
    costs = Costs(upstream=(FeeItem(FeeType.LP, 5, TOKEN),))
    breakdown = itemise(CHAIN, TOKEN, CHARGES, costs, reader({}))
    assert [(item.type, item.amount) for item in breakdown.items] == [("app", 30), ("app", 70), ("lp", 5)]
    assert (breakdown.total, breakdown.complete) == (105, True)


def test_converted_items_round_up() -> None:
    # 1 wei of gas at 3000 USD is far less than the smallest unit of USDC, and still counts as one.
    breakdown = itemise(CHAIN, TOKEN, CHARGES, Costs(gas=1), reader({NATIVE.address: "3000", USDC: "1"}))
    assert (breakdown.total, breakdown.complete) == (101, True)
    whole = itemise(CHAIN, TOKEN, (), Costs(gas=10**15), reader({NATIVE.address: "3000", USDC: "1"}))
    assert whole.total == 3_000_000


def test_an_item_without_price_is_left_out_and_said_so() -> None:
    costs = Costs(upstream=(FeeItem(FeeType.LP, 9, OTHER_TOKEN),), gas=10**15)
    breakdown = itemise(CHAIN, TOKEN, CHARGES, costs, reader({NATIVE.address: "3000"}))
    assert (breakdown.total, breakdown.complete) == (100, False)
    assert len(breakdown.items) == 4


@pytest.mark.parametrize("origin", [NATIVE, WRAPPED], ids=["native", "wrapped"])
def test_gas_needs_no_price_where_the_native_asset_is_spent(origin: Token) -> None:
    breakdown = itemise(CHAIN, origin, (), Costs(native_fee=11, gas=22), reader({}))
    assert [(item.type, item.amount) for item in breakdown.items] == [("relayer", 11), ("gas", 22)]
    assert (breakdown.total, breakdown.complete) == (33, True)


@given(st.lists(st.tuples(st.sampled_from([TOKEN, OTHER_TOKEN, NATIVE]), st.integers(1, 10**24)), max_size=5))
def test_the_breakdown_sums_to_the_total(parts: list[tuple[Token, int]]) -> None:
    """Exactly in USD but for the rounding, which never understates: each converted item adds less than one unit."""
    usd = {USDC: "1.0003", DAI: "0.9991", NATIVE.address: "3123.45"}
    items = tuple(FeeItem(FeeType.LP, amount, token) for token, amount in parts)
    breakdown = itemise(CHAIN, TOKEN, CHARGES, Costs(upstream=items), reader(usd))
    unit = Fraction(usd[USDC]) / 10**TOKEN.decimals
    worth = sum(Fraction(usd[item.token.address]) * item.amount / 10**item.token.decimals for item in breakdown.items)
    converted = sum(item.token is not TOKEN for item in breakdown.items)
    assert 0 <= breakdown.total * unit - worth < max(converted, 1) * unit
    assert breakdown.complete


@given(
    st.lists(st.tuples(st.sampled_from([TOKEN, OTHER_TOKEN]), st.integers(1, 10**24)), max_size=5),
    st.integers(0, 10**20),
    st.integers(0, 10**17),
    st.sampled_from([TOKEN, OTHER_TOKEN, NATIVE]),
)
def test_the_items_in_usd_sum_to_the_total_in_usd(
    parts: list[tuple[Token, int]], native_fee: int, gas: int, origin: Token
) -> None:
    """Every item carries what it is worth, gas too; each text is rounded up, and nothing else differs."""
    usd = {USDC: "1.0003", DAI: "0.9991", NATIVE.address: "3123.45"}
    costs = Costs(tuple(FeeItem(FeeType.LP, amount, token) for token, amount in parts), native_fee, gas)
    breakdown = itemise(CHAIN, origin, CHARGES, costs, reader(usd))
    shown = to_fees(breakdown, origin)
    assert [item.amount_usd is not MISSING for item in shown.breakdown] == [True] * len(breakdown.items)
    items = sum((Fraction(str(item.amount_usd)) for item in shown.breakdown), Fraction(0))
    unit, step = Fraction(usd[origin.address]) / 10**origin.decimals, Fraction(1, 10**6)
    # The total counts whole units of the origin token, one more for each item that is converted.
    converted = sum(item.token is not origin for item in breakdown.items)
    assert -step * len(breakdown.items) < Fraction(str(shown.total_usd)) - items <= step + converted * unit


def test_an_item_without_price_has_no_worth_and_the_total_neither() -> None:
    shown = to_fees(itemise(CHAIN, TOKEN, CHARGES, Costs(gas=10**15), reader({USDC: "1"})), TOKEN)
    assert [item.amount_usd for item in shown.breakdown] == [Decimal("0.00003"), Decimal("0.00007"), MISSING]
    assert shown.total_usd is MISSING
