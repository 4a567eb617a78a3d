"""DFlow for the conformance suite."""

from rhumbline.adapters.dflow import SPEC
from rhumbline.devnet.upstreams.dflow.emulator import Dflow
from rhumbline.domain.errors import BelowMinimum, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

USDC = 10**6

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Dflow,
        asks=(
            Ask("sbxs", "sbxs", "USDC", "USDT", 500 * USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "USDC", 2 * 10**9, direct=True),
            Ask("sbxs", "sbxs", "WETH", "USDC", 10**7, direct=True),
            Ask("sbxs", "sbxs", "WSOL", "WBTC", 10**9, direct=True),
        ),
        refused=(
            Ask("sbxs", "sbxa", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True),
            Ask("sbxa", "sbxa", "WETH", "USDC", 10**18, direct=True),
        ),
        errors={
            NoRoute: "route_not_found, price_impact_too_high, invalid_input_mint, invalid_output_mint",
            RequestRejected: (
                "same_input_and_output_mint, invalid_slippage_bps, invalid_user_public_key, "
                "invalid_destination_wallet, unverified_wallet_not_allowed, wallet_restricted, "
                "both_destination_params_specified"
            ),
            BelowMinimum: "requested_input_amount_is_zero, zero_out_amount",
            CredentialsRejected: "key_missing",
            UpstreamFailed: (
                "failed_to_compute_route, failed_to_construct_order, failed_to_compute_swap, amm_map_not_initialized, "
                "amm_map_lagging, rate_limited"
            ),
        },
    ),
)
