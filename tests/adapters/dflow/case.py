"""DFlow for the conformance suite."""

from rhumbline.adapters.dflow import SPEC
from rhumbline.adapters.dflow.client import ERRORS
from rhumbline.devnet.upstreams.dflow.emulator import Dflow
from rhumbline.domain.errors import CredentialsRejected, RequestRejected, UpstreamFailed
from tests.adapters.conformance.case import Ask, Case

USDC = 10**6

CASES: tuple[Case, ...] = (
    Case(
        spec=SPEC,
        emulator=Dflow,
        asks=(
            Ask("sbxs", "sbxs", "USDC", "USDT", 500 * USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "USDC", 2 * 10**9, direct=True),
            Ask("sbxs", "sbxs", "WETH", "USDC", 10**7, direct=True),
            Ask("sbxs", "sbxs", "WSOL", "WBTC", 10**9, direct=True),
        ),
        refused=(
            Ask("sbxs", "sbxa", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "USDC", "USDC", USDC, direct=True),
            Ask("sbxs", "sbxs", "SOL", "WSOL", 10**9, direct=True),
            Ask("sbxa", "sbxa", "WETH", "USDC", 10**18, direct=True),
        ),
        failures={
            **{code: kind for code, (kind, _) in ERRORS.meanings.items()},
            "both_destination_params_specified": RequestRejected,
            "key_missing": CredentialsRejected,
            "rate_limited": UpstreamFailed,
        },
    ),
)
