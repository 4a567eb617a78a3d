"""What adapters' questions to the real upstreams are made of: tokens, amounts that each of them takes, and wallets.

The wallet, and the account on Solana, are nobody's: nothing is ever signed. The questions lie in the adapters' test
folders, ``tests/adapters/<folder>/live.py``. On one chain ``direct`` is the wallet's own call, without it the
Executor's.
"""

from datetime import UTC, datetime

from rhumbline.domain.transfer import Transfer
from tests.adapters.conformance.case import Ask

WALLET = "0x5BB21622F089739743443f90Cc3aa622027252BE"
SOLANA_WALLET = "3wrasLHeCWAF9DbTcD9LpjLJHV3roCoZPnPAttpE3pwm"
USDC = 10**6
CENT = 10**16
SWAPS = (
    Ask("eth", "eth", "USDC", "USDT", 500 * USDC, direct=True),
    Ask("eth", "eth", "ETH", "USDC", 10 * CENT, direct=True),
    Ask("base", "base", "USDC", "ETH", 100 * USDC),
)
DOLLARS = Ask("base", "arb", "USDC", "USDC", 100 * USDC)
NOBODYS_HASH = "0x" + "9a" * 32
NOBODYS_TRANSFER = Transfer(
    "", 0, 0, NOBODYS_HASH, -1, WALLET, WALLET, WALLET, "", 1, "", 1, None, datetime(2026, 6, 1, tzinfo=UTC)
)
"""A transfer that nobody made, long ago."""
