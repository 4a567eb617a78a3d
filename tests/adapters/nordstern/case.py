"""Nordstern for the conformance suite."""

from rhumbline.adapters.nordstern import SPEC
from rhumbline.devnet.upstreams.nordstern.emulator import Nordstern
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Nordstern,
        asks=(
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE),
            Ask("sbxa", "sbxa", "ETH", "USDC", ONE),
            Ask("sbxa", "sbxa", "USDC", "ETH", 2_000 * 10**6),
            Ask("sbxb", "sbxb", "USDT", "WETH", 2_000 * 10**6),
            Ask("sbxa", "sbxa", "WETH", "USDC", ONE, direct=True),
            Ask("sbxa", "sbxa", "ETH", "DAI", ONE, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 10**6),
            Ask("sbxa", "sbxa", "USDC", "USDC", 10**6),
            Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
            Ask("sbxa", "sbxa", "WETH", "ETH", ONE),
        ),
        failures={
            "no_route": NoRoute,
            "no_path": NoRoute,
            "insufficient": NoRoute,
            "bad_tokens": RequestRejected,
            "bad_request": RequestRejected,
            "unknown_chain": RequestRejected,
            "rate_limited": UpstreamFailed,
            "internal": UpstreamFailed,
        },
    ),
)
