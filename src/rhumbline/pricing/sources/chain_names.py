"""What the price sources call the chains."""

from collections.abc import Mapping
from types import MappingProxyType

SOLANA = 1_000_000_001

# https://docs.dexscreener.com/api/reference: the `chainId` of pairs; written down 2026-11, not tried live.
DEXSCREENER: Mapping[int, str] = MappingProxyType(
    {
        1: "ethereum",
        10: "optimism",
        56: "bsc",
        100: "gnosischain",
        130: "unichain",
        137: "polygon",
        146: "sonic",
        324: "zksync",
        480: "worldchain",
        5000: "mantle",
        8453: "base",
        42161: "arbitrum",
        42220: "celo",
        43114: "avalanche",
        59144: "linea",
        80094: "berachain",
        81457: "blast",
        534352: "scroll",
        143: "monad",
        999: "hyperevm",
        9745: "plasma",
        57073: "ink",
        SOLANA: "solana",
    }
)

# https://api-docs.defillama.com: the chain in `{chain}:{address}`; not tried live.
DEFILLAMA: Mapping[int, str] = MappingProxyType(
    {
        1: "ethereum",
        10: "optimism",
        56: "bsc",
        100: "xdai",
        130: "unichain",
        137: "polygon",
        146: "sonic",
        324: "era",
        480: "wc",
        5000: "mantle",
        8453: "base",
        42161: "arbitrum",
        42220: "celo",
        43114: "avax",
        59144: "linea",
        80094: "berachain",
        81457: "blast",
        534352: "scroll",
        143: "monad",
        999: "hyperliquid",
        9745: "plasma",
        57073: "ink",
        SOLANA: "solana",
    }
)

# https://docs.coingecko.com/reference/asset-platforms-list; not tried live.
COINGECKO: Mapping[int, str] = MappingProxyType(
    {
        1: "ethereum",
        10: "optimistic-ethereum",
        56: "binance-smart-chain",
        100: "xdai",
        130: "unichain",
        137: "polygon-pos",
        146: "sonic",
        324: "zksync",
        480: "world-chain",
        5000: "mantle",
        8453: "base",
        42161: "arbitrum-one",
        42220: "celo",
        43114: "avalanche",
        59144: "linea",
        80094: "berachain",
        81457: "blast",
        534352: "scroll",
        143: "monad",
        999: "hyperevm",
        9745: "plasma",
        57073: "ink",
        SOLANA: "solana",
    }
)
