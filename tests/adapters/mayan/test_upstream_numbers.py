"""Each number that a quote names and somebody acts on, raised to its type's largest or let down: it is refused."""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from rhumbline.adapters.mayan.bounds import dearest_start
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.kinds.order import Kind, Places
from rhumbline.adapters.mayan.plan import Plan, plan_of
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import read_json
from tests.adapters.mayan.stub_upstream import NOW, RECORDED, read, request
from tests.adapters.mayan.svm.quotes import AMOUNT, from_solana, quoted

U8, U32, U64, U256 = (2**bits - 1 for bits in (8, 32, 64, 256))
ETHER = {"expectedAmountOut": 0.08, "expectedAmountOutBaseUnits": "80000000000000000", "minAmountOut": 0.0796}
LATE = int(NOW.timestamp()) + 2 * 24 * 3600 + 1
SOON = int(NOW.timestamp()) + 59


def _plan(kind: Kind, document: dict[str, Any], asked: QuoteRequest) -> Plan:
    places = Places(DEPLOYMENTS[asked.origin.id], DEPLOYMENTS[asked.destination.id], int(NOW.timestamp()), bytes)
    return plan_of(kind, read_json(json.dumps(document).encode()), asked, places)


def _from_solana(kind: Kind, to: str, **changes: Any) -> Plan:
    asked = from_solana("solana USDC", to)
    return _plan(kind, quoted(asked, str(kind), **{**(ETHER if to == "base ETH" else {}), **changes}), asked)


def _from_ethereum(name: str, kind: Kind, **changes: Any) -> Plan:
    return _plan(kind, {**read(name), **changes}, request(*RECORDED[name]))


@pytest.mark.parametrize("kind", [Kind.MCTP, Kind.FAST_MCTP])
def test_a_relayer_on_solana_is_not_granted_nine_tenths(kind: Kind) -> None:
    """Any relayer may start such an order and keep its fee; ten times the output was told, so that nothing showed."""
    grand = {key: str(Decimal(str(value)) * 10) for key, value in ETHER.items() if key != "minAmountOut"}
    with pytest.raises(UpstreamFailed, match="fee of the relayer on the origin"):
        _from_solana(kind, "base ETH", solanaRelayerFee64=str(AMOUNT * 9 // 10), **grand)


@pytest.mark.parametrize("kind", [Kind.MCTP, Kind.FAST_MCTP])
@pytest.mark.parametrize("to", ["base ETH", "base USDC"])
def test_a_relayer_on_solana_gets_a_dollar_or_half_a_percent(kind: Kind, to: str) -> None:
    most = AMOUNT // 200
    plan = _from_solana(kind, to, solanaRelayerFee64=str(most))
    # It is off what is promised, and so is all that Circle and Mayan may take.
    left = AMOUNT - most - 20_000
    if kind is Kind.FAST_MCTP:
        left = (left - plan.order.circle_fee) * 9_997 // 10_000
    expected = 80_000_000_000_000_000 * (AMOUNT - most) // AMOUNT if to == "base ETH" else left
    assert (plan.order.start_fee, plan.output) == (most, min(expected, 80_000_000_000_000_000))
    with pytest.raises(UpstreamFailed, match=f"from 0 to {most}"):
        _from_solana(kind, to, solanaRelayerFee64=str(most + 1))


@pytest.mark.parametrize(("amount", "most"), [
    # A twentieth of little, a dollar, half a percent, and never more than 25 dollars; rounded down.
    (19, 0), (10_000_019, 500_000), (100_000_000, 1_000_000), (250_000_199, 1_250_000), (10**12, 25_000_000),
])  # fmt: skip
def test_what_a_relayer_on_solana_may_take(amount: int, most: int) -> None:
    assert dearest_start(replace(_from_solana(Kind.MCTP, "base ETH").order, amount=amount)) == most


@pytest.mark.parametrize(("name", "kind", "field", "values"), [
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "cancelRelayerFee64", (U64, U256)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "refundRelayerFee64", (U64, U256)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "deadline64", (0, SOON, LATE, U64, U256)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "swiftAuctionMode", (0, 4, U8)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "protocolBps", (101, U8)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "referrerBps", (1, U8)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "gasDrop", (1, U64)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "bridgeFee", (1, U256)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "minAmountOut", (-1, 0, 250, U64, U256)),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, "slippageBps", (-1, 47, U256)),
    ("swift_dai_to_sol", Kind.SWIFT, "minMiddleAmount", (-1, 0, U64, U256)),
    ("mctp_usdc_to_base_eth", Kind.MCTP, "redeemRelayerFee", (-1, 6, U64, U256)),
    ("mctp_usdc_to_base_eth", Kind.MCTP, "deadline64", (0, SOON, LATE, U64)),
    ("mctp_usdc_to_base_eth", Kind.MCTP, "bridgeFee", (-1, 1, U256)),
    ("mctp_usdc_to_base_usdc", Kind.MCTP, "redeemRelayerFee", (-1, 101, 126, U64, U256)),
    ("fast_usdc_to_base_usdc", Kind.FAST_MCTP, "redeemRelayerFee", (-1, 101, 250, U64, U256)),
    ("fast_usdc_to_base_usdc", Kind.FAST_MCTP, "circleMaxFee64", (500_001, U64, U256)),
    ("fast_usdc_to_base_usdc", Kind.FAST_MCTP, "fastMctpMinFinality", (0, 999, 2001, U32)),
    ("fast_dai_to_base_eth", Kind.FAST_MCTP, "refundRelayerFee64", (U64, U256)),
    ("fast_dai_to_base_eth", Kind.FAST_MCTP, "redeemRelayerFee", (-1, 101, U64)),
    ("fast_dai_to_base_eth", Kind.FAST_MCTP, "deadline64", (0, SOON, LATE, U64)),
    ("wh_usdc_to_sol_usdc", Kind.WORMHOLE, "swapRelayerFee", (-1, 6, U64)),
    ("wh_usdc_to_sol_usdc", Kind.WORMHOLE, "refundRelayerFee", (-1, 6, U64)),
    ("wh_usdc_to_sol_usdc", Kind.WORMHOLE, "redeemRelayerFee", (-1, 126, U64)),
    ("wh_usdc_to_sol_usdc", Kind.WORMHOLE, "deadline64", (0, SOON, LATE, U64)),
])  # fmt: skip
def test_a_number_from_ethereum_beyond_its_bound_is_refused(
    name: str, kind: Kind, field: str, values: tuple[int, ...]
) -> None:
    assert _from_ethereum(name, kind).order.guaranteed > 0
    for value in values:
        written = str(value) if field.endswith("64") else value
        with pytest.raises(AdapterError):
            _from_ethereum(name, kind, **{field: written})


def test_the_relayers_fee_is_not_off_the_minimum_of_a_wormhole_quote() -> None:
    """A pair of dollars is permitted to lose less than that fee is, and the vendor had failed five times in a row."""
    name, kind = "wh_usdc_to_sol_usdc", Kind.WORMHOLE
    told = read(name)
    whole = Decimal(str(told["expectedAmountOut"])) + Decimal(str(told["redeemRelayerFee"]))
    plan = _from_ethereum(name, kind, minAmountOut=str(whole))
    assert plan.order.guaranteed == plan.output
    with pytest.raises(UpstreamFailed, match="minimum above the output"):
        _from_ethereum(name, kind, minAmountOut=str(whole + Decimal("0.000001")))


@pytest.mark.parametrize(("kind", "to", "field", "values"), [
    (Kind.SWIFT, "base USDC", "cancelRelayerFee64", (U64, U256)),
    (Kind.SWIFT, "base USDC", "refundRelayerFee64", (U64, U256)),
    (Kind.SWIFT, "base USDC", "submitRelayerFee64", (1, U64)),
    (Kind.SWIFT, "base USDC", "protocolBps", (101, U8)),
    (Kind.SWIFT, "base USDC", "deadline64", (0, SOON, LATE, U64)),
    (Kind.MCTP, "base ETH", "solanaRelayerFee64", (U64, U256)),
    (Kind.MCTP, "base ETH", "redeemRelayerFee", (6, U64)),
    (Kind.MCTP, "base ETH", "deadline64", (0, SOON, LATE, U64)),
    (Kind.MCTP, "base ETH", "minAmountOut", (-1, 0, 0.081, U64)),
    (Kind.MCTP, "base USDC", "solanaRelayerFee64", (U64, U256)),
    (Kind.MCTP, "base USDC", "redeemRelayerFee", (101, U64)),
    (Kind.MCTP, "base USDC", "bridgeFee", (1, U64)),
    (Kind.FAST_MCTP, "base ETH", "solanaRelayerFee64", (U64, U256)),
    (Kind.FAST_MCTP, "base ETH", "redeemRelayerFee64", (100_000_001, U64, U256)),
    (Kind.FAST_MCTP, "base ETH", "refundRelayerFee64", (U64, U256)),
    (Kind.FAST_MCTP, "base ETH", "circleMaxFee64", (AMOUNT // 500 + 1, U64, U256)),
    (Kind.FAST_MCTP, "base ETH", "fastMctpMinFinality", (0, 999, 2001, U32)),
    (Kind.FAST_MCTP, "base ETH", "deadline64", (0, SOON, LATE, U64)),
])  # fmt: skip
def test_a_number_from_solana_beyond_its_bound_is_refused(
    kind: Kind, to: str, field: str, values: tuple[int, ...]
) -> None:
    assert _from_solana(kind, to).order.guaranteed > 0
    for value in values:
        written = str(value) if field.endswith("64") else value
        with pytest.raises(AdapterError):
            _from_solana(kind, to, **{field: written})
