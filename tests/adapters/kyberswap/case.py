"""KyberSwap for the conformance suite."""

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.devnet.upstreams.kyberswap.emulator import KyberSwap
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

ONE = 10**18

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=KyberSwap,
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
            "query_malformed": RequestRejected,
            "body_malformed": RequestRejected,
            "invalid_swap": RequestRejected,
            "invalid_value": RequestRejected,
            "fee_above_input": RequestRejected,
            "fee_above_output": RequestRejected,
            "route_not_found": NoRoute,
            "amount_too_large": NoRoute,
            "no_eligible_pools": NoRoute,
            "token_not_found": NoRoute,
            "sender_empty": RequestRejected,
            "sources_filtered": NoRoute,
            "weth_not_found": NoRoute,
            "quote_smaller": UpstreamFailed,
            "gas_estimate": RequestRejected,
            "return_not_enough": SlippageTooTight,
            "canceled": UpstreamFailed,
            "rate_limited": UpstreamFailed,
            "internal": UpstreamFailed,
            "chain_unknown": RequestRejected,
        },
    ),
)
