"""Mayan: transfers between EVM chains and Solana, in four kinds, and an adapter that takes the best of the four.

Upstream: https://docs.mayan.finance, https://price-api.mayan.finance/swagger, swap-sdk 15.2.0 and the contracts of
https://github.com/mayan-finance (swap-sdk, swap-bridge), read 2026-11-21. The price API quotes; the transaction is
ours, built from the quote as the vendor's SDK does and compared with calldata of that SDK. Mayan's explorer says
whether and how a transfer arrived.

``MAYAN_SWIFT``: an order that solvers fill. ``MAYAN_MCTP``, ``MAYAN_FAST_MCTP``: Circle's USDC, first and second
version, with a swap before or after. ``MAYAN_WORMHOLE``: the token bridge to Solana, an auction there, and on to the
destination; only for tokens native to the destination. ``MAYAN`` requests all and takes the largest expected output.

Not tried live: everything. Unknown and configurable: the routers of swaps on the origin (taken from the Forwarder's own
lists), the version that the API accepts (``sdk_version``), both hosts. Orders of SWIFT's first version, which is
retired, are made only for contracts in the settings (``swift_first``).

From Solana the wallet itself pays into an account of this order alone: SWIFT takes tokens as they are, MCTP and
FAST_MCTP take USDC, which a relayer has burnt for a fee. There is no swap on Solana first, and WORMHOLE, whose
transaction would need signatures of ours, does not begin there. Referrers, payloads and gasless orders are not
requested, and refused in answers; gas drops are requested of SWIFT, where native is wanted on arrival.
"""

import re
from dataclasses import replace
from types import MappingProxyType

from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.client import SDK_VERSION
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS, Deployment
from rhumbline.adapters.mayan.gas_drop import DROPPING
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.adapters.mayan.served_kinds import REFUNDING, connected
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec

PRICE_URL = "https://price-api.mayan.finance/v3"
EXPLORER_URL = "https://explorer-api.mayan.finance/v3"
_VERSION = re.compile(r"[0-9]{1,4}(_[0-9]{1,4}){2}\Z", re.ASCII)
_LOGO = "https://mayan.finance/favicon.ico"
_VENDOR = "MAYAN"
_SCAN = "https://explorer.mayan.finance/swap/{txHash}"

_SWAP = (
    "The calldata of a swap on the origin comes from the router. It is not verified that it trades well; the "
    "Forwarder only reverts unless it gets the minimum of a pinned token."
)
_EXPLORER = "Delivery and refund are known from Mayan's explorer only."
_SHARE = "Mayan's share of the output is set on chain. The quoted share is assumed; the contracts allow up to 1 %."
_REFUND = (
    "A transfer that nobody fills may be refunded less fixed fees, which go to whoever makes the refund: up to half a "
    "percent of the amount, or the cost of gas (five dollars, or 1/500 of a native coin) if that is more, but never "
    "more than 5 % of the amount, 50 dollars, or 1/50 of a native coin."
)
_HOME = (
    "For an input other than the native asset and USDC, the quote's word decides whether the token's home is the "
    "origin; which account on Solana is paid depends on that."
)
_ON_DESTINATION = (
    "An order that nobody fills is refunded in USDC to the receiver on the destination, not to the wallet on the "
    "origin."
)
_RECEIVER = (
    "This kind cannot pay contracts. Whether the receiver is one is known only if a node is configured for the "
    "destination."
)
_HASH = (
    "The order's hash assumes the quoted fee share. If Mayan's fee manager sets another, tracking goes by the "
    "transaction."
)
_PROGRAMS = (
    "The sources of Mayan's programs on Solana are not published. That they keep the funds in an order's account for "
    "that order alone is inferred from the vendor's SDK and from one placed order."
)
_CARRIED_ON = (
    "From Solana one of Mayan's relayers burns the USDC for the quoted fee: at most half a percent or one dollar, "
    "whichever is more, and never more than 5 % or 25 dollars. It is not verified that a relayer does so in time, or "
    "that the USDC comes back if none does."
)
_REFUND_TERMS = (
    "The wallet that refundTo names gets what the order holds, less the fixed fees: if the input is swapped on the "
    "origin first, that is the token between. What the swap leaves over is the wallet's own.",
)
_CIRCLES = "Circle's USDC does not come back: what nobody swaps is paid to the receiver on the destination"
TRUST_ASSUMPTIONS = MappingProxyType(
    {
        Kind.SWIFT: (_SWAP, _REFUND, _HASH, _PROGRAMS, _EXPLORER),
        Kind.MCTP: (_SWAP, _SHARE, _REFUND, _ON_DESTINATION, _RECEIVER, _PROGRAMS, _CARRIED_ON, _EXPLORER),
        Kind.FAST_MCTP: (_SWAP, _SHARE, _REFUND, _ON_DESTINATION, _PROGRAMS, _CARRIED_ON, _EXPLORER),
        Kind.WORMHOLE: (_REFUND, _RECEIVER, _HOME, _EXPLORER),
    }
)


def _spec(key: str, name: str, *kinds: Kind) -> AdapterSpec[Deployment]:
    trust_assumptions = tuple(dict.fromkeys(sentence for kind in kinds for sentence in TRUST_ASSUMPTIONS[kind]))

    def make(context: AdapterContext[Deployment]) -> MayanAdapter:
        version = context.credentials.get("sdk_version", SDK_VERSION)
        if not _VERSION.match(version):
            raise ValueError("sdk_version: it must look like 15_2_0")
        if "api_key" in context.credentials:
            upstream = replace(context.http, query={"apiKey": context.credentials["api_key"]})
            context = replace(context, http=upstream)
        chains = connected(kinds, context.deployments, context.chains)
        info = AdapterInfo(
            *(key, name, _LOGO, Capability.BRIDGE, chains, _SCAN, trust_assumptions), vendor=_VENDOR,
            refunds_named=tuple(ChainType) if REFUNDING.intersection(kinds) else (),
            refund_terms=_REFUND_TERMS, refunds_bound=_CIRCLES,
            gas_from=tuple(ChainType) if DROPPING.intersection(kinds) else (),
        )  # fmt: skip
        return MayanAdapter(context, info, kinds, version)

    return AdapterSpec(
        key=key,
        url=PRICE_URL,
        deployment=Deployment,
        deployments=DEPLOYMENTS,
        make=make,
        optional_credentials=("api_key", "sdk_version"),
        more_urls=MappingProxyType({"explorer": EXPLORER_URL}),
    )


SPECS = (
    _spec("MAYAN", "Mayan", *Kind),
    _spec("MAYAN_SWIFT", "Mayan Swift", Kind.SWIFT),
    _spec("MAYAN_MCTP", "Mayan MCTP", Kind.MCTP),
    _spec("MAYAN_FAST_MCTP", "Mayan Fast MCTP", Kind.FAST_MCTP),
    _spec("MAYAN_WORMHOLE", "Mayan Wormhole", Kind.WORMHOLE),
)
"""``api_key`` raises the rate limits, nothing else."""
