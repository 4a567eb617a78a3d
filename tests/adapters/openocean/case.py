"""OpenOcean for the conformance suite and the suite of exchanges."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import ANY

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.checking import SWAP
from rhumbline.adapters.openocean.client import ERRORS
from rhumbline.devnet.upstreams.openocean.emulator import OpenOcean
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.transaction import EvmTransaction
from tests.adapters.conformance.case import Case
from tests.adapters.exchanges.exchange import ASKS, REFUSED, STRANGER, Exchange, other
from tests.adapters.exchanges.stub_upstream import EXECUTOR, RECEIVER, USDC, WALLET, WETH

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=OpenOcean,
        asks=ASKS,
        refused=REFUSED,
        errors={
            RequestRejected: "bad_request, not_found",
            CredentialsRejected: "unauthorized, unpaid, forbidden",
            UpstreamFailed: "too_many_requests, internal, bad_gateway, unavailable, gateway_timeout, concurrency",
            NoRoute: "no_route",
        },
    ),
)
MARKER = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
ROUTER = "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
SWAP_PATH = "/swap"
OUTPUT, MINIMUM = 2_345_678_901, 2_333_950_506


def changed_call(call: bytes, description: Mapping[int, object]) -> bytes:
    """The call with other members of its description, by their places."""
    caller, members, calls = SWAP.decode(call)
    changed: Any = members
    for place, value in description.items():
        changed = other(changed, place, value)
    return SWAP.encode(caller, changed, calls)


def _replies(status: int) -> Iterable[tuple[object, int]]:
    body = {"code": status, "error": "words of theirs"}
    return (body, status), (body, 200), ("<html>", status)


EXCHANGE = Exchange(
    spec=SPEC,
    emulator=OpenOcean,
    name="OpenOcean",
    folder=Path(__file__).parent,
    recordings={SWAP_PATH: "swap.json"},
    output=OUTPUT,
    minimum=MINIMUM,
    estimates=(287_411, 14),
    input_token="data.inToken.address",
    optional=tuple(f"data.{field}" for field in (
        "rfqDeadline", "gmxFee", "price_impact", "estimatedGas", "gasPrice", "from", "minOutAmount",
    )),
    call="data.data",
    value="data.value",
    asked="/v4/eth/swap",
    query={
        "inTokenAddress": WETH.address,
        "outTokenAddress": USDC.address,
        "amountDecimals": "1000000000000000000",
        "gasPriceDecimals": ANY,
        "slippage": "0.5",
        "sender": EXECUTOR,
        "account": EXECUTOR,
        "disableRfq": "true",
    },
    sold="inTokenAddress",
    people={"sender": WALLET, "account": RECEIVER},
    slippage="slippage",
    slippages=(
        (Fraction(5, 10_000), "0.05"), (Fraction(59, 100_000), "0.05"), (Fraction(1, 100), "1"),
        (Fraction(1234, 100_000), "1.23"), (Fraction(1, 10), "10"), (Fraction(9, 10), "50"),
    ),
    transaction=EvmTransaction(1, ROUTER, 0, b"", ROUTER),
    errors=ERRORS,
    replies=_replies,
    failures=(
        ({"code": 500, "error": "no route"}, 200, NoRoute),
        ({"code": 500, "error": "no route"}, 500, UpstreamFailed),
        ({"code": 204, "error": "new"}, 200, NoRoute),
        ({"code": 200}, 200, NoRoute),
        ({"code": 200, "data": None}, 200, NoRoute),
        ({"code": 200, "data": {}}, 200, NoRoute),
        ({"code": 200, "data": {"outAmount": "0"}}, 200, NoRoute),
        ({"code": 200, "data": {"outAmount": "5"}}, 200, UpstreamFailed),
        ({"code": 200, "data": "none"}, 200, UpstreamFailed),
        ({"code": "200", "data": {}}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ("<html>", 418, RequestRejected),
        ("<html>", 500, UpstreamFailed),
    ),
    others=tuple((SWAP_PATH, f"data.{field}", value, kind) for field, value, kind in (
        ("rfqDeadline", 1_795_295_000, NoRoute), ("rfqDeadline", "1795295000", NoRoute),
        ("gmxFee", "215000000000000", NoRoute), ("inToken", {"address": STRANGER}, UpstreamFailed),
        ("outToken", {"address": STRANGER}, UpstreamFailed), ("inAmount", "1000000000000000001", UpstreamFailed),
        ("outAmount", "2345678901.5", UpstreamFailed), ("outAmount", str(MINIMUM - 1), UpstreamFailed),
        ("outAmount", "9345678901", UpstreamFailed), ("to", STRANGER, UpstreamFailed), ("value", "1", UpstreamFailed),
        ("chainId", 56, UpstreamFailed), ("data", "0x", UpstreamFailed), ("data", "0x90411a32", UpstreamFailed),
        ("data", "0xbc80f1a8" + "00" * 96, UpstreamFailed),
    )),
    other_calls={
        "input token": {0: STRANGER}, "output token": {1: STRANGER}, "receiver": {3: STRANGER},
        "amount": {4: 10**18 + 1}, "minimum": {5: MINIMUM - 1}, "set of flags": {7: 3}, "permit": {9: b"\x01"},
    },
    changed_call=changed_call,
    native_call={0: MARKER, 7: 0},
    reverts="Return amount is not enough",
    credentials={"referer": "https://swap.example/"},
    needs_node=True,
)  # fmt: skip
