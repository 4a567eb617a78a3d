"""Quotes from Solana, in the shape of the vendor's: fields as in its SDK and in a published quote of 2025-12-20."""

from dataclasses import replace
from typing import Any

from rhumbline.adapters.mayan.deployments import DEPLOYMENTS, FORWARDER
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from tests.adapters.mayan.stub_upstream import SOL_RECEIVER, SOLANA, request

WALLET = SOL_RECEIVER
HERE = DEPLOYMENTS[SOLANA]
STRANGER = "mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v"
AMOUNT = 250_000_000
SOLANA_FEE, REDEEM_FEE, CIRCLE_FEE = 4_000, 20_000, 32_501


def from_solana(origin: str = "solana USDC", destination: str = "base USDC", **more: Any) -> QuoteRequest:
    return replace(request(origin, destination, AMOUNT), sender=WALLET, taker=WALLET, **more)


def quoted(asked: QuoteRequest, kind: str = "SWIFT", **changes: Any) -> dict[str, Any]:
    """A quote that a request may get; what is expected is 249.8 of a token of six decimals."""
    place = DEPLOYMENTS[asked.destination.id]
    tokens = _token(asked.origin_token, 1), _token(asked.destination_token, place.wormhole_id)
    usual = {
        "type": kind, "fromChain": "solana", "toChain": place.name, "fromToken": tokens[0], "toToken": tokens[1],
        "slippageBps": 46, "effectiveAmountIn": AMOUNT / 10**asked.origin_token.decimals,
        "effectiveAmountIn64": str(AMOUNT), "expectedAmountOut": 249.8, "minAmountOut": 248.551, "gasDrop": 0,
        "minMiddleAmount": 250, "gasless": False, "etaSeconds": 10, "bridgeFee": 0, "referrerBps": 0, "protocolBps": 3,
        "deadline64": "1795266000", "suggestedPriorityFee": 30000, "relayer": None,
        "quoteId": "0x0c7744e8ed48d8c1f415c0db47a8e2aa",
    }  # fmt: skip
    return {**usual, **_fields(asked, kind), **changes}


def _fields(asked: QuoteRequest, kind: str) -> dict[str, Any]:
    taken, orders = _token(asked.origin_token, 1)["contract"], asked.destination_token.symbol != "USDC"
    match kind:
        case "SWIFT":
            return {
                "swiftVersion": "V2", "swiftMayanContract": HERE.swift[0], "swiftInputContract": taken,
                "swiftInputContractStandard": "spl", "swiftInputDecimals": asked.origin_token.decimals,
                "swiftAuctionMode": 2, "cancelRelayerFee64": "4100", "refundRelayerFee64": "1300",
                "submitRelayerFee64": "0",
            }  # fmt: skip
        case "MCTP":
            return {
                "mctpInputContract": taken, "hasAuction": orders, "cheaperChain": "base", "redeemRelayerFee": 0.02,
                "solanaRelayerFee64": str(SOLANA_FEE),
            }  # fmt: skip
        case _:
            return {
                "fastMctpInputContract": taken, "hasAuction": orders, "redeemRelayerFee": 0.02,
                "redeemRelayerFee64": str(REDEEM_FEE), "refundRelayerFee64": "1300", "fastMctpMinFinality": 1000,
                "circleMaxFee64": str(CIRCLE_FEE), "solanaRelayerFee64": str(SOLANA_FEE),
            }  # fmt: skip


def _token(token: Token, wormhole_id: int) -> dict[str, Any]:
    native = token.symbol in ("SOL", "ETH")
    contract = NATIVE_EVM if native else token.address
    solana = wormhole_id == 1
    return {
        "contract": contract if solana else contract.lower(), "decimals": token.decimals, "wChainId": wormhole_id,
        "mint": "", "standard": "spl" if solana else "erc20", "symbol": token.symbol,
    }  # fmt: skip


def question(asked: dict[str, str]) -> tuple[str, ...]:
    """What a question names of both ends."""
    assert asked["forwarderAddress"] == FORWARDER
    return tuple(asked[name] for name in ("fromChain", "fromToken", "toChain", "toToken", "amountIn64"))
