"""What the conformance suite must know of NEAR_INTENTS."""

from rhumbline.adapters.near_intents import SPEC
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.devnet.upstreams.near_intents.emulator import NearIntents
from rhumbline.domain.errors import BelowMinimum, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

CASES = (
    Case(
        spec=SPEC,
        emulator=NearIntents,
        asks=(
            Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000),
            Ask("sbxb", "sbxa", "USDT", "WETH", 100_000_000),
            Ask("sbxa", "sbxb", "WETH", "ETH", 10**17),
            Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000, direct=True),
            Ask("sbxa", "sbxb", "ETH", "USDC", 10**17, direct=True),
            Ask("sbxs", "sbxa", "USDC", "USDC", 250_000_000, direct=True),
            Ask("sbxs", "sbxb", "SOL", "ETH", 2 * 10**9, direct=True),
            Ask("sbxa", "sbxs", "USDC", "USDC", 250_000_000),
            Ask("sbxb", "sbxs", "ETH", "SOL", 10**17, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxb", "ETH", "USDC", 10**17),
            Ask("sbxa", "sbxb", "TAX", "USDC", 10**18),
            Ask("sbxa", "sbxa", "USDC", "WETH", 250_000_000),
            Ask("sbxs", "sbxa", "TAX", "USDC", 10**9, direct=True),
        ),
        errors={
            RequestRejected: "validation, recipient, refund_to",
            BelowMinimum: "amount_too_low, minimum_usd",
            NoRoute: "token_in, token_out, failed_to_get_quote, no_liquidity",
            CredentialsRejected: "jwt_invalid",
            UpstreamFailed: "rate_limited, internal, unavailable",
        },
        states={
            TransferState.BRIDGE_PENDING: "PENDING_DEPOSIT, KNOWN_DEPOSIT_TX, PROCESSING",
            TransferState.REFUND_PENDING: "INCOMPLETE_DEPOSIT",
            TransferState.SUCCESS: "SUCCESS",
            TransferState.REFUNDED: "REFUNDED",
            TransferState.BRIDGE_FAILED: "FAILED",
        },
        # What it pays out in the end is the service's word, though signed.
        unseen=frozenset({Lie.WORSE_OUTPUT}),
    ),
)
