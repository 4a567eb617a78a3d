"""Mayan: transfers between EVM chains, from and to Solana, of four kinds and of whichever is best.

Upstream: https://docs.mayan.finance, https://price-api.mayan.finance/swagger, swap-sdk 15.2.0 and the contracts of
https://github.com/mayan-finance (swap-sdk, swap-bridge), read 2026-11-21. The price API quotes; the transaction is
ours, made of the quote as the vendor's SDK makes it and compared with calldata that this computed. Whether and how a
transfer arrived is what Mayan's explorer says.

``MAYAN_SWIFT``: an order that solvers fill. ``MAYAN_MCTP``, ``MAYAN_FAST_MCTP``: Circle's USDC, first and second
version, with a swap before or after. ``MAYAN_WORMHOLE``: the token bridge to Solana, an auction there, and onwards;
only to tokens that are at home on the destination. ``MAYAN`` asks for all and takes the largest expected output.

Not tried live: everything. Unknown and configurable: the routers of swaps on the origin (taken from the Forwarder's own
lists), the version that the API accepts (``sdk_version``), both hosts. Orders of SWIFT's first version, which is
retired, are made only for contracts that the settings name (``swift_first``).
From Solana the wallet itself pays into an account that is this order's alone: what SWIFT takes as it is, and USDC for
MCTP and FAST_MCTP, which a relayer has burnt for a fee. Nothing is swapped on Solana first, and WORMHOLE, whose
transaction keys of ours would have to sign, does not begin there. Gas drops, referrers, payloads and gasless orders are
not asked for, and refused where they are answered.
"""

import re
from dataclasses import replace
from types import MappingProxyType

from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.client import SDK_VERSION
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS, Deployment
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.adapters.mayan.served_kinds import connected
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec

PRICE_URL = "https://price-api.mayan.finance/v3"
EXPLORER_URL = "https://explorer-api.mayan.finance/v3"
_VERSION = re.compile(r"[0-9]{1,4}(_[0-9]{1,4}){2}\Z", re.ASCII)
_LOGO = "https://mayan.finance/favicon.ico"
_VENDOR = "MAYAN"
_SCAN = "https://explorer.mayan.finance/swap/{txHash}"

_SWAP = (
    "The calldata of a swap on the origin is the router's own: that it trades well is not shown, only that the "
    "Forwarder reverts unless it gets the least of a pinned token that it was told."
)
_EXPLORER = "Delivery and refund are believed as Mayan's explorer tells them."
_SHARE = "Mayan's share of the output is set on chain; up to the quoted share is counted with, the contracts allow 1 %."
_REFUND = (
    "A transfer that nobody fills may come back less by fixed fees that go to whoever brings it back: up to half a "
    "percent of what was sent, or what gas may cost (five dollars, or a five-hundredth of a native coin) where that is "
    "more, but never more than a twentieth, 50 dollars, or a fiftieth of a native coin."
)
_HOME = (
    "That an input other than the native asset and USDC is at home on the origin, which decides what account on Solana "
    "is paid, is the quote's word."
)
_ON_DESTINATION = (
    "An order that nobody fills is refunded in USDC to the receiver on the destination, not to the wallet on the "
    "origin."
)
_RECEIVER = "Whether the receiver is a contract, which this kind cannot pay, shows only where a node is configured."
_HASH = "The order's hash assumes the quoted share; should Mayan's fee manager set another, the transaction tracks it."
_PROGRAMS = (
    "The sources of Mayan's programs on Solana are not published: that they keep what lies in an order's account for "
    "that order alone is concluded from the vendor's SDK and from an order that was placed."
)
_CARRIED_ON = (
    "From Solana a relayer of Mayan's has the USDC burnt for the fee that is quoted, at most a dollar or half a"
    " percent, a twentieth, and 25 dollars; that one does in time, and whether it comes back if none does, is not"
    " shown."
)
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
            asking = replace(context.http, query={"apiKey": context.credentials["api_key"]})
            context = replace(context, http=asking)
        chains = connected(kinds, context.deployments, context.chains)
        info = AdapterInfo(key, name, _LOGO, Capability.BRIDGE, chains, _SCAN, trust_assumptions, vendor=_VENDOR)
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
