"""Failures of Mayan's price API and explorer, as far as they are known."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.devnet.upstreams.behaviour import Failure

QUOTE, SWAP, SCAN = "/quote", "/get-swap", "/swap/trx/"


def _failure(status: int, body: object, *on: str) -> Failure:
    return Failure(status, body, on=on)


FAILURES: Mapping[str, Failure] = MappingProxyType(
    {
        "amount_too_small": _failure(
            406,
            {
                "code": "AMOUNT_TOO_SMALL",
                "message": "Amount too small (min ~0.00055 ETH)",
                "data": {"minAmountIn": 0.00055},
            },
            QUOTE,
        ),
        "route_not_found": _failure(406, {"code": "ROUTE_NOT_FOUND", "msg": "Route not found"}, QUOTE, SWAP),
        "sdk_version": _failure(
            406,
            {"code": "SDK_VERSION_TOO_OLD", "msg": "Upgrade sdk and set sdkVersion in quote requests"},
            QUOTE,
            SWAP,
        ),
        "bad_request": _failure(400, {"message": "bad request"}, QUOTE, SWAP),
        "unauthorized": _failure(401, {"message": "Unauthorized"}, QUOTE, SWAP),
        "rate_limited": Failure(429, {"message": "Too many requests"}, {"retry-after": "7"}),
        "internal": Failure(500, {"statusCode": 500, "message": "Internal server error"}),
        "not_found": _failure(404, {"message": "Swap not found"}, SCAN),
    }
)
