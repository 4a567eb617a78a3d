"""Where pools of PancakeSwap, SushiSwap, Velodrome and Aerodrome are, as data; read 2026-11.

Each address is the contract that answers for a pair, which for PancakeSwap V3 is not the one that creates pools.

- PancakeSwap V2 and V3: its own pages, https://developer.pancakeswap.finance/contracts/v2/addresses and v3/addresses;
  the same in https://github.com/pancakeswap/pancake-v3-contracts (deployments, 5cc479f) and in the npm package sushi
  7.3.15. The fee of V2 (9975 of 10,000 are kept) and V3's tiers are in the latter's SmartRouterHelper.sol and
  PancakeV3Factory.sol.
- SushiSwap V2 and V3: its npm package sushi 7.3.15; V2's also in https://github.com/sushiswap/v2-core (deployments,
  f770825), whose pair keeps 997 of 1000.
- Aerodrome (Base): README.md of https://github.com/aerodrome-finance/contracts (a5fae2e) and of
  https://github.com/aerodrome-finance/slipstream, which names three factories in use.
- Velodrome (Optimism): README.md of https://github.com/velodrome-finance/contracts (1ea5fee) and of
  https://github.com/velodrome-finance/slipstream (193a6b8), which names two. Unichain and Ink: deployment-addresses of
  https://github.com/velodrome-finance/superchain-contracts (7e54588) and superchain-slipstream (7d42e6f), which has the
  factory in use, and in its deployParameters the one before.

Left out for want of a source: SushiSwap on Blast, whose pairs and pools have other code than everywhere else.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource

PANCAKE_TIERS = ((100, 1), (500, 10), (2500, 50), (10000, 200))
SUSHI_TIERS = ((100, 1), (500, 10), (3000, 60), (10000, 200))
SLIPSTREAM_TIERS = ((0, 1), (0, 10), (0, 50), (0, 100), (0, 200), (0, 2000))
"""Tick spacings; the fee is the pool's own. Factories begin without 10, and may have it since."""
_PANCAKE_V2_FEE, _SUSHI_V2_FEE = 2500, 3000


def _pancake(v2: str) -> tuple[PoolSource, ...]:
    return (
        PoolSource("PANCAKESWAP_V2", PoolKind.V2, v2, fee=_PANCAKE_V2_FEE),
        PoolSource("PANCAKESWAP_V3", PoolKind.V3, "0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865", PANCAKE_TIERS),
    )


def _sushi(v2: str, v3: str) -> tuple[PoolSource, ...]:
    return (
        PoolSource("SUSHISWAP_V2", PoolKind.V2, v2, fee=_SUSHI_V2_FEE),
        PoolSource("SUSHISWAP_V3", PoolKind.V3, v3, SUSHI_TIERS),
    )


def _solidly(key: str, pairs: str, *concentrated: str) -> tuple[PoolSource, ...]:
    """Return the sources of Velodrome's or Aerodrome's pools: pairs, and Slipstream's by each of its factories."""
    found = [PoolSource(key, PoolKind.SOLIDLY, pairs)]
    for number, factory in enumerate(concentrated, 1):
        name = f"{key}_SLIPSTREAM" if number == 1 else f"{key}_SLIPSTREAM_{number}"
        found.append(PoolSource(name, PoolKind.SLIPSTREAM, factory, SLIPSTREAM_TIERS))
    return tuple(found)


_PANCAKE_V2 = "0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E"
_SUSHI_FIRST = "0xc35DADB65012eC5796536bD9864eD8773aBc74C4"
_SUSHI_V2_LATER = "0xFbc12984689e5f15626Bad03Ad60160Fe98B303C"
_SUPERCHAIN = _solidly(
    "VELODROME",
    "0x31832f2a97Fd20664D76Cc421207669b55CE4BC0",
    "0x04625B046C69577EfC40e6c0Bb83CDBAfab5a55F",
    "0x718E46d0962A66942E233760a8bd6038Ce54EdCD",
)

FORKS: Mapping[int, tuple[PoolSource, ...]] = MappingProxyType(
    {
        1: (
            *_pancake("0x1097053Fd2ea711dad45caCcc45EfF7548fCB362"),
            *_sushi("0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac", "0xbACEB8eC6b9355Dfc0269C18bac9d6E2Bdc29C4F"),
        ),
        10: (
            *_sushi(_SUSHI_V2_LATER, "0x9c6522117e2ed1fE5bdb72bb0eD5E3f2bdE7DBe0"),
            *_solidly(
                "VELODROME",
                "0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a",
                "0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F",
                "0xe13Dd1fbA721Aa81a1826D9523AC9BC7d260c879",
            ),
        ),
        56: (
            *_pancake("0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73"),
            *_sushi(_SUSHI_FIRST, "0x126555dd55a39328F69400d6aE4F782Bd4C34ABb"),
        ),
        130: _SUPERCHAIN,
        137: _sushi(_SUSHI_FIRST, "0x917933899c6a5F8E37F31E19f92CdBFF7e8FF0e2"),
        143: _pancake(_PANCAKE_V2),
        8453: (
            *_pancake(_PANCAKE_V2),
            *_sushi("0x71524B4f93c58fcbF659783284E38825f0622859", _SUSHI_FIRST),
            *_solidly(
                "AERODROME",
                "0x420DD381b31aEf6683db6B902084cB0FFECe40Da",
                "0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A",
                "0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a",
                "0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef",
            ),
        ),
        42161: (*_pancake(_PANCAKE_V2), *_sushi(_SUSHI_FIRST, "0x1af415a1EbA07a4986a52B6f2e7dE7003D82231e")),
        43114: _sushi(_SUSHI_FIRST, "0x3e603C14aF37EBdaD31709C4f848Fc6aD5BEc715"),
        57073: _SUPERCHAIN,
        59144: (*_pancake(_PANCAKE_V2), *_sushi(_SUSHI_V2_LATER, _SUSHI_FIRST)),
    }
)
"""By chain ID."""
