"""OKX's routers and TokenApprove contracts by chain.

Sources, read 2026-11-21 and 2026-11-22. Routers: the vendor's page on its contracts, and an index of the routers that
pay commissions, each with the day it fell out of use; where both name a chain they agree. BNB Smart Chain and Polygon
still use older ones beside the newest. TokenApprove, which has stayed the same through many routers: the vendor's page
and two lists that integrators keep. Mantle and Plasma (5000, 9745), and what is approved on Blast, are in one source
each. Chains for which no source names both contracts are left out; the settings may add them.

Solana's programs: the vendor's pages on v6 (the newest) and v5, which advise against relying on them, and its published
source; read 2026-11-22. Settings that name others replace both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM_ALIAS, NATIVE_SVM

SOLANA = 1_000_000_001
OLDER = "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"
NEWEST = "proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: routers that may be called, and the one contract that is approved (EIP-55).

    On Solana the routers are programs, and nothing is approved. ``index`` is OKX's number of the chain; empty where it
    is the chain's own. ``takes_outputs``: OKX names the input for an output there.
    """

    routers: tuple[str, ...]
    token_approve: str = ""
    native: str = NATIVE_EVM_ALIAS
    index: str = ""
    takes_outputs: bool = False


_BESIDE: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        56: ("0x62cceF0b4545166f721cAa9fEe13c1d3767E27dc", "0x3156020dfF8D99af1dDC523ebDfb1ad2018554a0"),
        137: ("0xF6E1B4b201e220FC3741bd7a75675ffEA25c02AD",),
    }
)
"""Older routers that still pay commissions (2026-11-22)."""
_TAKES_OUTPUTS = frozenset({1, 56, 8453, 42161})
"""By the vendor's page on quotes (read 2026-11-28)."""
DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        number: Deployment((router, *_BESIDE.get(number, ())), token_approve, takes_outputs=number in _TAKES_OUTPUTS)
        for number, router, token_approve in (
            (1, "0x8feAB81D36E7576107D5dE0758c1b839Be31B4F6", "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"),
            (10, "0x1f5B43127414E36c31eCb5Ff5567262997CD24D0", "0x68D6B739D2020067D1e2F713b999dA97E4d54812"),
            (56, "0x5994814f2C4040b863A0125A45DE152a8c2A4DEc", "0x2c34A2Fb1d0b4f55de51E1d0bDEfaDDce6b7cDD6"),
            (130, "0xe3dAb8Bf5187F9B4E8E89FF5414D7CF71E2C82e1", "0x2e28281Cf3D58f475cebE27bec4B8a23dFC7782c"),
            (137, "0x3C4829196BFadFF4394726b45159aeaAC6FCd41c", "0x3B86917369B83a6892f553609F3c2F439C184e31"),
            (143, "0xc1C76E784Db8D68585fb608ce68FC5DcFF14000E", "0xf534A8a1CAD0543Cd6438f7534CA3486c01998d4"),
            (146, "0xd72f9Af181A0eB1B8550a00124ECdb71Bb758C89", "0xD321ab5589d3E8FA5Df985ccFEf625022E2DD910"),
            (324, "0x46eDEcEa0228f04Ab88dC34BE98314863bA40bE0", "0xc67879F4065d3B9fe1C09EE990B891Aa8E3a4c2f"),
            (999, "0xb193874f0C77948d2bCFeC2EfAF8Bc65B4C2ca89", "0x56e6983D59bF472Ced0E63966A14d94A3A291589"),
            (5000, "0x472fc4f7fd3C9F06f0b8637c5505815ac80938Ad", "0x57df6092665eb6058DE53939612413ff4B09114E"),
            (8453, "0x67d03631FE51B741C0C00c4E16eb662AC84381df", "0x57df6092665eb6058DE53939612413ff4B09114E"),
            (9745, "0xd72f9Af181A0eB1B8550a00124ECdb71Bb758C89", "0x9FD43F5E4c24543b2eBC807321E58e6D350d6a5A"),
            (42161, "0x09f94b5Fc68e227C323A6FbaE3Bd98C97fD8c849", "0x70cBb871E8f30Fc8Ce23609E9E0Ea87B6b222F58"),
            (43114, "0xAB96dcFA7A7D669d9BF5918faB8641479973dD0A", "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"),
            (59144, "0xdfcb0cEcC10e78F3F3749F3f3d3EE4047b2c9829", "0x57df6092665eb6058DE53939612413ff4B09114E"),
            (81457, "0x472fc4f7fd3C9F06f0b8637c5505815ac80938Ad", "0x5fD2Dc91FF1dE7FF4AEB1CACeF8E9911bAAECa68"),
            (534352, "0x6148d68Ec192DF0a7d36d97BDaBBEBb014c69938", "0x57df6092665eb6058DE53939612413ff4B09114E"),
        )
    }
    | {SOLANA: Deployment((NEWEST, OLDER), native=NATIVE_SVM, index="501")}
)
