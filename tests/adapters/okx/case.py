"""OKX for the conformance suite and the suite of exchanges."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.calldata import DAG_BY_ORDER, WORD
from rhumbline.adapters.okx.client import ERRORS
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.domain import errors
from rhumbline.domain.transaction import EvmTransaction
from tests.adapters.conformance.case import Ask, Case
from tests.adapters.exchanges.exchange import ASKS, REFUSED, STRANGER, Exchange, other
from tests.adapters.exchanges.stub_upstream import EXECUTOR, RECEIVER, USDC, WALLET, WETH

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Okx,
        asks=(
            *ASKS,
            Ask("sbxs", "sbxs", "USDC", "USDT", 500 * 10**6, direct=True),
            Ask("sbxs", "sbxs", "SOL", "USDC", 2 * 10**9, direct=True),
        ),
        refused=(*REFUSED, Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True)),
        errors={
            errors.UpstreamFailed: "rate_limited, system, repeated, calldata_too_long, commission_down, build_failed",
            errors.RequestRejected: (
                "parameter_empty, parameter_error, risk, blacklisted, wallet_invalid, receiver_invalid"
            ),
            errors.CredentialsRejected: (
                "key_empty, passphrase_empty, passphrase_wrong, sign_empty, timestamp_empty, key_invalid, "
                "timestamp_invalid, signature_invalid, no_access"
            ),
            errors.NoRoute: "no_liquidity, above_maximum, token_unsupported, chain_unsupported, no_route",
            errors.BelowMinimum: "below_minimum",
            errors.SlippageTooTight: "value_lost",
        },
    ),
)
ROUTER = "0x8feAB81D36E7576107D5dE0758c1b839Be31B4F6"
TOKEN_APPROVED_BY = "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"
DAI = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
SWAP_PATH = "/swap"
OUTPUT, MINIMUM, DEADLINE = 2_345_678_901, 2_333_950_506, 1_795_240_000
MARKER = "0x" + 20 * "ee"


def changed_call(call: bytes, base: Mapping[int, object]) -> bytes:
    """The call with other members of its base request, by their places, and the end that it had."""
    values: Any = DAG_BY_ORDER.decode_loosely(call)
    order, members, paths = values
    for place, value in base.items():
        members = other(members, place, value)
    return DAG_BY_ORDER.encode(order, members, paths) + call[-2 * WORD :]


def _replies(code: int) -> Iterable[tuple[object, int]]:
    bodies: list[object] = [{"code": written, "msg": "words of theirs", "data": []} for written in (code, str(code))]
    return [(body, status) for status in (200, 400, 401, 500) for body in bodies]


EXCHANGE = Exchange(
    spec=SPEC,
    emulator=Okx,
    name="OKX DEX",
    folder=Path(__file__).parent,
    recordings={SWAP_PATH: "swap.json"},
    output=OUTPUT,
    minimum=MINIMUM,
    estimates=(287_411, 14),
    input_token="data.0.routerResult.fromToken.tokenContractAddress",
    optional=(
        *(f"data.0.routerResult.{field}" for field in (
            "estimateGasFee", "priceImpactPercent", "dexRouterList", "tradeFee", "router",
        )),
        *(f"data.0.tx.{field}" for field in (
            "gas", "gasPrice", "minReceiveAmount", "signatureData", "slippagePercent",
        )),
    ),
    call="data.0.tx.data",
    value="data.0.tx.value",
    asked="/api/v6/dex/aggregator/swap",
    query={
        "chainIndex": "1",
        "amount": "1000000000000000000",
        "swapMode": "exactIn",
        "fromTokenAddress": WETH.address.lower(),
        "toTokenAddress": USDC.address.lower(),
        "slippagePercent": "0.5",
        "userWalletAddress": EXECUTOR,
        "swapReceiverAddress": EXECUTOR,
        "disableRFQ": "true",
    },
    sold="fromTokenAddress",
    people={"userWalletAddress": WALLET, "swapReceiverAddress": RECEIVER},
    slippage="slippagePercent",
    slippages=(
        (Fraction(0), "0"), (Fraction(1, 100_000), "0"), (Fraction(59, 100_000), "0.05"), (Fraction(1, 100), "1"),
        (Fraction(1234, 100_000), "1.23"), (Fraction(1, 10), "10"), (Fraction(3, 2), "100"),
    ),
    transaction=EvmTransaction(1, ROUTER, 0, b"", TOKEN_APPROVED_BY, sweep_tokens=(DAI,), expires_at=DEADLINE),
    errors=ERRORS,
    replies=_replies,
    failures=(
        ({"code": "0", "data": [], "msg": ""}, 200, errors.NoRoute),
        ({"code": "0", "msg": ""}, 200, errors.NoRoute),
        ({"code": "0", "data": [{}], "msg": ""}, 200, errors.UpstreamFailed),
        ({"code": "0", "data": {}, "msg": ""}, 200, errors.UpstreamFailed),
        ({"code": "99999", "data": [], "msg": ""}, 200, errors.UpstreamFailed),
        ({"code": "99999", "data": [], "msg": ""}, 400, errors.RequestRejected),
        ({"code": "no code", "data": []}, 200, errors.UpstreamFailed),
        ({"code": "50011", "data": []}, 429, errors.UpstreamFailed),
        ({"code": None}, 200, errors.UpstreamFailed),
        ([], 200, errors.UpstreamFailed),
        ("<html>", 403, errors.CredentialsRejected),
        ("<html>", 418, errors.RequestRejected),
        ("<html>", 500, errors.UpstreamFailed),
    ),
    others=tuple((SWAP_PATH, f"data.0.{place}", value, kind) for place, value, kind in (
        ("routerResult.chainIndex", "56", errors.UpstreamFailed),
        ("routerResult.fromToken", {"tokenContractAddress": STRANGER}, errors.UpstreamFailed),
        ("routerResult.toToken", {"tokenContractAddress": STRANGER}, errors.UpstreamFailed),
        ("routerResult.toToken", {"tokenContractAddress": STRANGER, "isHoneyPot": True}, errors.NoRoute),
        ("routerResult.fromTokenAmount", "1000000000000000001", errors.UpstreamFailed),
        ("routerResult.toTokenAmount", "2345678901.5", errors.UpstreamFailed),
        ("routerResult.toTokenAmount", str(MINIMUM - 1), errors.UpstreamFailed),
        ("routerResult.toTokenAmount", "9345678901", errors.UpstreamFailed),
        ("tx.to", STRANGER, errors.UpstreamFailed), ("tx.from", STRANGER, errors.UpstreamFailed),
        ("tx.value", "1", errors.UpstreamFailed),
        ("tx.data", "0x", errors.UpstreamFailed), ("tx.data", "0xf2c42696", errors.UpstreamFailed),
        ("tx.data", "0xa9059cbb" + "00" * 64, errors.UpstreamFailed),
    )),
    other_calls={
        "input token": {0: int(STRANGER, 16)}, "output token": {1: STRANGER}, "amount": {2: 10**18 + 1},
        "minimum": {3: MINIMUM - 1}, "deadline": {4: 1_795_233_600},
    },
    changed_call=changed_call,
    native_call={0: int(MARKER, 16)},
    reverts="Min return not reached",
    credentials={"key": "example-key", "secret": "undertow", "passphrase": "ebb and flow"},
    harmless=frozenset({Lie.OTHER_SPENDER}),
)  # fmt: skip
