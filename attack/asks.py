"""The questions for every adapter; each answers those that it serves."""

from tests.adapters.conformance.case import Ask

ETHER = 10**18
ASKS = (
    Ask("sbxa", "sbxa", "WETH", "USDC", ETHER // 10),
    Ask("sbxa", "sbxa", "ETH", "USDC", ETHER // 10),
    Ask("sbxa", "sbxa", "USDC", "ETH", 250 * 10**6),
    Ask("sbxb", "sbxb", "USDT", "WETH", 250 * 10**6),
    Ask("sbxa", "sbxa", "WETH", "USDC", ETHER // 10, direct=True),
    Ask("sbxa", "sbxa", "ETH", "DAI", ETHER // 10, direct=True),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6),
    Ask("sbxa", "sbxb", "ETH", "ETH", ETHER // 10),
    Ask("sbxb", "sbxa", "DAI", "WETH", 500 * ETHER),
    Ask("sbxb", "sbxa", "USDT", "WETH", 250 * 10**6),
    Ask("sbxb", "sbxa", "ETH", "USDC", ETHER // 10),
    Ask("sbxb", "sbxa", "WBTC", "USDC", 10**6),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6, direct=True),
    Ask("sbxa", "sbxb", "WETH", "USDC", ETHER // 10, direct=True),
    Ask("sbxa", "sbxb", "USDT", "DAI", 250 * 10**6, direct=True),
    Ask("sbxa", "sbxb", "ETH", "ETH", ETHER // 200),
    Ask("sbxb", "sbxa", "ETH", "ETH", ETHER // 200, direct=True),
    Ask("sbxb", "sbxa", "ETH", "USDC", ETHER // 10, direct=True),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6, gas=ETHER // 500),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6, calls=True),
    Ask("sbxa", "sbxb", "USDC", "WBTC", 250 * 10**6, gas=ETHER // 500, calls=True, bridged="USDC"),
    Ask("sbxa", "sbxb", "USDC", "USDC", 250 * 10**6, named=True),
)
SOL = 10**9
SOLANA_ASKS = (
    Ask("sbxs", "sbxs", "USDC", "USDT", 500 * 10**6, direct=True),
    Ask("sbxs", "sbxs", "SOL", "USDC", 2 * SOL, direct=True),
    Ask("sbxs", "sbxs", "WSOL", "USDC", SOL, direct=True),
    Ask("sbxs", "sbxs", "USDC", "SOL", 300 * 10**6, direct=True),
    Ask("sbxs", "sbxs", "USDC", "DAI", 500 * 10**6, direct=True),
    Ask("sbxs", "sbxs", "USDT", "WETH", 900 * 10**6, direct=True),
    Ask("sbxs", "sbxs", "WBTC", "SOL", 10**5, direct=True),
    Ask("sbxs", "sbxs", "SOL", "TAX", SOL, direct=True),
    Ask("sbxs", "sbxs", "SOL", "WBTC", 2 * SOL, direct=True),
    Ask("sbxs", "sbxa", "USDC", "USDC", 250 * 10**6, direct=True),
    Ask("sbxs", "sbxa", "SOL", "ETH", SOL // 5, direct=True),
    Ask("sbxs", "sbxb", "SOL", "ETH", 2 * SOL, direct=True),
    Ask("sbxs", "sbxa", "SOL", "USDC", SOL, direct=True),
    Ask("sbxs", "sbxb", "USDC", "USDC", 250 * 10**6, direct=True),
    Ask("sbxs", "sbxb", "USDT", "ETH", 250 * 10**6, direct=True),
    Ask("sbxs", "sbxb", "USDC", "WETH", 250 * 10**6, direct=True),
    Ask("sbxs", "sbxa", "USDC", "USDC", 250 * 10**6, direct=True, named=True),
    Ask("sbxs", "sbxb", "USDC", "USDC", 250 * 10**6, direct=True, gas=ETHER // 500),
)
"""Questions that begin on Solana: every third one pays another wallet."""
SOLANA_SAMPLE = (SOLANA_ASKS[0], SOLANA_ASKS[4], SOLANA_ASKS[9], SOLANA_ASKS[10])
"""A few of them, of which every adapter that serves Solana answers one."""
ON_SOLANA_ALONE = frozenset({"DFLOW", "JUPITER", "RISE"})
FROM_SOLANA = ON_SOLANA_ALONE | {
    "ACROSS", "GASZIP", "MAYAN", "MAYAN_FAST_MCTP", "MAYAN_MCTP", "MAYAN_SWIFT", "NEAR_INTENTS", "OKX", "RELAY",
}  # fmt: skip
"""Adapters by where their questions begin; the others know EVM chains only."""
WITH_GAS, WITH_GAS_FROM_SOLANA = (tuple(ask for ask in asks if ask.gas) for asks in (ASKS, SOLANA_ASKS))
"""Those that want native on arrival."""
NAMED, NAMED_ON_SOLANA = (tuple(ask for ask in asks if ask.named) for asks in (ASKS, SOLANA_ASKS))
"""Those whose caller names who is refunded."""
SAMPLE = (ASKS[0], ASKS[8], ASKS[12], ASKS[16])
"""A few of them, of which every adapter answers one."""
