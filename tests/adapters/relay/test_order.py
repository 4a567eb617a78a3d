"""The ID of an order binds every word of it, and is the one that Relay makes."""

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.relay.calldata import (
    CLEAN_NATIVE_INTO,
    CLEAN_TOKENS_INTO,
    DEPOSIT_ALLOWANCE,
    DEPOSIT_NATIVE,
    DEPOSIT_TOKEN,
    MULTICALL,
    PROXIED,
    Deposit,
    Start,
    read_start,
)
from rhumbline.adapters.relay.deployments import DEPLOYMENTS, SOLVER
from rhumbline.adapters.relay.order import order_id, signer_of
from rhumbline.adapters.relay.router_call import with_refund_address
from rhumbline.adapters.relay.wire import Order, Protocol
from rhumbline.devnet.upstreams.relay.order import hashed
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.svm.address import decode_address
from tests.adapters.relay.stub_upstream import USDC, WALLET, said

PLACE = DEPLOYMENTS[1]
SOLANA_WALLET = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
ZERO = "0x0000000000000000000000000000000000000000"
_PARTY, _EXTRA = (
    "0xc4F87C3715374445C4657aa14c47CBB339b59d1A",
    "0x" + "b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f".zfill(64),
)
_REFUND: dict[str, Any] = {
    "recipient": _PARTY, "currency": ZERO, "minimumAmount": "0", "deadline": 1791639433, "extraData": _EXTRA,
}  # fmt: skip
MADE_BY_RELAY: dict[str, Any] = {
    "version": "v1",
    "solverChainId": "base",
    "solver": SOLVER.lower(),
    "salt": "0x6203e5358b43d1cf60a73b6dc3e0519a765a5a9dfa562091ebe3bfd9496d8cc1",
    "inputs": [
        {
            "payment": {"chainId": "base", "currency": ZERO, "amount": "874803905765355", "weight": "1"},
            "refunds": [{"chainId": "base", **_REFUND}, {"chainId": "robinhood", **_REFUND}],
        }
    ],
    "output": {
        "chainId": "robinhood",
        "payments": [
            {
                "recipient": _PARTY,
                "currency": "0x0379e228f6887c6f18bf394042ecaf81b308cb2e",
                "minimumAmount": "4401605382885926480310",
                "expectedAmount": "4446066043319117656878",
            }
        ],
        "calls": [],
        "deadline": 1791639433,
        "extraData": _EXTRA,
    },
    "fees": [],
}
"""An order of October 2026, its ID as it stands in the deposit, and the solver's signature of it."""
ITS_ID = "0xeada616bb1b545930e24ee16b7cc9377ea7078d419f1a3b2f4528cee82224e11"
ITS_SIGNATURE = (
    "0x16ed51d1a2a76c56667a23f060a5d6eb802e2611ba67578d4589f82ce3af5a6b"
    "63789298331268806c95ded8d384d84fe0866c499f1d318fd8971883ec35ad491c"
)

addresses = st.binary(min_size=20, max_size=20).map(checksummed)
words = st.binary(min_size=32, max_size=32)
amounts = st.integers(0, 2**256 - 1)


async def test_an_order_that_relay_made_has_relays_id_and_signature() -> None:
    protocol = Protocol.model_validate({"orderId": ITS_ID, "orderData": MADE_BY_RELAY, "orderSignature": ITS_SIGNATURE})
    assert "0x" + order_id(protocol.order_data).hex() == ITS_ID
    assert await signer_of(protocol) == SOLVER


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [leaf for key, item in inside for leaf in leaves(item, (*path, key))] or [path]


@pytest.mark.parametrize("path", [path for path in leaves(MADE_BY_RELAY) if path not in ((), ("fees",))])
def test_every_word_of_an_order_is_in_its_id(path: tuple[Any, ...]) -> None:
    order = copy.deepcopy(MADE_BY_RELAY)
    place = order
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = changed(place[path[-1]])
    assert "0x" + order_id(Order.model_validate(order)).hex() != ITS_ID
    assert order_id(Order.model_validate(order)) == hashed(order)


def changed(value: Any) -> Any:
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return ["0x00"]
    return value[:-1] + ("0" if value[-1] != "0" else "1")


def test_fees_of_an_order_and_solanas_addresses() -> None:
    order = copy.deepcopy(MADE_BY_RELAY)
    order["fees"] = [
        {"recipientChainId": "base", "recipient": _PARTY, "currencyChainId": "base", "currency": ZERO, "amount": "5"}
    ]
    assert order_id(Order.model_validate(order)) == hashed(order)
    raw = copy.deepcopy(order)
    order["output"]["payments"][0]["recipient"] = SOLANA_WALLET
    raw["output"]["payments"][0]["recipient"] = "0x" + decode_address(SOLANA_WALLET).hex()
    assert order_id(Order.model_validate(order)) == hashed(raw)
    order["output"]["payments"][0]["recipient"] = "not an address"
    with pytest.raises(UpstreamFailed):
        order_id(Order.model_validate(order))


def test_the_recordings_orders_are_hashed_alike_by_both_sides() -> None:
    for name in ("transfer.json", "swapped_transfer.json"):
        protocol = said(name)["protocol"]["v2"]
        assert "0x" + hashed(protocol["orderData"]).hex() == protocol["orderId"]


@given(addresses, amounts, words)
def test_deposits_are_read_as_they_were_written(depositor: str, amount: int, name: bytes) -> None:
    token = DEPOSIT_TOKEN.encode(depositor, USDC.address, amount, name)
    deposit = Deposit(depositor, USDC.address, amount, name)
    assert read_start(PLACE.depository, 0, token, PLACE, ()) == Start(USDC.address, amount, deposit=deposit)
    native = Deposit(depositor, NATIVE_EVM, amount, name)
    read = read_start(PLACE.depository, amount, DEPOSIT_NATIVE.encode(depositor, name), PLACE, ())
    assert read == Start(NATIVE_EVM, amount, deposit=native)


@given(addresses, addresses, st.integers(1, 2**256 - 1), words, st.binary(max_size=70), st.booleans())
def test_router_calls_are_read_as_they_were_written(
    depositor: str, refund_to: str, amount: int, name: bytes, metadata: bytes, marked: bool
) -> None:
    left = DEPOSIT_ALLOWANCE.encode(depositor, USDC.address, name)
    into = CLEAN_TOKENS_INTO.encode([USDC.address], [PLACE.depository], [left], [0])
    calls = [(PLACE.router, False, 0, into)]
    mark = name if marked else b""
    data = MULTICALL.encode(calls, refund_to, WALLET, metadata) + mark
    read = read_start(PLACE.router, amount, data, PLACE, (name,))
    assert read == Start(NATIVE_EVM, amount, refund_to, (), Deposit(depositor, USDC.address, None, name))
    into = CLEAN_NATIVE_INTO.encode(0, PLACE.depository, DEPOSIT_NATIVE.encode(depositor, name))
    calls = [(PLACE.router, False, 0, into)]
    data = PROXIED.encode([USDC.address], [amount], calls, refund_to, WALLET, metadata) + mark
    read = read_start(PLACE.approval_proxy, 0, data, PLACE, (name,))
    assert read == Start(USDC.address, amount, refund_to, (), Deposit(depositor, NATIVE_EVM, None, name))
    given = with_refund_address(PLACE.approval_proxy, data, PLACE, (name,), WALLET)
    assert read_start(PLACE.approval_proxy, 0, given, PLACE, (name,)) == replace(read, refund_to=WALLET)
    assert with_refund_address(PLACE.approval_proxy, given, PLACE, (name,), refund_to) == data


@given(st.sampled_from([PLACE.depository, PLACE.router, PLACE.approval_proxy]), st.binary(max_size=300))
def test_no_bytes_are_more_than_refused(to: str, data: bytes) -> None:
    for head in (b"", DEPOSIT_TOKEN.selector, DEPOSIT_NATIVE.selector, MULTICALL.selector, PROXIED.selector):
        try:
            read_start(to, 0, head + data, PLACE, ())
        except UpstreamFailed:
            continue
        assert head in (DEPOSIT_TOKEN.selector, DEPOSIT_NATIVE.selector, b"")
