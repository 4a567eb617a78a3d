"""What the conformance suite must know of SYMBIOSIS."""

from rhumbline.adapters.symbiosis import SPEC
from rhumbline.devnet.upstreams.symbiosis.emulator import Symbiosis
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

CASES = (
    Case(
        spec=SPEC,
        emulator=Symbiosis,
        asks=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000),
            Ask("sbxb", "sbxa", "USDT", "DAI", 100_000_000),
            Ask("sbxa", "sbxb", "ETH", "WETH", 10**17),
            Ask("sbxa", "sbxb", "WETH", "ETH", 10**17),
            Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000, direct=True),
            Ask("sbxb", "sbxa", "ETH", "ETH", 10**17, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxb", "USDC", "WETH", 250_000_000),
            Ask("sbxa", "sbxb", "WBTC", "WBTC", 10**7),
            Ask("sbxa", "sbxb", "TAX", "USDC", 10**18),
            Ask("sbxa", "sbxa", "USDC", "USDT", 250_000_000),
        ),
        failures={
            "amount_too_low": BelowMinimum,
            "less_than_fee": BelowMinimum,
            "amount_too_low_text": BelowMinimum,
            "amount_too_high": NoRoute,
            "slippage_too_low": SlippageTooTight,
            "slippage_too_high": RequestRejected,
            "price_impact": NoRoute,
            "unsupported_pair": NoRoute,
            "no_route": NoRoute,
            "no_transit_token": NoRoute,
            "not_available": NoRoute,
            "invalid_address": RequestRejected,
            "invalid_body": RequestRejected,
            "rate_limited": UpstreamFailed,
            "internal": UpstreamFailed,
        },
        statuses={
            "Not found": TransferState.UNKNOWN,
            "Success": TransferState.SUCCESS,
            "Pending": TransferState.BRIDGE_PENDING,
            "Stucked": TransferState.REFUND_PENDING,
            "Reverted": TransferState.REFUNDED,
        },
    ),
)
