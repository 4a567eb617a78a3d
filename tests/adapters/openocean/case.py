"""OpenOcean for the conformance suite."""

from rhumbline.adapters.openocean import SPEC
from rhumbline.devnet.upstreams.openocean.emulator import OpenOcean
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=OpenOcean,
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
            "bad_request": RequestRejected,
            "unauthorized": CredentialsRejected,
            "unpaid": CredentialsRejected,
            "forbidden": CredentialsRejected,
            "not_found": RequestRejected,
            "too_many_requests": UpstreamFailed,
            "internal": UpstreamFailed,
            "bad_gateway": UpstreamFailed,
            "unavailable": UpstreamFailed,
            "gateway_timeout": UpstreamFailed,
            "concurrency": UpstreamFailed,
            "no_route": NoRoute,
        },
    ),
)
