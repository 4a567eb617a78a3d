"""Relay for the conformance suite."""

from rhumbline.adapters.relay import SPEC
from rhumbline.devnet.upstreams.relay.emulator import Relay
from rhumbline.domain import errors
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
            Ask("sbxs", "sbxa", "SOL", "ETH", 10**9),
            Ask("sbxs", "sbxb", "USDC", "USDC", 250 * 10**6),
            Ask("sbxa", "sbxs", "USDC", "USDC", 250 * 10**6),
            Ask("sbxb", "sbxs", "ETH", "SOL", ONE // 10, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxa", "USDC", "WETH", 250 * 10**6, direct=True),
            Ask("sbxa", "sbxa", "USDC", "USDC", 250 * 10**6),
            Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
            Ask("sbxa", "sbxa", "WETH", "ETH", ONE),
            Ask("sbxs", "sbxs", "SOL", "USDC", 10**9),
            Ask("sbxs", "sbxa", "WSOL", "ETH", 10**9),
        ),
        errors={
            errors.BelowMinimum: "AMOUNT_TOO_LOW",
            errors.NoRoute: (
                "CHAIN_DISABLED, INSUFFICIENT_LIQUIDITY, INVALID_INPUT_CURRENCY, INVALID_OUTPUT_CURRENCY, "
                "NO_INTERNAL_SWAP_ROUTES_FOUND, NO_QUOTES, NO_SWAP_ROUTES_FOUND, SOLANA_TX_TOO_LARGE, "
                "UNSUPPORTED_CHAIN, UNSUPPORTED_CURRENCY, UNSUPPORTED_ROUTE"
            ),
            errors.RequestRejected: (
                "DESTINATION_TX_FAILED, ERC20_ROUTER_ADDRESS_NOT_FOUND, EXTRA_TXS_NOT_SUPPORTED, INSUFFICIENT_FUNDS, "
                "INVALID_ADDRESS, INVALID_EXTRA_TXS, INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS, INVALID_RECIPIENT, "
                "INVALID_SLIPPAGE_TOLERANCE, PERMIT_FAILED, SANCTIONED_CURRENCY, SANCTIONED_WALLET_ADDRESS, "
                "SWAP_QUOTE_FAILED, UNSUPPORTED_EXECUTION_TYPE, USER_RECIPIENT_MISMATCH, INVALID_BODY"
            ),
            errors.CredentialsRejected: "FORBIDDEN, UNAUTHORIZED",
            errors.UpstreamFailed: (
                "PRICE_FETCH_FAILED, REQUEST_TIMED_OUT, ROUTE_TEMPORARILY_RESTRICTED, RPC_HTTP_ERROR, "
                "SERVICE_UNAVAILABLE, UNKNOWN_ERROR"
            ),
            errors.SlippageTooTight: "SWAP_IMPACT_TOO_HIGH",
        },
        states={
            TransferState.BRIDGE_PENDING: "waiting, depositing, pending, submitted, delayed",
            TransferState.SUCCESS: "success",
            TransferState.REFUNDED: "refund, refunded",
            TransferState.BRIDGE_FAILED: "failure",
            TransferState.UNKNOWN: "unknown",
        },
    ),
)
