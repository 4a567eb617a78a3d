"""Jupiter for the conformance suite."""

from rhumbline.adapters.jupiter import SPEC
from rhumbline.devnet.upstreams.jupiter.emulator import Jupiter
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

USDC = 10**6

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Jupiter,
        asks=(
            Ask("sbxs", "sbxs", "USDC", "USDT", 500 * USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "USDC", 2 * 10**9, direct=True),
            Ask("sbxs", "sbxs", "WSOL", "DAI", 10**9, direct=True),
            Ask("sbxs", "sbxs", "USDT", "WETH", 900 * USDC, direct=True),
        ),
        refused=(
            Ask("sbxs", "sbxa", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True),
            Ask("sbxa", "sbxa", "WETH", "USDC", 10**18, direct=True),
        ),
        failures={
            "no_routes": NoRoute,
            "no_routes_in_200": NoRoute,
            "quotes_failed": NoRoute,
            "no_route_found": NoRoute,
            "not_tradable": NoRoute,
            "circular": RequestRejected,
            "invalid": RequestRejected,
            "invalid_in_200": RequestRejected,
            "key_wrong": CredentialsRejected,
            "no_access": CredentialsRejected,
            "rate_limited": UpstreamFailed,
            "internal": UpstreamFailed,
        },
    ),
)
