"""Nordstern's guard contracts by chain.

Sources, read 2026-11-21 and 2026-11-22: a map of guards that a client carries, and another that a client holds against
``GET /chains`` of the API (2026-10), which agree on all chains below; recorded answers (Base) agree too. Hemi (43111)
is in the first alone and is left out. The API names many more, which the settings may add.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM_ALIAS

GUARD = "0xC87De04e2EC1F4282dFF2933A2D58199f688fC3d"
"""AggregatorGuard, on the chains where it has its usual address."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: the guard, which is both called and approved (EIP-55)."""

    guard: str = GUARD
    native: str = NATIVE_EVM_ALIAS


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment("0xa929c559E5e6537359680F39CB4E3708E1a14dd1"),
        10: Deployment("0xa575f37e869e6887564F87c07e2885e08D542C4a"),
        14: Deployment(),
        56: Deployment("0x1a3304cBef66de00FbE1548CC4C6585aD22FbCFf"),
        130: Deployment("0x3FFc2315A992b01dc4B3f79C8EEa1921091Ee24f"),
        137: Deployment("0x99bA7d569EA69671B399A7cC488b687515F7EC23"),
        143: Deployment(),
        146: Deployment("0x0a354845411CC1212cfb33Acc6A52Fcd4A80e3Ae"),
        169: Deployment(),
        999: Deployment("0x2fF506ed9729580EF8Bf04429614beB1baE5F76D"),
        1329: Deployment(),
        5000: Deployment("0x3FFc2315A992b01dc4B3f79C8EEa1921091Ee24f"),
        8453: Deployment(),
        42161: Deployment("0x57f96440f1b1cAD53B40A8924BD540b1279A491c"),
        43114: Deployment("0xa575f37e869e6887564F87c07e2885e08D542C4a"),
        59144: Deployment("0x2fF506ed9729580EF8Bf04429614beB1baE5F76D"),
        80094: Deployment("0x3FFc2315A992b01dc4B3f79C8EEa1921091Ee24f"),
        747474: Deployment(),
    }
)
