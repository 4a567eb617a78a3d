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
        errors={
            BelowMinimum: "amount_too_low, less_than_fee, amount_too_low_text",
            NoRoute: "amount_too_high, price_impact, unsupported_pair, no_route, no_transit_token, not_available",
            SlippageTooTight: "slippage_too_low",
            RequestRejected: "slippage_too_high, invalid_address, invalid_body",
            UpstreamFailed: "rate_limited, internal",
        },
        states={
            TransferState.UNKNOWN: "Not found",
            TransferState.SUCCESS: "Success",
            TransferState.BRIDGE_PENDING: "Pending",
            TransferState.REFUND_PENDING: "Stucked",
            TransferState.REFUNDED: "Reverted",
        },
    ),
)
