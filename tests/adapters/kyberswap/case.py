"""KyberSwap for the conformance suite and the suite of exchanges."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.adapters.kyberswap.calldata import SWAP
from rhumbline.adapters.kyberswap.client import ERRORS, NOT_ENOUGH
from rhumbline.devnet.upstreams.kyberswap.emulator import KyberSwap
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.transaction import EvmTransaction
from tests.adapters.conformance.case import Case
from tests.adapters.exchanges.exchange import ASKS, REFUSED, STRANGER, Exchange, other
from tests.adapters.exchanges.stub_upstream import USDC, WALLET, WETH

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=KyberSwap,
        asks=ASKS,
        refused=REFUSED,
        errors={
            RequestRejected: (
                "bad_request, query_malformed, body_malformed, invalid_swap, invalid_value, fee_above_input, "
                "fee_above_output, sender_empty, gas_estimate, chain_unknown"
            ),
            NoRoute: (
                "route_not_found, amount_too_large, no_eligible_pools, token_not_found, sources_filtered, "
                "weth_not_found"
            ),
            UpstreamFailed: "quote_smaller, canceled, rate_limited, internal",
            SlippageTooTight: "return_not_enough",
        },
    ),
)
ROUTER = "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"
ROUTES, BUILD = "/api/v1/routes", "/api/v1/route/build"
OUTPUT, MINIMUM = 2_345_678_900, 2_333_950_505


def changed_call(call: bytes, members: Mapping[Any, object]) -> bytes:
    """The call with other members of its description, by their places, or with another ``approved``."""
    values: Any = SWAP.decode(call)
    ((target, known, packed, description, client),) = values
    for place, value in members.items():
        description = description if place == "approved" else other(description, place, value)
    return SWAP.encode((target, members.get("approved", known), packed, description, client))


def _replies(code: int | str) -> Iterable[tuple[object, int]]:
    text = f"theirs: {code}" if code == NOT_ENOUGH else "words of theirs"
    body = {"code": 4227 if code == NOT_ENOUGH else code, "message": text, "details": None, "requestId": ""}
    return [(body, status) for status in (200, 400, 422, 499, 500, 503)]


EXCHANGE = Exchange(
    spec=SPEC,
    emulator=KyberSwap,
    name="KyberSwap",
    folder=Path(__file__).parent,
    recordings={ROUTES: "routes.json", BUILD: "build.json"},
    output=OUTPUT,
    minimum=MINIMUM,
    estimates=(231_000, None),
    input_token="data.routeSummary.tokenIn",
    optional=(),
    call="data.data",
    value="data.transactionValue",
    asked="/ethereum/api/v1/routes",
    query={
        "tokenIn": WETH.address,
        "tokenOut": USDC.address,
        "amountIn": "1000000000000000000",
        "gasInclude": "true",
        "excludeRFQSources": "true",
        "origin": WALLET,
    },
    sold="tokenIn",
    transaction=EvmTransaction(1, ROUTER, 0, b"", ROUTER),
    errors=ERRORS,
    replies=_replies,
    failures=(
        ({"message": "", "path": "/x/api/v1/routes", "status": 404}, 404, RequestRejected),
        ({"code": 4999, "message": "new"}, 400, RequestRejected),
        ([], 400, RequestRejected),
        ("no json", 400, RequestRejected),
        ({"code": 4999, "message": "new"}, 200, UpstreamFailed),
        ({"code": "0", "data": {}}, 200, UpstreamFailed),
        ({"code": 0}, 200, UpstreamFailed),
        ({"code": 0, "data": {"routeSummary": None}}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ({"code": 4008}, 401, CredentialsRejected),
        ("<html>", 403, CredentialsRejected),
        ({"code": 4008}, 429, UpstreamFailed),
        ("<html>", 503, UpstreamFailed),
    ),
    others=(
        *((ROUTES, f"data.routeSummary.{field}", value, UpstreamFailed) for field, value in (
            ("tokenIn", STRANGER), ("tokenOut", STRANGER), ("amountIn", "1000000000000000001"), ("amountOut", "-5"),
            ("amountOut", 2345.5), ("gas", "a lot"), ("extraFee", {"feeAmount": "0,5", "feeReceiver": ""}),
            ("extraFee", {"feeAmount": "10", "chargeFeeBy": "currency_out", "isInBps": True, "feeReceiver": STRANGER}),
        )),
        (ROUTES, "data.routerAddress", STRANGER, UpstreamFailed),
        *((BUILD, f"data.{field}", value, UpstreamFailed) for field, value in (
            ("routerAddress", STRANGER), ("transactionValue", "1"), ("amountIn", "999999999999999999"), ("data", "0x"),
            ("data", "0xe21fd0e9"), ("data", "e21fd0e9"), ("data", None),
        )),
    ),
    other_calls={
        "input token": {0: STRANGER}, "output token": {1: STRANGER}, "amount sent": {3: [10**18 - 1]},
        "number of fees": {4: [STRANGER]}, "receiver": {6: STRANGER}, "amount": {7: 10**18 + 1},
        "minimum": {8: MINIMUM - 1}, "set of flags": {9: 0x201}, "permit": {10: b"\x01"},
        "approval": {"approved": STRANGER},
    },
    changed_call=changed_call,
    native_call={0: "0x" + 20 * "ee", 2: [], 3: []},
    reverts="Return amount is not enough",
    above=1,
)  # fmt: skip
