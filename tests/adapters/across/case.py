"""Across for the conformance suite."""

from rhumbline.adapters.across import SPEC
from rhumbline.devnet.upstreams.across.emulator import Across
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
        failures={
            "invalid_param": RequestRejected,
            "unsupported_chain": NoRoute,
            "missing_param": RequestRejected,
            "invalid_method": RequestRejected,
            "simulation_error": RequestRejected,
            "amount_too_low": BelowMinimum,
            "amount_too_high": NoRoute,
            "route_not_enabled": NoRoute,
            "swap_liquidity": NoRoute,
            "swap_unavailable": NoRoute,
            "swap_slippage": SlippageTooTight,
            "swap_type": NoRoute,
            "abi_encoding": RequestRejected,
            "unauthorized": CredentialsRejected,
            "forbidden": CredentialsRejected,
            "token_not_found": NoRoute,
            "rate_limited": UpstreamFailed,
            "upstream_rpc": UpstreamFailed,
            "upstream_http": UpstreamFailed,
            "gateway_timeout": UpstreamFailed,
            "unexpected": UpstreamFailed,
        },
        statuses={
            "pending": TransferState.BRIDGE_PENDING,
            "slowFillRequested": TransferState.BRIDGE_PENDING,
            "deposit-pending": TransferState.BRIDGE_PENDING,
            "filled": TransferState.SUCCESS,
            "slowFilled": TransferState.SUCCESS,
            "expired": TransferState.REFUND_PENDING,
            "refunded": TransferState.REFUNDED,
            "deposit-failed": TransferState.BRIDGE_FAILED,
        },
    ),
)
