"""Relay for the conformance suite."""

from rhumbline.adapters.relay import SPEC
from rhumbline.devnet.upstreams.relay import Relay
from rhumbline.domain.errors import (
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Relay,
        asks=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6),
            Ask("sbxa", "sbxb", "ETH", "ETH", ONE // 10),
            Ask("sbxb", "sbxa", "ETH", "USDC", ONE // 10),
            Ask("sbxa", "sbxb", "DAI", "ETH", 900 * ONE),
            Ask("sbxa", "sbxb", "USDT", "DAI", 250 * 10**6, direct=True),
            Ask("sbxb", "sbxa", "ETH", "ETH", ONE // 10, direct=True),
            Ask("sbxa", "sbxb", "WETH", "USDC", ONE // 10, direct=True),
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE // 10),
            Ask("sbxa", "sbxa", "USDC", "ETH", 250 * 10**6),
            Ask("sbxb", "sbxb", "ETH", "DAI", ONE // 10),
        ),
        refused=(
            Ask("sbxa", "sbxa", "USDC", "WETH", 250 * 10**6, direct=True),
            Ask("sbxa", "sbxa", "USDC", "USDC", 250 * 10**6),
            Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
            Ask("sbxa", "sbxa", "WETH", "ETH", ONE),
        ),
        failures={
            "AMOUNT_TOO_LOW": BelowMinimum,
            "CHAIN_DISABLED": NoRoute,
            "DESTINATION_TX_FAILED": RequestRejected,
            "ERC20_ROUTER_ADDRESS_NOT_FOUND": RequestRejected,
            "EXTRA_TXS_NOT_SUPPORTED": RequestRejected,
            "FORBIDDEN": CredentialsRejected,
            "INSUFFICIENT_FUNDS": RequestRejected,
            "INSUFFICIENT_LIQUIDITY": NoRoute,
            "INVALID_ADDRESS": RequestRejected,
            "INVALID_EXTRA_TXS": RequestRejected,
            "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS": RequestRejected,
            "INVALID_INPUT_CURRENCY": NoRoute,
            "INVALID_OUTPUT_CURRENCY": NoRoute,
            "INVALID_RECIPIENT": RequestRejected,
            "INVALID_SLIPPAGE_TOLERANCE": RequestRejected,
            "NO_INTERNAL_SWAP_ROUTES_FOUND": NoRoute,
            "NO_QUOTES": NoRoute,
            "NO_SWAP_ROUTES_FOUND": NoRoute,
            "PERMIT_FAILED": RequestRejected,
            "PRICE_FETCH_FAILED": UpstreamFailed,
            "REQUEST_TIMED_OUT": UpstreamFailed,
            "ROUTE_TEMPORARILY_RESTRICTED": UpstreamFailed,
            "RPC_HTTP_ERROR": UpstreamFailed,
            "SANCTIONED_CURRENCY": RequestRejected,
            "SANCTIONED_WALLET_ADDRESS": RequestRejected,
            "SERVICE_UNAVAILABLE": UpstreamFailed,
            "SOLANA_TX_TOO_LARGE": NoRoute,
            "SWAP_IMPACT_TOO_HIGH": SlippageTooTight,
            "SWAP_QUOTE_FAILED": RequestRejected,
            "UNAUTHORIZED": CredentialsRejected,
            "UNKNOWN_ERROR": UpstreamFailed,
            "UNSUPPORTED_CHAIN": NoRoute,
            "UNSUPPORTED_CURRENCY": NoRoute,
            "UNSUPPORTED_EXECUTION_TYPE": RequestRejected,
            "UNSUPPORTED_ROUTE": NoRoute,
            "USER_RECIPIENT_MISMATCH": RequestRejected,
            "INVALID_BODY": RequestRejected,
        },
        statuses={
            "waiting": TransferState.BRIDGE_PENDING,
            "depositing": TransferState.BRIDGE_PENDING,
            "pending": TransferState.BRIDGE_PENDING,
            "submitted": TransferState.BRIDGE_PENDING,
            "delayed": TransferState.BRIDGE_PENDING,
            "success": TransferState.SUCCESS,
            "refund": TransferState.REFUNDED,
            "refunded": TransferState.REFUNDED,
            "failure": TransferState.BRIDGE_FAILED,
            "unknown": TransferState.UNKNOWN,
        },
    ),
)
