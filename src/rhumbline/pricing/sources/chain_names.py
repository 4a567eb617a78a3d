"""The price sources' names of chains; written down 2026-11, not tried live.

https://docs.dexscreener.com/api/reference: the `chainId` of pairs. https://api-docs.defillama.com: the chain in
`{chain}:{address}`. https://docs.coingecko.com/reference/asset-platforms-list.
"""

from collections.abc import Mapping
from types import MappingProxyType

SOLANA = 1_000_000_001

_NAMES = (
    (1, "ethereum", "ethereum", "ethereum"),
    (10, "optimism", "optimism", "optimistic-ethereum"),
    (56, "bsc", "bsc", "binance-smart-chain"),
    (100, "gnosischain", "xdai", "xdai"),
    (130, "unichain", "unichain", "unichain"),
    (137, "polygon", "polygon", "polygon-pos"),
    (146, "sonic", "sonic", "sonic"),
    (324, "zksync", "era", "zksync"),
    (480, "worldchain", "wc", "world-chain"),
    (5000, "mantle", "mantle", "mantle"),
    (8453, "base", "base", "base"),
    (42161, "arbitrum", "arbitrum", "arbitrum-one"),
    (42220, "celo", "celo", "celo"),
    (43114, "avalanche", "avax", "avalanche"),
    (59144, "linea", "linea", "linea"),
    (80094, "berachain", "berachain", "berachain"),
    (81457, "blast", "blast", "blast"),
    (534352, "scroll", "scroll", "scroll"),
    (143, "monad", "monad", "monad"),
    (999, "hyperevm", "hyperliquid", "hyperevm"),
    (9745, "plasma", "plasma", "plasma"),
    (57073, "ink", "ink", "ink"),
    (SOLANA, "solana", "solana", "solana"),
)
"""A chain's ID, and its names at DexScreener, DefiLlama and CoinGecko."""
DEXSCREENER: Mapping[int, str] = MappingProxyType({chain_id: name for chain_id, name, _, _ in _NAMES})
DEFILLAMA: Mapping[int, str] = MappingProxyType({chain_id: name for chain_id, _, name, _ in _NAMES})
COINGECKO: Mapping[int, str] = MappingProxyType({chain_id: name for chain_id, _, _, name in _NAMES})
