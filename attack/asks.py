"""What every adapter is asked; each answers those that it serves."""

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
)
SAMPLE = (ASKS[0], ASKS[8], ASKS[12], ASKS[16])
"""A few of them, of which every adapter answers one."""
