"""Rise for the conformance suite."""

from rhumbline.adapters.rise import SPEC
from rhumbline.devnet.upstreams.rise.emulator import Rise
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

USDC = 10**6

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Rise,
        asks=(
            Ask("sbxs", "sbxs", "USDC", "DAI", 500 * USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "WBTC", 2 * 10**9, direct=True),
            Ask("sbxs", "sbxs", "DAI", "USDC", 500 * 10**9, direct=True),
        ),
        refused=(
            Ask("sbxs", "sbxa", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "USDC", "WSOL", USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True),
            Ask("sbxs", "sbxs", "DAI", "USDT", 10**9, direct=True),
            Ask("sbxa", "sbxa", "WETH", "USDC", 10**18, direct=True),
        ),
        errors={
            CredentialsRejected: "bad_key",
            NoRoute: "unknown_market",
            RequestRejected: "invalid, no_position",
            UpstreamFailed: "rate_limited, internal",
        },
        pays_the_wallet=True,
    ),
)
