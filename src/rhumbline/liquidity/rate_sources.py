"""Where Curve's stable pools, vaults and wrapped stakes are, as data.

Sources, read 2026-11. Curve: https://github.com/curvefi/stableswap-ng, scripts/deployments.py and deploy_pool.py, which
agree (implementations of 2023-12-12 and later); scrvUSD, of Yearn V3: docs.curve.finance/user/deployments. sUSDS:
yearn/risk-score, reports/report/sky-usds.md (2026-06). sDAI, sfrxETH and wstETH: several public repositories that do
not depend on each other agree (DefiLlama's adapters, Curve's and Yearn's interfaces, deployments of others); their
publishers' own pages could not be read. Each vault is asked for its asset and proves its rate at every read. Vaults
that hold redemptions back, for days or for want of cash, are left out.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource


def _curve(factory: str, *implementations: str) -> tuple[PoolSource, ...]:
    """Return the source of a chain's pools and metapools by their factory."""
    return (PoolSource("CURVE_STABLE_NG", PoolKind.CURVE, factory, implementations=implementations),)


_VAULTS = (
    PoolSource("SKY_SDAI", PoolKind.VAULT, "0x83F20F44975D03b1b09e64809B757c47f942BEeA"),
    PoolSource("SKY_SUSDS", PoolKind.VAULT, "0xa3931d71877C0E7a3148CB7Eb4463524FEc27fbD"),
    PoolSource("FRAX_SFRXETH", PoolKind.VAULT, "0xac3E018457B222d93114458476f3E3416Abbe38F"),
    PoolSource("CURVE_SCRVUSD", PoolKind.VAULT, "0x0655977FEb2f289A4aB78af67BAB0d17aAb84367"),
    PoolSource("LIDO_WSTETH", PoolKind.STAKE, "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0"),
)
_CURVE: Mapping[int, tuple[PoolSource, ...]] = MappingProxyType(
    {
        1: _curve(
            "0x6A8cbed756804B16E05E741eDaBd5cB544AE21bf",
            "0xDCc91f930b42619377C200BA05b7513f2958b202",
            "0xede71F77d7c900dCA5892720E76316C6E575F0F7",
        ),
        10: _curve(
            "0x5eeE3091f747E60a045a2E715a4c71e600e31F6E",
            "0x635742dCC8313DCf8c904206037d962c042EAfBd",
            "0x5702BDB1Ec244704E3cBBaAE11a0275aE5b07499",
        ),
        56: _curve(
            "0xd7E72f3615aa65b92A4DBdC211E296a35512988B",
            "0x505d666E4DD174DcDD7FA090ed95554486d2Be44",
            "0x5a8C93EE12a8Df4455BA111647AdA41f29D5CfcC",
        ),
        137: _curve(
            "0x1764ee18e8B3ccA4787249Ceb249356192594585",
            "0xe265FC390E9129b7E337Da23cD42E00C34Da2CE3",
            "0xa7b9d886A9a374A1C86DC52d2BA585c5CDFdac26",
        ),
        8453: _curve(
            "0xd2002373543Ce3527023C75e7518C274A51ce712",
            "0xf3A6aa40cf048a3960E9664847E9a7be025a390a",
            "0x635742dCC8313DCf8c904206037d962c042EAfBd",
        ),
        42161: _curve(
            "0x9AF14D26075f142eb3F292D5065EB3faa646167b",
            "0xf6841C27fe35ED7069189aFD5b81513578AFD7FF",
            "0xFf02cBD91F57A778Bab7218DA562594a680B8B61",
        ),
        43114: _curve(
            "0x1764ee18e8B3ccA4787249Ceb249356192594585",
            "0xe265FC390E9129b7E337Da23cD42E00C34Da2CE3",
            "0xa7b9d886A9a374A1C86DC52d2BA585c5CDFdac26",
        ),
        59144: _curve(
            "0x5eeE3091f747E60a045a2E715a4c71e600e31F6E",
            "0xa7b9d886A9a374A1C86DC52d2BA585c5CDFdac26",
            "0xf3A6aa40cf048a3960E9664847E9a7be025a390a",
        ),
    }
)
RATE_SOURCES: Mapping[int, tuple[PoolSource, ...]] = MappingProxyType({**_CURVE, 1: (*_CURVE[1], *_VAULTS)})
"""By chain ID."""
