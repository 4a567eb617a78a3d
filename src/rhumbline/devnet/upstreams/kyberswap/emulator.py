"""An emulator of KyberSwap's aggregator: routes, and their encoding for its router.

Aggregator API v1, the vendor's OpenAPI document 2.12.1 and error-handling page, read 2026-11-21. Answers have the
documented shape. A route is identified by its checksum, so one that is sent back altered is refused.
"""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.kyberswap.router_call import EXECUTOR, NATIVE, ROUTER, router_call, theirs
from rhumbline.devnet.upstreams.parameters import (
    AMOUNT,
    BOOLEAN,
    Parameters,
    anything,
    evm_address,
    integer,
    one_of,
    refusal,
)
from rhumbline.devnet.upstreams.trades import Trade, ours

_TWENTY_MINUTES_S = 1200
_MOST_TOLERANCE_BPS = 2000


def _failure(status: int, code: int, message: str) -> Failure:
    return Failure(status, {"code": code, "message": message, "details": None, "requestId": "9f1c"})


def _bad(field: str, description: str) -> dict[str, object]:
    violations = [{"field": field, "description": description}]
    return {"code": 4000, "message": "bad request", "details": [{"fieldViolations": violations}], "requestId": "9f1c"}


def _refused(field: str) -> Fails:
    return Fails("query_malformed") if field in _BOOLEANS else Fails("bad_request", _bad(field, "invalid"))


_BOOLEANS = ("gasInclude", "excludeRFQSources")
_ADDRESSES = ("sender", "recipient")
_ROUTES = Parameters(
    {"tokenIn": evm_address, "tokenOut": evm_address, "amountIn": AMOUNT},
    {"origin": evm_address, **dict.fromkeys(_BOOLEANS, BOOLEAN)},
    wrong=_refused,
    unknown=refusal("query_malformed"),
)
_BUILD = Parameters(
    {"routeSummary": anything, "sender": evm_address, "recipient": evm_address},
    {
        "slippageTolerance": lambda value: type(value) in (int, float),
        "deadline": integer,
        "enableGasEstimation": one_of(True, False, None),
        "origin": anything,
    },
    wrong=lambda field: (
        Fails("bad_request", _bad(field, "invalid")) if field in _ADDRESSES else Fails("body_malformed")
    ),
    unknown=refusal("body_malformed"),
)


class KyberSwap(Emulator):
    """KyberSwap on the sandbox's pools: one path of one or two hops, traded by its executor."""

    key = "KYBERSWAP"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_request": Failure(400, _bad("amountIn", "invalid")),
            "query_malformed": _failure(400, 4001, "unable to bind query parameters"),
            "body_malformed": _failure(400, 4002, "unable to bind request body"),
            "invalid_swap": _failure(400, 4003, "invalid swap"),
            "invalid_value": _failure(400, 4004, "invalid value"),
            "fee_above_input": _failure(400, 4005, "feeAmount is greater than amountIn"),
            "fee_above_output": _failure(400, 4007, "feeAmount is greater than amountOut"),
            "route_not_found": _failure(400, 4008, "route not found"),
            "amount_too_large": _failure(400, 4009, "amountIn is greater than max allowed"),
            "no_eligible_pools": _failure(400, 4010, "route not found"),
            "token_not_found": _failure(400, 4011, "token not found"),
            "sender_empty": _failure(400, 40010, "sender address can not be empty when enable gas estimation"),
            "sources_filtered": _failure(400, 40011, "filtered liquidity sources"),
            "weth_not_found": _failure(422, 4221, "weth not found"),
            "quote_smaller": _failure(422, 4222, "quoted amount is smaller than estimated"),
            "gas_estimate": _failure(422, 4227, "estimate gas failed: execution reverted"),
            "return_not_enough": _failure(422, 4227, "estimate gas failed: return amount is not enough"),
            "canceled": _failure(499, 4990, "request was canceled"),
            "rate_limited": Failure(429, {"message": "too many requests"}),
            "internal": _failure(500, 500, "internal server error"),
            "chain_unknown": Failure(
                404, {"message": "", "path": "/nowhere", "request_id": "", "request_ip": "", "status": 404}
            ),
        }
    )  # fmt: skip
    lies = frozenset(Lie) - {Lie.OTHER_REFUND}
    settlements = MappingProxyType({ROUTER: "KyberRouter", EXECUTOR: "KyberExecutor"})
    no_such_path = "chain_unknown"

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get("/{chain}/api/v1/routes", self._routes),
            web.post("/{chain}/api/v1/route/build", self._build),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {number: {"chain_name": chain.key, "router": ROUTER} for number, chain in self.world.evm_chains.items()}

    async def _routes(self, request: web.Request) -> web.Response:
        chain_id = self.chain_by_key(request.match_info["chain"], "chain_unknown")
        query = _ROUTES.query(received(request))
        if query["tokenIn"].lower() == query["tokenOut"].lower():
            raise Fails("bad_request", _bad("tokenIn", "identical with tokenOut"))
        trade = await self._trade(chain_id, query["tokenIn"], query["tokenOut"], int(query["amountIn"]))
        summary = await self._summary(chain_id, trade)
        summary["checksum"] = _checksum(summary)
        data = {"routeSummary": summary, "routerAddress": ROUTER}
        return answer({"code": 0, "message": "successfully", "data": data, "requestId": "9f1c"})

    async def _build(self, request: web.Request) -> web.Response:
        chain_id = self.chain_by_key(request.match_info["chain"], "chain_unknown")
        body = _BUILD.values(received(request).body)
        summary, deadline, tolerance = self._terms(body)
        trade = await self._trade(chain_id, summary["tokenIn"], summary["tokenOut"], int(summary["amountIn"]))
        # As the live service does: the route is simulated again, and returns one unit less.
        output = trade.amount_out - 1
        minimum = output * (10_000 - tolerance) // 10_000
        call = router_call(trade, str(body["recipient"]), deadline, minimum, self.behaviour.lie)
        spent = await self._usd(chain_id, trade.token_in, trade.amount_in)
        got = await self._usd(chain_id, trade.token_out, output)
        change = {"amount": "-1", "percent": 0, "level": 0}
        return answer(
            {
                "code": 0,
                "message": "successfully",
                "data": {
                    "amountIn": str(trade.amount_in),
                    "amountInUsd": spent,
                    "amountOut": str(output),
                    "amountOutUsd": got,
                    "gas": str(_gas(trade)),
                    "gasUsd": "0",
                    "outputChange": change,
                    "data": "0x" + call.hex(),
                    "routerAddress": self.entry(ROUTER),
                    "transactionValue": self.value(trade),
                },
                "requestId": "9f1c",
            }
        )

    def _terms(self, body: Mapping[str, Any]) -> tuple[dict[str, str], int, int]:
        """Check a build's body; return the route, the deadline in Unix seconds, the tolerance in bps."""
        summary = body.get("routeSummary")
        if not isinstance(summary, dict) or summary.get("checksum") != _checksum(summary):
            raise Fails("bad_request", _bad("routeSummary", "invalid checksum"))
        now, tolerance = int(time.time()), body.get("slippageTolerance", 0)
        deadline = body.get("deadline", now + _TWENTY_MINUTES_S)
        if deadline < now:
            raise Fails("bad_request", _bad("deadline", "in the past"))
        if not 0 <= tolerance <= _MOST_TOLERANCE_BPS:
            raise Fails("bad_request", _bad("slippageTolerance", "invalid"))
        return summary, deadline, int(tolerance)

    async def _trade(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        known = {NATIVE.lower(), *(token.address.lower() for token in self.world.chain(chain_id).tokens.values())}
        if not {token_in.lower(), token_out.lower()} <= known:
            raise Fails("token_not_found")
        return await self.trade(
            chain_id, ours(token_in, NATIVE), ours(token_out, NATIVE), amount, none="route_not_found"
        )

    async def _usd(self, chain_id: int, token: str, amount: int) -> str:
        worth = await self.usd(chain_id, token, amount)
        return f"{worth // 10**6}.{worth % 10**6:06d}" if worth else "0"

    async def _summary(self, chain_id: int, trade: Trade) -> dict[str, object]:
        return {
            "tokenIn": theirs(trade.token_in),
            "amountIn": str(trade.amount_in),
            "amountInUsd": await self._usd(chain_id, trade.token_in, trade.amount_in),
            "tokenOut": theirs(trade.token_out),
            "amountOut": str(trade.amount_out),
            "amountOutUsd": await self._usd(chain_id, trade.token_out, trade.amount_out),
            "gas": str(_gas(trade)),
            "gasPrice": "1000000000",
            "gasUsd": "0",
            "l1FeeUsd": "0",
            "extraFee": {"feeAmount": "0", "chargeFeeBy": "", "isInBps": False, "feeReceiver": ""},
            "route": [
                [
                    {
                        "pool": leg.pool.address.lower(),
                        "tokenIn": leg.token_in.lower(),
                        "tokenOut": leg.token_out.lower(),
                        "swapAmount": str(leg.amount_in),
                        "amountOut": str(leg.amount_out),
                        "exchange": leg.pool.kind.replace("_", "-"),
                        "poolType": leg.pool.kind.replace("_", "-"),
                        # Numbers that a double cannot hold, and one whose trailing digits matter: all must be sent back
                        # exactly.
                        "poolExtra": {"fee": leg.pool.fee, "priceLimit": 2**160 - 2**96 + 1, "ratio": 0.1},
                        "extra": None,
                    }
                    for leg in trade.legs
                ]
            ],
            "routeID": hashlib.sha256(f"{chain_id}{trade}".encode()).hexdigest()[:32],
            "timestamp": int(time.time()),
        }


def _checksum(summary: Mapping[str, object]) -> str:
    rest = {key: value for key, value in summary.items() if key != "checksum"}
    return str(int.from_bytes(hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).digest()[:8]))


def _gas(trade: Trade) -> int:
    return 150_000 + 100_000 * len(trade.legs)
