"""What the conformance suite must know of Mayan, of all kinds and of each."""

from rhumbline.adapters.mayan import SPECS
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.devnet.upstreams.mayan.emulator import Mayan, MayanFastMctp, MayanMctp, MayanSwift, MayanWormhole
from rhumbline.domain.errors import BelowMinimum, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

ERRORS = {
    BelowMinimum: "amount_too_small",
    NoRoute: "route_not_found",
    RequestRejected: "sdk_version, bad_request",
    CredentialsRejected: "unauthorized",
    UpstreamFailed: "rate_limited, internal",
}
STATES = {
    TransferState.BRIDGE_PENDING: (
        "INITIATED_ON_EVM, TRANSFER_VAA_SIGNED, SWAP_VAA_SIGNED, SUBMITTED_ON_SOLANA, CLAIMED_ON_SOLANA, "
        "SWAPPED_ON_SOLANA, INITIATED_ON_EVM_MCTP, INITIATED_ON_SOLANA_MCTP, SUBMITTED_ON_SOLANA_MCTP, "
        "CIRCLE_ATTESTATION_ACQUIRED, CLAIMED_ON_SOLANA_MCTP, SWAPPED_ON_SOLANA_MCTP, ORDER_SUBMITTED, ORDER_CREATED, "
        "ORDER_FULFILLED, REDEEM_SEQUENCE_RECEIVED, REDEEM_VAA_SIGNED"
    ),
    TransferState.SUCCESS: (
        "SETTLED_ON_SOLANA, REDEEMED_ON_EVM, REDEEMED_ON_APTOS, SWAPPED_ON_EVM_MCTP, SWAPPED_ON_SUI_MCTP, "
        "SETTLED_ON_SOLANA_MCTP, REDEEMED_ON_SUI_WITH_FEE, REDEEMED_ON_EVM_WITH_FEE, REDEEMED_ON_SOL_WITH_FEE, "
        "REDEEMED_ON_SOLANA_WITH_FEE, REDEEMED_ON_SUI_WITH_LOCKED_FEE, REDEEMED_ON_EVM_WITH_LOCKED_FEE, "
        "REDEEMED_ON_SOL_WITH_LOCKED_FEE, MCTP_FEE_UNLOCKED, ORDER_SETTLED, ORDER_UNLOCKED, SWAP_LAYER_ORDER_SETTLED"
    ),
    TransferState.REFUND_PENDING: "ORDER_EXPIRED, ORDER_CANCELED, REFUND_SEQUENCE_RECEIVED, REFUND_VAA_SIGNED",
    TransferState.REFUNDED: (
        "REFUNDED_ON_EVM, REFUNDED_ON_SOLANA, REFUNDED_ON_SOLANA_MCTP, REFUNDED_ON_EVM_MCTP, REFUNDED_ON_SUI_MCTP, "
        "ORDER_REFUNDED, CANCELED"
    ),
    TransferState.BRIDGE_FAILED: "FAILED",
}
SWAPPED_BADLY = frozenset({Lie.OTHER_RECEIVER, Lie.WORSE_OUTPUT})
"""Told inside the calldata of a swap on the origin, where the Forwarder's own minimum stops it when it is executed."""


def _case(
    place: int, emulator: type[Mayan], *asks: Ask, refused: tuple[Ask, ...] = (), unseen: frozenset[Lie] = SWAPPED_BADLY
) -> Case:
    return Case(
        spec=SPECS[place],
        emulator=emulator,
        asks=asks,
        refused=(Ask("sbxa", "sbxa", "USDC", "WETH", 250_000_000), Ask("sbxb", "sbxb", "ETH", "DAI", 10**17), *refused),
        errors=ERRORS,
        states=STATES,
        unseen=unseen,
    )


CASES = (
    _case(
        0,
        Mayan,
        Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxa", "DAI", "WETH", 500 * 10**18),
        Ask("sbxa", "sbxb", "ETH", "ETH", 10**17),
        Ask("sbxa", "sbxb", "USDT", "WBTC", 250_000_000, direct=True),
        Ask("sbxb", "sbxa", "ETH", "USDC", 10**17, direct=True),
        Ask("sbxs", "sbxa", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxs", "USDC", "SOL", 250_000_000),
    ),
    _case(
        1,
        MayanSwift,
        Ask("sbxa", "sbxb", "USDC", "DAI", 250_000_000),
        Ask("sbxb", "sbxa", "WBTC", "USDC", 1_000_000),
        Ask("sbxa", "sbxb", "ETH", "ETH", 10**17),
        Ask("sbxa", "sbxb", "WETH", "USDC", 10**17, direct=True),
        Ask("sbxa", "sbxb", "ETH", "USDC", 10**17, direct=True),
        Ask("sbxs", "sbxa", "SOL", "USDC", 10**9 + 1),
        Ask("sbxs", "sbxb", "USDT", "ETH", 250_000_000),
        Ask("sbxa", "sbxs", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxs", "ETH", "SOL", 10**17),
    ),
    _case(
        2,
        MayanMctp,
        Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxa", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxa", "DAI", "WETH", 500 * 10**18),
        Ask("sbxa", "sbxb", "ETH", "USDC", 10**17),
        Ask("sbxb", "sbxa", "USDC", "ETH", 250_000_000, direct=True),
        Ask("sbxs", "sbxa", "USDC", "USDC", 250_000_000),
        Ask("sbxs", "sbxb", "USDC", "WETH", 250_000_000),
        Ask("sbxa", "sbxs", "USDC", "USDC", 250_000_000),
        refused=(Ask("sbxs", "sbxa", "SOL", "USDC", 10**9),),
    ),
    _case(
        3,
        MayanFastMctp,
        Ask("sbxa", "sbxb", "USDC", "USDC", 250_000_000),
        Ask("sbxb", "sbxa", "ETH", "DAI", 10**17),
        Ask("sbxa", "sbxb", "USDT", "USDC", 250_000_000, direct=True),
        Ask("sbxs", "sbxa", "USDC", "USDC", 250_000_000),
        Ask("sbxs", "sbxb", "USDC", "DAI", 250_000_000),
        Ask("sbxb", "sbxs", "USDC", "SOL", 250_000_000),
    ),
    _case(
        4,
        MayanWormhole,
        Ask("sbxa", "sbxb", "USDC", "WETH", 250_000_000),
        Ask("sbxb", "sbxa", "USDC", "ETH", 250_000_000),
        Ask("sbxb", "sbxa", "ETH", "USDC", 10**17),
        Ask("sbxa", "sbxb", "DAI", "USDC", 500 * 10**18, direct=True),
        Ask("sbxa", "sbxs", "USDC", "USDC", 250_000_000),
        refused=(Ask("sbxs", "sbxa", "USDC", "USDC", 250_000_000),),
        unseen=frozenset(),
    ),
)
