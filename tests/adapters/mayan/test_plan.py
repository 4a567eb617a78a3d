"""Whatever a quote's numbers are, the call made of it says what was asked, or there is no call."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.mayan.amounts import denormalised, floored
from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Places, Terms
from rhumbline.adapters.mayan.plan import plan_of
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.adapters.mayan.wire import FastMctpQuote, MctpQuote, SwiftQuote, WormholeQuote
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.upstreams.spec import read_answer
from tests.adapters.mayan.stub_upstream import NOW, RECORDED, SWIFT_1, read, request

AMOUNTS = st.integers(1, 10**24)
ADDRESSES = st.binary(min_size=20, max_size=20).filter(any).map(lambda raw: bytes(12) + raw)


def _order(name: str, document: Any, terms: Terms) -> Order:
    match name.split("_")[0]:
        case "swift":
            return swift.order(read_answer(SwiftQuote, document), terms)
        case "mctp":
            return mctp.order(read_answer(MctpQuote, document), terms)
        case "fast":
            return fast_mctp.order(read_answer(FastMctpQuote, document), terms)
        case _:
            return wormhole.order(read_answer(WormholeQuote, document), terms)


def _exact(name: str, **changes: str) -> Any:
    """A recording as it comes over HTTP: its numbers are Decimals. Changes are JSON texts."""
    file = {**read(name), **{key: f"@{text}@" for key, text in changes.items()}}
    return read_json(json.dumps(file).replace('"@', "").replace('@"', "").encode())


@pytest.mark.parametrize("name", list(RECORDED))
@given(amount=AMOUNTS, minimum=st.integers(0, 10**20), trader=ADDRESSES, receiver=ADDRESSES)
def test_a_call_says_what_was_asked(name: str, amount: int, minimum: int, trader: bytes, receiver: bytes) -> None:
    asked = request(*RECORDED[name])
    decimals = asked.destination_token.decimals
    kept = min(8, decimals)
    document = _exact(name, minAmountOut=f"{minimum // 10**kept}.{minimum % 10**kept:0{kept}d}")
    there = DEPLOYMENTS[asked.destination.id]
    here = replace(DEPLOYMENTS[1], swift_first=(SWIFT_1,))
    terms = Terms(here, there, trader, receiver, ZERO, decimals, amount, bytes, trader)
    try:
        order = _order(name, document, terms)
    except UpstreamFailed:
        # More than 64 bits hold, which the contracts would cut off.
        assert max(minimum, amount) > 2**64 // 10**10
        return
    found = read_protocol_call(order.data)
    assert found.destination == receiver
    assert found.trader in (None, trader)
    assert found.amount in (None, order.amount)
    assert not found.extras
    native_or_wormhole = order.input_token == NATIVE or order.kind is Kind.WORMHOLE
    assert order.amount in ({floored(amount, order.decimals)} if native_or_wormhole else {amount, floored(amount, 18)})
    if found.minimum is not None:
        assert denormalised(max(0, found.minimum), decimals) >= order.guaranteed


WRAPPED = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
LOCKED = {
    "swiftVersion": "V2",
    "swiftWrapAndLock": True,
    "swiftInputContract": WRAPPED,
    "swiftInputDecimals": 18,
    "minMiddleAmount": 1,
}


def _planned(document: Any) -> Order:
    places = Places(DEPLOYMENTS[1], DEPLOYMENTS[8453], int(NOW.timestamp()), bytes)
    reply = {**_exact("swift_v1_eth_to_base_eth"), **document}
    return plan_of(Kind.SWIFT, reply, request("ETH", "base ETH", 10**17), places).order


def test_native_that_is_wrapped_and_locked_is_locked_as_native() -> None:
    locked = _planned(LOCKED)
    assert (locked.swaps, locked.input_token.lower(), read_protocol_call(locked.data).token) == (True, WRAPPED, NATIVE)
    usdc = {"swiftInputContract": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "swiftInputDecimals": 6}
    with pytest.raises(UpstreamFailed, match="input of the protocol"):
        _planned({**LOCKED, **usdc})
