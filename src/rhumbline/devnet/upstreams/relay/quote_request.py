"""The requests of Relay's quote endpoint, how strictly they are parsed, and their failures.

https://docs.relay.link (handling-errors, quote), read 2026-11-21. The documented failures have an error code. The body
of a request that violates the schema is not documented; here it is a message alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.upstreams.behaviour import Fails, Failure
from rhumbline.devnet.upstreams.parameters import (
    AMOUNT,
    Parameters,
    evm_address,
    flag,
    integer,
    refusal,
    svm_address,
    text,
)
from rhumbline.devnet.upstreams.relay.order import written
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.gateways.evm.address import checksummed

STATUSES = (
    "waiting",
    "depositing",
    "pending",
    "submitted",
    "success",
    "delayed",
    "refund",
    "refunded",
    "failure",
    "unknown",
)
_MESSAGES: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "AMOUNT_TOO_LOW": (400, "Swap output amount is too small to cover fees required to execute swap"),
        "CHAIN_DISABLED": (400, "Chain is disabled"),
        "DESTINATION_TX_FAILED": (400, "Destination transaction failed"),
        "ERC20_ROUTER_ADDRESS_NOT_FOUND": (400, "Router not found"),
        "EXTRA_TXS_NOT_SUPPORTED": (400, "Extra transactions are not supported"),
        "FORBIDDEN": (403, "Forbidden"),
        "INSUFFICIENT_FUNDS": (400, "Insufficient funds"),
        "INSUFFICIENT_LIQUIDITY": (400, "Insufficient liquidity"),
        "INVALID_ADDRESS": (400, "Invalid address"),
        "INVALID_EXTRA_TXS": (400, "Invalid extra transactions"),
        "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS": (400, "Invalid gas limit"),
        "INVALID_INPUT_CURRENCY": (400, "Invalid input or output currency"),
        "INVALID_OUTPUT_CURRENCY": (400, "Invalid input or output currency"),
        "INVALID_RECIPIENT": (400, "Invalid recipient"),
        "INVALID_SLIPPAGE_TOLERANCE": (400, "Invalid slippage tolerance"),
        "NO_INTERNAL_SWAP_ROUTES_FOUND": (400, "No internal swap routes found"),
        "NO_QUOTES": (400, "No quotes available"),
        "NO_SWAP_ROUTES_FOUND": (400, "No routes found"),
        "PERMIT_FAILED": (400, "Permit failed"),
        "PRICE_FETCH_FAILED": (503, "Price feed is temporarily unavailable"),
        "REQUEST_TIMED_OUT": (400, "Request timed out"),
        "ROUTE_TEMPORARILY_RESTRICTED": (400, "Route is temporarily restricted"),
        "RPC_HTTP_ERROR": (400, "HTTP request failed"),
        "SANCTIONED_CURRENCY": (400, "Sanctioned currency"),
        "SANCTIONED_WALLET_ADDRESS": (400, "Sanctioned wallet address"),
        "SERVICE_UNAVAILABLE": (503, "Service unavailable"),
        "SOLANA_TX_TOO_LARGE": (400, "Generated Solana transaction is 1300 bytes, 68 over the limit"),
        "SWAP_IMPACT_TOO_HIGH": (400, "Swap impact is too high"),
        "SWAP_QUOTE_FAILED": (400, "Swap quote failed"),
        "UNAUTHORIZED": (401, "Unauthorized"),
        "UNKNOWN_ERROR": (500, "Unknown error"),
        "UNSUPPORTED_CHAIN": (400, "Unsupported chain"),
        "UNSUPPORTED_CURRENCY": (400, "Unsupported currency"),
        "UNSUPPORTED_EXECUTION_TYPE": (400, "Unsupported execution type"),
        "UNSUPPORTED_ROUTE": (400, "Unsupported route"),
        "USER_RECIPIENT_MISMATCH": (400, "User and recipient must match"),
    }
)
ERRORS: Mapping[str, Failure] = MappingProxyType(
    {
        **{
            code: Failure(status, {"message": message, "errorCode": code}, on=("/quote",))
            for code, (status, message) in _MESSAGES.items()
        },
        "INVALID_BODY": Failure(400, {"message": "Invalid request body"}, on=("/quote",)),
        "REQUEST_UNKNOWN": Failure(404, {"message": "Request not found"}, on=("/intents",)),
    }
)
_REQUEST = Parameters(
    {
        "user": text,
        "originChainId": integer,
        "destinationChainId": integer,
        "originCurrency": text,
        "destinationCurrency": text,
        "amount": AMOUNT,
        "tradeType": text,
    },
    {
        **dict.fromkeys(("recipient", "refundTo", "slippageTolerance", "topupGasAmount"), text),
        **dict.fromkeys(("explicitDeposit", "usePermit", "useDepositAddress", "topupGas", "includeProtocolData"), flag),
    },
    wrong=refusal("INVALID_BODY"),
    unknown=refusal("INVALID_BODY"),
)
TRADE_TYPES = ("EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT")
_BPS = re.compile(r"(0|[1-9][0-9]{0,4})\Z", re.ASCII)
_AUTO_BPS = 50
_TOPUP = 2_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A quote request: EVM addresses in EIP-55 form, chains and tokens of the sandbox, symbols and decimals.

    ``output`` is the amount of a request for an output, whose ``amount`` is found afterwards; ``exact`` if no less will
    do, otherwise the slippage applies to it. ``topup`` is native beside the output, in millionths of a dollar.
    """

    user: str
    recipient: str
    refund_to: str | None
    origin: int
    destination: int
    token_in: str
    token_out: str
    symbols: tuple[str, str]
    decimals: tuple[int, int]
    amount: int
    slippage_bps: int
    protocol_data: bool
    output: int | None = None
    exact: bool = False
    topup: int = 0

    @property
    def same_chain(self) -> bool:
        return self.origin == self.destination


def read_wanted(body: object, world: World) -> Wanted:
    """Parse a request as strictly as it is documented; raise Fails."""
    wanted = _REQUEST.values(body)
    origin, destination = wanted["originChainId"], wanted["destinationChainId"]
    if not {origin, destination} <= world.chains.keys():
        raise Fails("UNSUPPORTED_CHAIN")
    if wanted["tradeType"] not in TRADE_TYPES or not wanted.get("explicitDeposit", True):
        raise Fails("UNSUPPORTED_EXECUTION_TYPE")
    if any(wanted.get(flag, False) for flag in ("usePermit", "useDepositAddress")):
        raise Fails("UNSUPPORTED_EXECUTION_TYPE")
    user = _address(world, origin, wanted["user"])
    recipient = _address(world, destination, wanted.get("recipient", wanted["user"]))
    refund_to = _address(world, origin, wanted.get("refundTo", wanted["user"]))
    token_in = _token(world, origin, wanted["originCurrency"], "INVALID_INPUT_CURRENCY")
    token_out = _token(world, destination, wanted["destinationCurrency"], "INVALID_OUTPUT_CURRENCY")
    if recipient in {token.address for token in world.chain(destination).tokens.values()}:
        raise Fails("INVALID_RECIPIENT")
    slippage = wanted.get("slippageTolerance", str(_AUTO_BPS))
    if not _BPS.match(slippage) or int(slippage) > 10_000:
        raise Fails("INVALID_SLIPPAGE_TOLERANCE")
    return Wanted(
        user,
        recipient,
        refund_to if "refundTo" in wanted else None,
        origin,
        destination,
        token_in[0],
        token_out[0],
        (token_in[1], token_out[1]),
        (token_in[2], token_out[2]),
        int(wanted["amount"]),
        int(slippage),
        wanted.get("includeProtocolData", False),
        None if wanted["tradeType"] == "EXACT_INPUT" else int(wanted["amount"]),
        wanted["tradeType"] == "EXACT_OUTPUT",
        _topup(wanted, world, destination, token_out[0]),
    )


def _topup(wanted: Mapping[str, Any], world: World, destination: int, token_out: str) -> int:
    if not wanted.get("topupGas", False):
        return 0
    said = wanted.get("topupGasAmount", str(_TOPUP))
    if not AMOUNT(said) or destination in world.nodes or token_out == NATIVE_EVM:
        raise Fails("UNSUPPORTED_EXECUTION_TYPE")
    return int(said)


def _address(world: World, chain_id: int, address: str) -> str:
    on_solana = chain_id in world.nodes
    if not (svm_address if on_solana else evm_address)(address):
        raise Fails("INVALID_ADDRESS")
    return address if on_solana else checksummed(address)


def _token(world: World, chain_id: int, address: str, fault: str) -> tuple[str, str, int]:
    """Find a token by its address; return it with its symbol and decimals."""
    if chain_id in world.nodes and address == NATIVE_SVM:
        return NATIVE_SVM, "SOL", 9
    if chain_id not in world.nodes and address == NATIVE_EVM:
        return NATIVE_EVM, "ETH", 18
    for symbol, token in world.chain(chain_id).tokens.items():
        if written(token.address) == written(address):
            return token.address, symbol, token.decimals
    raise Fails(fault)
