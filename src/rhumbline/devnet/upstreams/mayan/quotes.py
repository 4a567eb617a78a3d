"""Quotes of Mayan's emulator, in the live service's form."""

import re
import secrets
import time
from collections.abc import Mapping
from decimal import Decimal

from rhumbline.devnet.upstreams.behaviour import Fails, Lie
from rhumbline.devnet.upstreams.mayan.deployments import Asset, human
from rhumbline.devnet.upstreams.mayan.offers import Offer

_AN_HOUR_S = 3600
_PLAIN = re.compile(r"[0-9]{1,6}(\.[0-9]{1,8})?\Z", re.ASCII)
_AUTO_BPS = 50
_MOST_BPS = 500
_OTHER_MINT = "So11111111111111111111111111111111111111112"
_CONTRACTS = ("swiftMayanContract", "mctpMayanContract", "fastMctpMayanContract", "whMayanContract")


def written(
    kind: str,
    assets: tuple[Asset, Asset],
    amount: int,
    slippage: int,
    offer: Offer,
    lie: Lie | None,
    drop: int = 0,
) -> dict[str, object]:
    """Write an offer as an element of ``quotes``, with the active lie if it is one about quotes.

    ``drop`` is the native on arrival, in wei.
    """
    origin, destination = assets
    usual: dict[str, object] = {
        "maxUserGasDrop": 0.001,
        "sendTransactionCost": 0,
        "rentCost": "3000000",
        "gasless": False,
        "quoteId": "0x" + secrets.token_hex(16),
        "type": kind,
        "slippageBps": slippage,
        "effectiveAmountIn": human(amount, origin.decimals),
        "effectiveAmountIn64": str(amount),
        "expectedAmountOut": human(offer.output, destination.decimals),
        "price": human(offer.output, destination.decimals) / human(amount, origin.decimals),
        "priceImpact": None,
        "minAmountOut": human(offer.minimum, destination.decimals),
        "minReceived": human(offer.minimum, destination.decimals),
        "minMiddleAmount": human(offer.least_middle, _middle_decimals(kind, origin, offer)),
        "route": None,
        "swapRelayerFee": None,
        "redeemRelayerFee": None,
        "refundRelayerFee": None,
        "solanaRelayerFee": None,
        "deadline64": str(int(time.time()) + _AN_HOUR_S),
        "fromToken": origin.written(),
        "fromChain": origin.deployment.name,
        "toToken": destination.written(),
        "toChain": destination.deployment.name,
        "mintDecimals": None,
        "gasDrop": human(drop, 18) if drop else 0,
        "eta": 1,
        "clientEta": "10s",
        "bridgeFee": 0,
        "suggestedPriorityFee": 0,
        "referrerBps": 0,
        "onlyBridging": False,
        "sourceSwapExpense": 0,
        "relayer": None,
        "meta": {"title": "Best"},
        "expectedAmountOutBaseUnits": str(offer.output),
        "minAmountOutBaseUnits": str(offer.minimum),
        "minReceivedBaseUnits": str(offer.minimum),
        "signature": "0x" + secrets.token_hex(65),
    }
    return _lied({**usual, **offer.fields}, assets, amount, lie)


def _middle_decimals(kind: str, origin: Asset, offer: Offer) -> int:
    decimals = offer.fields.get("swiftInputDecimals", origin.decimals if kind == "WH" else 6)
    return decimals if isinstance(decimals, int) else 6


def _lied(quote: dict[str, object], assets: tuple[Asset, Asset], amount: int, lie: Lie | None) -> dict[str, object]:
    origin, destination = assets
    match lie:
        case Lie.OTHER_RECEIVER if quote["type"] == "WH":
            # The token bridge would pay into an account of another mint, from which no swap could continue.
            return quote | {"fromToken": origin.written() | {"mint": _OTHER_MINT}}
        case Lie.OTHER_ENTRY:
            return quote | {name: origin.deployment.stranger for name in _CONTRACTS if name in quote}
        case Lie.OTHER_TOKEN:
            token = destination.written() | {
                "contract": destination.deployment.stranger,
                "realOriginContractAddress": destination.deployment.stranger,
            }
            return quote | {"toToken": token}
        case Lie.OTHER_AMOUNT:
            return quote | {"effectiveAmountIn64": str(amount + 1)}
        case Lie.MORE_VALUE:
            return quote | {"bridgeFee": Decimal(1)}
        case Lie.NO_MINIMUM:
            zero = dict.fromkeys(("minAmountOut", "minReceived", "minMiddleAmount"), 0)
            return quote | zero | {"minAmountOutBaseUnits": "0", "minReceivedBaseUnits": "0"}
        case _:
            return quote


def drop_of(query: Mapping[str, str], most: int) -> int:
    """Read `gasDrop` in whole native tokens as wei; more than is brought is cut to that."""
    said = query.get("gasDrop", "0")
    if not _PLAIN.match(said):
        raise Fails("bad_request")
    return min(int(Decimal(said).scaleb(18)), most)


def slippage_of(query: Mapping[str, str]) -> int:
    """Read `slippageBps`, a whole number or `auto`."""
    said = query.get("slippageBps", "")
    if said == "auto":
        return _AUTO_BPS
    if not said.isascii() or not said.isdigit() or len(said) > 4 or int(said) > _MOST_BPS:
        raise Fails("bad_request")
    return int(said)
