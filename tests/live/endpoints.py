"""What each upstream answers at which path: how we read it, and what we recorded of it."""

from collections.abc import Iterator, Mapping

from rhumbline.adapters.across import wire as across
from rhumbline.adapters.gaszip import wire as gaszip
from rhumbline.adapters.kyberswap import wire as kyberswap
from rhumbline.adapters.mayan import wire as mayan
from rhumbline.adapters.near_intents import wire as near_intents
from rhumbline.adapters.nordstern import wire as nordstern
from rhumbline.adapters.okx import solana_wire as okx_solana
from rhumbline.adapters.okx import wire as okx
from rhumbline.adapters.openocean import wire as openocean
from rhumbline.adapters.relay import wire as relay
from rhumbline.adapters.symbiosis import wire as symbiosis
from rhumbline.gateways.upstreams.fields import Answer
from tests.live.by_folder import declared
from tests.live.endpoint import Endpoint


def _mayan(sort: str, model: type[Answer], *recordings: str) -> Endpoint:
    return Endpoint("mayan", "GET", "/quote", model, recordings, "quotes", sort, whole=False)


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "across", "GET", "/suggested-fees", across.SuggestedFees, ("suggested_fees", "suggested_fees_solana")
    ),
    Endpoint("across", "GET", "/swap/approval", across.Approval, ("swap_approval",)),
    Endpoint("across", "GET", "/limits", across.Limits, ("limits",)),
    Endpoint("across", "GET", "/deposit/status", across.DepositStatus, ("deposit_status",)),
    Endpoint("gaszip", "GET", "/quotes/.*", gaszip.QuoteAnswer, ("quote",)),
    Endpoint("gaszip", "GET", "/chains", gaszip.ChainFacts, ("chains",), "chains"),
    Endpoint("gaszip", "GET", "/deposit/.*", gaszip.StatusAnswer, ("deposit_paid", "deposit_refunded")),
    Endpoint("kyberswap", "GET", "/[^/]+/api/v1/routes", kyberswap.RouteAnswer, ("routes",)),
    Endpoint("kyberswap", "POST", "/[^/]+/api/v1/route/build", kyberswap.BuildAnswer, ("build",)),
    Endpoint("mayan", "GET", "/quote", mayan.QuotesSaid),
    _mayan("SWIFT", mayan.SwiftSaid, "swift_usdc_to_base_usdc", "swift_dai_to_sol", "swift_v1_eth_to_base_eth"),
    _mayan("MCTP", mayan.MctpSaid, "mctp_usdc_to_base_usdc", "mctp_usdc_to_base_eth"),
    _mayan("FAST_MCTP", mayan.FastMctpSaid, "fast_usdc_to_base_usdc", "fast_dai_to_base_eth"),
    _mayan("WH", mayan.WormholeSaid, "wh_usdc_to_sol_usdc"),
    Endpoint("mayan", "GET", "/get-swap/evm", mayan.SwapSaid, ("get_swap",)),
    Endpoint("mayan", "GET", "/swap/trx/.*", mayan.TransferSaid, ("transfer",)),
    Endpoint(
        "near_intents", "POST", "/v0/quote", near_intents.QuoteAnswer,
        ("quote_dry", "quote_reserved", "quote_tighter", "quote_fallen"),
        within={"quote": near_intents.QuoteFields, "quoteRequest": near_intents.Echo},
    ),
    Endpoint("near_intents", "GET", "/v0/tokens", near_intents.ListedToken, ("tokens",)),
    Endpoint(
        "near_intents", "GET", "/v0/status", near_intents.StatusAnswer,
        ("status_pending", "status_success", "status_refunded"),
    ),
    Endpoint("nordstern", "GET", "/aggregator/.*", nordstern.SwapAnswer, ("swap",)),
    Endpoint("okx", "GET", "/api/v6/dex/aggregator/swap", okx.SwapAnswer, ("swap",)),
    Endpoint(
        "okx", "GET", "/api/v6/dex/aggregator/swap-instruction", okx_solana.SolanaSwap, ("swap_instruction",), "data"
    ),
    Endpoint("openocean", "GET", "/v4/[^/]+/swap", openocean.SwapAnswer, ("swap",)),
    Endpoint(
        "relay", "POST", "/quote/v2", relay.QuoteAnswer, ("transfer", "swapped_transfer", "swap"),
        within={"steps[].items[].data": relay.Call}, lacking="steps[].items[].data.instructions",
    ),
    Endpoint(
        "relay", "POST", "/quote/v2", relay.QuoteAnswer, ("solana_transfer",),
        within={"steps[].items[].data": relay.SolanaCall}, having="steps[].items[].data.instructions",
    ),
    Endpoint(
        "relay", "GET", "/intents/status/v3", relay.StatusAnswer,
        ("status_success", "status_refund", "status_failure"),
    ),
    Endpoint("symbiosis", "POST", "/v2/quote", symbiosis.QuoteAnswer, ("quote",)),
    Endpoint(
        "symbiosis", "GET", "/v2/tx/.*", symbiosis.StatusAnswer,
        ("status_success", "status_pending", "status_reverted", "status_transit", "status_not_indexed"),
    ),
    *(endpoint for each in declared("ENDPOINTS") for endpoint in each),
)  # fmt: skip
FAILURES: Mapping[str, frozenset[str]] = {
    "across": frozenset({"amount_too_low", "deposit_not_found"}),
    "relay": frozenset({"error"}),
    **{folder: names for each in declared("FAILURES") for folder, names in each.items()},
}
"""Recordings of failures, which are not asked for."""


def endpoints_of(key: str, method: str, path: str) -> Iterator[Endpoint]:
    """Yield what a call of an adapter was to; none for one that nobody wrote down here."""
    for endpoint in ENDPOINTS:
        if key.lower().startswith(endpoint.folder) and endpoint.covers(method, path):
            yield endpoint
