"""Across for the conformance suite."""

from rhumbline.adapters.across import SPEC
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.domain import errors
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Across,
        asks=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 1_000 * 10**6),
            Ask("sbxa", "sbxb", "ETH", "ETH", ONE),
            Ask("sbxa", "sbxb", "WETH", "ETH", ONE),
            Ask("sbxb", "sbxa", "DAI", "DAI", 500 * ONE),
            Ask("sbxb", "sbxa", "WBTC", "WBTC", 10**7, direct=True),
            Ask("sbxa", "sbxb", "ETH", "ETH", ONE, direct=True),
            Ask("sbxs", "sbxa", "USDC", "USDC", 1_000 * 10**6, direct=True),
            Ask("sbxb", "sbxs", "USDC", "USDC", 1_000 * 10**6),
        ),
        refused=(
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE),
            Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
            Ask("sbxs", "sbxa", "SOL", "ETH", 10**9, direct=True),
        ),
        errors={
            errors.RequestRejected: "invalid_param, missing_param, invalid_method, simulation_error, abi_encoding",
            errors.NoRoute: (
                "unsupported_chain, amount_too_high, route_not_enabled, swap_liquidity, swap_unavailable, swap_type, "
                "token_not_found"
            ),
            errors.BelowMinimum: "amount_too_low",
            errors.SlippageTooTight: "swap_slippage",
            errors.CredentialsRejected: "unauthorized, forbidden",
            errors.UpstreamFailed: "rate_limited, upstream_rpc, upstream_http, gateway_timeout, unexpected",
        },
        states={
            TransferState.BRIDGE_PENDING: "pending, slowFillRequested, deposit-pending",
            TransferState.SUCCESS: "filled, slowFilled",
            TransferState.REFUND_PENDING: "expired",
            TransferState.REFUNDED: "refunded",
            TransferState.BRIDGE_FAILED: "deposit-failed",
        },
    ),
)
