"""Gas.zip for the conformance suite."""

from rhumbline.adapters.gaszip import SPEC
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.devnet.upstreams.gaszip.emulator import GasZip
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask, Case

CENT, SOL = 10**16, 10**9

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=GasZip,
        asks=(
            Ask("sbxa", "sbxb", "ETH", "ETH", CENT, direct=True),
            Ask("sbxb", "sbxa", "ETH", "ETH", CENT, direct=True),
            Ask("sbxs", "sbxa", "SOL", "ETH", SOL // 5),
            Ask("sbxb", "sbxs", "ETH", "SOL", CENT, direct=True),
        ),
        refused=(
            Ask("sbxa", "sbxb", "ETH", "ETH", CENT),
            Ask("sbxa", "sbxb", "USDC", "USDC", 10**6, direct=True),
            Ask("sbxa", "sbxb", "ETH", "WETH", CENT, direct=True),
            Ask("sbxa", "sbxb", "WETH", "ETH", CENT, direct=True),
            Ask("sbxa", "sbxa", "ETH", "USDC", CENT, direct=True),
            Ask("sbxa", "sbxs", "ETH", "SOL", CENT),
            Ask("sbxs", "sbxa", "USDC", "ETH", 10**6),
        ),
        errors={
            NoRoute: "liquidity, limit, source_disabled, restricted",
            UpstreamFailed: "try_again",
            RequestRejected: "malformed",
        },
        states={
            TransferState.BRIDGE_PENDING: "SEEN, PENDING, PRIORITY",
            TransferState.SUCCESS: "CONFIRMED",
            TransferState.REFUND_PENDING: "CANCELLED",
        },
        unseen=frozenset({Lie.WORSE_OUTPUT}),
    ),
)
