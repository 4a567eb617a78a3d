"""What the emulated upstreams of the quote scenarios answer: each in its upstream's own shape, 1.9 to 3.4 KB of JSON.

The question is always the same but for its amount, and every answer carries that amount and the output that belongs to
it, in its JSON and in its calldata: the adapters, which compare both, tell an answer to another question.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

from rhumbline.adapters.kyberswap import deployments as kyberswap
from rhumbline.adapters.nordstern import calldata as nordstern_call
from rhumbline.adapters.nordstern import deployments as nordstern
from rhumbline.adapters.okx import calldata as okx_call
from rhumbline.adapters.okx import deployments as okx
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token

KINDS = ("KYBERSWAP", "NORDSTERN", "OKX")
KEYS = tuple(f"{kind}_{number}" for kind in KINDS for number in (1, 2, 3, 4))
"""The twelve: four adapters of each of three kinds that make one call for a quote."""
FASTEST_S, SLOWEST_S = 0.050, 0.800
MOST_QUESTIONS = 10**6
_LEAST = 10**18
_OUTPUT = 2_345_000_000
WALLET, EXECUTOR = "0x" + 20 * "a1", "0x" + 20 * "e2"
ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether")
WETH = Token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "WETH", 18, "Wrapped Ether")
USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
CHAIN = Chain(
    1, "ethereum", "Ethereum", ChainType.EVM, ETHER, mainnet=True, wrapped_native=WETH.address, executor=EXECUTOR
)
_IN, _OUT = WETH.address.lower(), USDC.address.lower()
_POOL = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
# Where a template has the amount, the output and the minimum: as digits, and as the end of words of calldata.
_MARKS = (1_111_111_111_111_111_111, 2_222_222_222, 3_333_333_333)


def request(question: int) -> QuoteRequest:
    """Return a question by its number, which makes its amount."""
    return QuoteRequest(
        CHAIN, CHAIN, WETH, USDC, _LEAST + question, sender=WALLET, receiver=WALLET, taker=EXECUTOR,
        payout_address=EXECUTOR, slippage=Fraction(5, 1000), deadline=4_000_000_000,
    )  # fmt: skip


def output(amount: int, key: str) -> int:
    """Return what an upstream's answer gives for an amount; KyberSwap's adapter quotes one unit less than its route."""
    return _OUTPUT + amount - _LEAST - key.startswith("KYBERSWAP")


def latency_s(key: str, amount: int) -> float:
    """Return how long an upstream takes for an amount: 50 to 800 ms, logarithms evenly spread, always the same."""
    share = int.from_bytes(sha256(f"{key} {amount}".encode()).digest()[:8]) / 2**64
    return FASTEST_S * math.exp(share * math.log(SLOWEST_S / FASTEST_S))


class Template:
    """An answer whose amounts are filled in."""

    def __init__(self, document: object) -> None:
        """Find the places of the amounts."""
        self._text = json.dumps(document, separators=(",", ":")).encode()

    def filled(self, amount: int) -> bytes:
        """Return the answer to a question of an amount."""
        output = _OUTPUT + amount - _LEAST
        text = self._text
        for mark, number in zip(_MARKS, (amount, output, output - output // 400), strict=True):
            text = text.replace(b"%d" % mark, b"%d" % number).replace(b"%016x" % mark, b"%016x" % number)
        return text


def templates() -> Mapping[str, Template]:
    """Return the answers by kind."""
    made: Sequence[Callable[[], Any]] = (_kyberswap, _nordstern, _okx)
    return {kind: Template(make()) for kind, make in zip(KINDS, made, strict=True)}


def _kyberswap() -> Any:
    amount, output, _ = _MARKS
    hop = {
        "pool": _POOL, "tokenIn": _IN, "tokenOut": _OUT, "swapAmount": "500000000000000000", "amountOut": "1172839450",
        "exchange": "uniswapv3", "poolType": "uniswapv3",
        "poolExtra": {"swapFee": 500, "priceLimit": 1461300573427867316570072651998408279850435624081, "share": 0.1},
        "extra": {"nSqrtRx96": "1635869213456780123456789012345678", "ti": None},
    }  # fmt: skip
    summary = {
        "tokenIn": _IN, "amountIn": str(amount), "amountInUsd": "2349.12", "tokenOut": _OUT, "amountOut": str(output),
        "amountOutUsd": "2345.678901", "gas": "231000", "gasPrice": "2210000000", "gasUsd": "1.27", "l1FeeUsd": "0",
        "extraFee": {"feeAmount": "0", "chargeFeeBy": "", "isInBps": False, "feeReceiver": ""},
        "route": [[hop, hop], [hop]], "routeID": "7d5c1b0e-8f0a4c52", "checksum": "10512388213306425151",
        "timestamp": 1795294800,
    }  # fmt: skip
    data = {"routeSummary": summary, "routerAddress": kyberswap.ROUTER}
    return {"code": 0, "message": "successfully", "data": data, "requestId": "0b6f29"}


def _nordstern() -> Any:
    amount, output, minimum = _MARKS
    executor = "031f6d691fb41ca5f030422251bcb19944bd8d8c"
    data = nordstern_call.SWAP.hex() + f"0301{executor}{amount:032x}{minimum:032x}01" + executor
    data += EXECUTOR[2:] + _IN[2:] + _OUT[2:] + 300 * "2b"
    hop = {
        "pool": _POOL, "tokenIn": WETH.address, "tokenOut": USDC.address, "type": "uniswap_v3", "direction": "1_0",
        "amountIn": "500000000000000000", "amountOut": "1172839450",
    }  # fmt: skip
    swap = {"hops": 1, "gasUnits": 149015, "amountIn": "5", "amountOut": "1172839450", "route": [hop]}
    tx = {"value": "0", "data": "0x" + data, "from": EXECUTOR, "to": nordstern.DEPLOYMENTS[1].guard}
    return {
        "simulationBlock": 45306215, "tx": tx, "src": WETH.address, "dst": USDC.address, "fromAmount": str(amount),
        "toAmount": str(output), "swaps": [swap, swap], "gasEstimate": "287411",
    }  # fmt: skip


def _okx() -> Any:
    amount, output, minimum = _MARKS
    path = ([_IN], [_POOL], [(0x1_2710 << 160) + int(_POOL, 16)], [b"\x01\x02\x03"], int(_IN, 16))
    base = (int(_IN, 16), _OUT, amount, minimum, 4_000_000_000)
    call = okx_call.DAG_BY_ORDER.encode(0x19A28, base, [path])
    trim = "777777771111800000000000" + f"{output:040x}" + "777777771111000000000064" + _POOL[2:]
    token = {"decimal": "18", "isHoneyPot": False, "taxRate": "0", "tokenUnitPrice": "2349.1"}
    sold = token | {"tokenContractAddress": _IN, "tokenSymbol": "WETH"}
    bought = token | {"tokenContractAddress": _OUT, "tokenSymbol": "USDC"}
    dex = {"dexProtocol": {"dexName": "Uniswap V3", "percent": "100"}, "fromToken": sold, "toToken": bought}
    result = {
        "chainIndex": "1", "contextSlot": 0, "dexRouterList": [dex], "estimateGasFee": "287411", "fromToken": sold,
        "fromTokenAmount": str(amount), "priceImpactPercent": "-0.14", "router": f"{_IN}--{_OUT}",
        "swapMode": "exactIn", "toToken": bought, "toTokenAmount": str(output), "tradeFee": "1.35",
    }  # fmt: skip
    tx = {
        "data": "0x" + call.hex() + trim, "from": EXECUTOR, "gas": "431116", "gasPrice": "557703374",
        "minReceiveAmount": str(minimum), "slippagePercent": "0.5", "to": okx.DEPLOYMENTS[1].routers[0], "value": "0",
    }  # fmt: skip
    return {"code": "0", "data": [{"routerResult": result, "tx": tx}], "msg": ""}
