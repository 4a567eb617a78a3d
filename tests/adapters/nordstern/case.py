"""Nordstern for the conformance suite and the suite of exchanges."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.nordstern import SPEC
from rhumbline.adapters.nordstern.client import ERRORS
from rhumbline.devnet.upstreams.nordstern.emulator import Nordstern
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.transaction import EvmTransaction
from tests.adapters.conformance.case import Case
from tests.adapters.exchanges.exchange import ASKS, REFUSED, STRANGER, Exchange
from tests.adapters.exchanges.stub_upstream import EXECUTOR, RECEIVER, USDC, WETH

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Nordstern,
        asks=ASKS,
        refused=REFUSED,
        errors={
            NoRoute: "no_route, no_path, insufficient",
            RequestRejected: "bad_tokens, bad_request, unknown_chain",
            UpstreamFailed: "rate_limited, internal",
        },
    ),
)
GUARD = "0xa929c559E5e6537359680F39CB4E3708E1a14dd1"
AGGREGATOR = "/aggregator/1"
OUTPUT, MINIMUM = 2_345_678_901, 2_333_952_852
AMOUNT_AT, MINIMUM_AT, FIRST_RECEIVER_AT, RECEIVER_AT, SOLD_AT, BOUGHT_AT = 26, 42, 59, 79, 99, 119


def changed_call(call: bytes, fields: Mapping[int, Any]) -> bytes:
    """The packed call with other addresses or amounts at some places."""
    for place, value in fields.items():
        packed = value.to_bytes(16) if isinstance(value, int) else bytes.fromhex(value[2:])
        call = call[:place] + packed + call[place + len(packed) :]
    return call


def _replies(words: str) -> Iterable[tuple[object, int]]:
    text = f"{words.capitalize()} of theirs"
    return [({key: text}, status) for key in ("message", "error") for status in (200, 400, 404, 422)]


EXCHANGE = Exchange(
    spec=SPEC,
    emulator=Nordstern,
    name="Nordstern",
    folder=Path(__file__).parent,
    recordings={AGGREGATOR: "swap.json"},
    output=OUTPUT,
    minimum=MINIMUM,
    estimates=(287_411, None),
    input_token="src",
    optional=("gasEstimate", "swaps", "simulationBlock"),
    call="tx.data",
    value="tx.value",
    asked="/aggregator/1",
    query={
        "src": WETH.address,
        "dst": USDC.address,
        "amount": "1000000000000000000",
        "from": EXECUTOR,
        "slippage": "0.4999",
    },
    sold="src",
    people={"from": RECEIVER},
    slippage="slippage",
    slippages=(
        (Fraction(1, 10**6), "0"), (Fraction(19, 10**7), "0"), (Fraction(1, 1000), "0.0999"),
        (Fraction(1, 100), "0.9999"), (Fraction(12345678, 10**9), "1.2344"), (Fraction(1, 10), "9.9999"),
        (Fraction(3, 2), "99.9999"),
    ),
    transaction=EvmTransaction(1, GUARD, 0, b"", GUARD),
    errors=ERRORS,
    replies=_replies,
    failures=(
        ({"toAmount": "0", "swaps": None}, 200, NoRoute),
        ({"toAmount": "0"}, 200, NoRoute),
        ({"toAmount": 0}, 200, NoRoute),
        ({"toAmount": "5", "swaps": None}, 200, NoRoute),
        ({"toAmount": "5", "swaps": []}, 200, NoRoute),
        ({"toAmount": "5", "tx": None}, 200, NoRoute),
        ({"toAmount": "5", "swaps": [{}], "tx": {}}, 200, UpstreamFailed),
        ({"message": 5}, 200, UpstreamFailed),
        ({"error": "other"}, 200, UpstreamFailed),
        ({}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ({"error": "insufficient"}, 429, UpstreamFailed),
        ({"error": "insufficient"}, 500, UpstreamFailed),
        ({"error": "other"}, 400, RequestRejected),
        ("<html>", 403, CredentialsRejected),
        ("<html>", 503, UpstreamFailed),
    ),
    others=tuple((AGGREGATOR, place, value, UpstreamFailed) for place, value in (
        ("src", STRANGER), ("dst", STRANGER), ("fromAmount", "1000000000000000001"),
        ("fromAmount", "1000000000000000000.5"), ("toAmount", "-5"), ("toAmount", str(MINIMUM - 1)),
        ("toAmount", "9345678901"), ("tx.from", STRANGER), ("tx.to", STRANGER), ("tx.value", "1"), ("tx.data", "0x"),
        ("tx.data", "0x3f0bde25"), ("tx.data", "0xa9059cbb" + "00" * 200),
    )),
    other_calls={
        "amount": {AMOUNT_AT: 10**18 + 1}, "minimum": {MINIMUM_AT: OUTPUT * 9950 // 10_000 - 1},
        "receiver": {RECEIVER_AT: STRANGER}, "input token": {SOLD_AT: STRANGER}, "output token": {BOUGHT_AT: STRANGER},
    },
    changed_call=changed_call,
    native_call={SOLD_AT: "0x" + 20 * "ee"},
    reverts="Insufficient output",
    credentials={"referer": "https://swap.example/"},
)  # fmt: skip
