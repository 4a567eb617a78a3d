"""What the real upstreams are asked: well-known tokens on well-known chains, in amounts that each of them takes.

The wallet, and the account on Solana, are nobody's: nothing is ever signed.
"""

from collections.abc import Mapping

from tests.adapters.conformance.case import Ask
from tests.live.by_folder import declared

WALLET = "0x5BB21622F089739743443f90Cc3aa622027252BE"
SOLANA_WALLET = "3wrasLHeCWAF9DbTcD9LpjLJHV3roCoZPnPAttpE3pwm"
_USDC = 10**6
_CENT = 10**16

_SWAPS = (
    Ask("eth", "eth", "USDC", "USDT", 500 * _USDC, direct=True),
    Ask("eth", "eth", "ETH", "USDC", 10 * _CENT, direct=True),
    Ask("base", "base", "USDC", "ETH", 100 * _USDC),
)
_DOLLARS = Ask("base", "arb", "USDC", "USDC", 100 * _USDC)

ASKS: Mapping[str, tuple[Ask, ...]] = {
    "ACROSS": (
        _DOLLARS,
        Ask("eth", "op", "ETH", "ETH", 10 * _CENT, direct=True),
        Ask("base", "sol", "USDC", "USDC", 100 * _USDC),
        Ask("sol", "base", "USDC", "USDC", 100 * _USDC),
    ),
    "GASZIP": (
        Ask("base", "arb", "ETH", "ETH", _CENT // 2, direct=True),
        Ask("op", "base", "ETH", "ETH", _CENT // 2, direct=True),
        Ask("base", "sol", "ETH", "SOL", _CENT // 2, direct=True),
        Ask("sol", "base", "SOL", "ETH", 10**8),
    ),
    "KYBERSWAP": _SWAPS,
    "MAYAN": (
        _DOLLARS,
        Ask("eth", "sol", "USDC", "USDC", 500 * _USDC, direct=True),
        Ask("sol", "base", "USDC", "USDC", 100 * _USDC),
    ),
    "MAYAN_SWIFT": (
        _DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 10 * _CENT, direct=True),
        Ask("sol", "base", "USDC", "USDC", 100 * _USDC),
        Ask("sol", "base", "SOL", "ETH", 10**9),
    ),
    "MAYAN_MCTP": (_DOLLARS, Ask("sol", "base", "USDC", "USDC", 100 * _USDC)),
    "MAYAN_FAST_MCTP": (_DOLLARS, Ask("sol", "base", "USDC", "USDC", 100 * _USDC)),
    "MAYAN_WORMHOLE": (Ask("eth", "sol", "USDC", "USDC", 500 * _USDC, direct=True),),
    "NEAR_INTENTS": (
        _DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 2 * _CENT, direct=True),
        Ask("eth", "sol", "USDC", "USDC", 200 * _USDC, direct=True),
        Ask("sol", "base", "USDC", "USDC", 100 * _USDC),
        Ask("sol", "base", "SOL", "ETH", 10**8),
    ),
    "NORDSTERN": _SWAPS,
    "OKX": (*_SWAPS, Ask("sol", "sol", "USDC", "USDT", 100 * _USDC, direct=True)),
    "OPENOCEAN": _SWAPS,
    "RELAY": (
        _DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 2 * _CENT, direct=True),
        Ask("base", "sol", "USDC", "USDC", 100 * _USDC),
        Ask("sol", "base", "USDC", "USDC", 100 * _USDC),
        Ask("sol", "base", "SOL", "ETH", 10**8),
        Ask("base", "base", "USDC", "ETH", 100 * _USDC),
    ),
    "SYMBIOSIS": (
        Ask("eth", "arb", "USDC", "USDC", 500 * _USDC, direct=True),
        Ask("base", "arb", "ETH", "ETH", 10 * _CENT),
    ),
    **{key: asks for each in declared("ASKS") for key, asks in each.items()},
}
"""By the adapter's key; on one chain ``direct`` is the wallet's own call, without it the Executor's."""
