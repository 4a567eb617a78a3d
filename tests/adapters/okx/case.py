"""OKX for the conformance suite."""

from rhumbline.adapters.okx import SPEC
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.domain.errors import (
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Okx,
        asks=(
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE),
            Ask("sbxa", "sbxa", "ETH", "USDC", ONE),
            Ask("sbxa", "sbxa", "USDC", "ETH", 2_000 * 10**6),
            Ask("sbxb", "sbxb", "USDT", "WETH", 2_000 * 10**6),
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE, direct=True),
            Ask("sbxa", "sbxa", "ETH", "DAI", ONE, direct=True),
            Ask("sbxs", "sbxs", "USDC", "USDT", 500 * 10**6, direct=True),
            Ask("sbxs", "sbxs", "SOL", "USDC", 2 * 10**9, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 10**6),
            Ask("sbxa", "sbxa", "USDC", "USDC", 10**6),
            Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
            Ask("sbxa", "sbxa", "WETH", "ETH", ONE),
            Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True),
        ),
        failures={
            "rate_limited": UpstreamFailed,
            "parameter_empty": RequestRejected,
            "system": UpstreamFailed,
            "key_empty": CredentialsRejected,
            "passphrase_empty": CredentialsRejected,
            "passphrase_wrong": CredentialsRejected,
            "sign_empty": CredentialsRejected,
            "timestamp_empty": CredentialsRejected,
            "key_invalid": CredentialsRejected,
            "timestamp_invalid": CredentialsRejected,
            "signature_invalid": CredentialsRejected,
            "no_access": CredentialsRejected,
            "parameter_error": RequestRejected,
            "repeated": UpstreamFailed,
            "calldata_too_long": UpstreamFailed,
            "risk": RequestRejected,
            "no_liquidity": NoRoute,
            "commission_down": UpstreamFailed,
            "below_minimum": BelowMinimum,
            "above_maximum": NoRoute,
            "token_unsupported": NoRoute,
            "chain_unsupported": NoRoute,
            "value_lost": SlippageTooTight,
            "blacklisted": RequestRejected,
            "wallet_invalid": RequestRejected,
            "receiver_invalid": RequestRejected,
            "build_failed": UpstreamFailed,
            "no_route": NoRoute,
        },
    ),
)
