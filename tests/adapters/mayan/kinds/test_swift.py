"""SWIFT as it is: its second version's contract, the guaranteed price, and the first version, which is retired."""

import json
from dataclasses import replace
from typing import Any

import pytest
from eth_utils.crypto import keccak

from rhumbline.adapters.mayan.bytes32 import ZERO
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS, SOLANA_SWIFT, Deployment
from rhumbline.adapters.mayan.kinds.order import Kind, Places
from rhumbline.adapters.mayan.kinds.swift import SwiftOrder, order_hash
from rhumbline.adapters.mayan.plan import Plan, plan_of
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http.strict_json import read_json
from tests.adapters.mayan.stub_upstream import NOW, RECORDED, SOLANA, SWIFT_1, SWIFT_2, read, request

FIRST, SECOND = "swift_v1_eth_to_base_eth", "swift_usdc_to_base_usdc"
NAMED = replace(DEPLOYMENTS[1], swift_first=(SWIFT_1.lower(),))


def planned(name: str, here: Deployment = DEPLOYMENTS[1], **changes: Any) -> Plan:
    document = read_json(json.dumps({**read(name), **changes}).encode())
    places = Places(here, DEPLOYMENTS[8453], int(NOW.timestamp()), bytes)
    return plan_of(Kind.SWIFT, document, request(*RECORDED[name]), places)


@pytest.mark.parametrize(("mode", "expected"), [(1, 249_000_000), (2, 249_000_000), (3, 248_500_000)])
def test_at_a_guaranteed_price_nothing_is_expected_beyond_the_minimum(mode: int, expected: int) -> None:
    plan = planned(SECOND, swiftAuctionMode=mode, expectedAmountOutBaseUnits="249000000", minAmountOut=248.5)
    assert (plan.output, plan.order.guaranteed) == (expected, 248_500_000)


@pytest.mark.parametrize(
    ("here", "changes", "words"),
    [
        (DEPLOYMENTS[1], {}, "retired"),
        (NAMED, {"swiftMayanContract": SWIFT_2}, "retired"),
        (replace(NAMED, swift_first=(SWIFT_2,)), {}, "retired"),
        (NAMED, {"swiftAuctionMode": 3}, "the fields of an order"),
        (NAMED, {"swiftVersion": "V3"}, "the fields of an order"),
    ],
)
def test_orders_of_the_first_version_are_made_for_named_contracts_only(
    here: Deployment, changes: dict[str, Any], words: str
) -> None:
    assert planned(FIRST, NAMED).output
    with pytest.raises(UpstreamFailed, match=words):
        planned(FIRST, here, **changes)


def test_where_the_contracts_are() -> None:
    pinned = {number: place.swift for number, place in DEPLOYMENTS.items() if place.swift}
    assert pinned.pop(SOLANA) == (SOLANA_SWIFT,)
    assert pinned == dict.fromkeys((1, 10, 56, 137, 8453, 42161, 43114), (SWIFT_2,))
    assert not any(place.swift_first for place in DEPLOYMENTS.values())
    assert DEPLOYMENTS[8453].wormhole == ("0x11AA521C888d84f374B63823d9b873CAa3591f55",)


def test_of_an_order_of_the_second_version_272_bytes_are_hashed() -> None:
    """Each field at its place, as a public study of the contract lists them (2026-09-17)."""
    words = [bytes([number]) * 32 for number in range(1, 6)]
    trader, token_out, destination, referrer, random = words
    order = SwiftOrder(trader, token_out, 6, 7, 8, 9, 10, destination, 11, referrer, 12, 3, random)
    taken = (b"\xab" * 20).rjust(32, b"\0")
    preimage = bytearray(272)
    for place, part in (
        (0, b"\x01"), (1, trader), (33, (2).to_bytes(2)), (35, taken),
        (67, destination), (99, (11).to_bytes(2)), (101, token_out), (133, (6).to_bytes(8)), (141, (7).to_bytes(8)),
        (149, (8).to_bytes(8)), (157, (9).to_bytes(8)), (165, (10).to_bytes(8)), (173, referrer),
        (205, bytes((12, 13, 3))), (208, random), (240, ZERO),
    ):  # fmt: skip
        preimage[place : place + len(part)] = part
    assert order_hash("V2", order, taken, 13, 2) == keccak(bytes(preimage))
