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
        errors={
            NoRoute: "no_routes, no_routes_in_200, quotes_failed, no_route_found, not_tradable",
            RequestRejected: "circular, invalid, invalid_in_200",
            CredentialsRejected: "key_wrong, no_access",
            UpstreamFailed: "rate_limited, internal",
        },
    ),
)
