"""The chapters of the demo, for the adapters that the service lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

ONE = 10**18
HERE, THERE = "sbxa", "sbxb"
SOLANA, SOLANA_ID = "sbxs", "900003"
NATIVE: Mapping[str, int] = MappingProxyType({"ETH": 18, "SOL": 9})
"""Native assets and their decimals."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The terms of a chapter: ``amount`` in raw units, tokens by symbol (those of `NATIVE` too), chains by key.

    ``adapter`` is the only one that may answer, None for the best one; ``refunded`` makes the bridge fail. ``to_self``
    pays the wallet itself, otherwise another one. ``kinds`` is how many kinds of pools must take part.
    """

    title: str
    chain: str
    origin: str
    destination: str
    amount: int
    to_chain: str | None = None
    with_fee: bool = False
    adapter: str | None = None
    refunded: bool = False
    to_self: bool = False
    kinds: int = 0

    @property
    def crossing(self) -> bool:
        """Whether the tokens leave the chain."""
        return self.to_chain is not None and self.to_chain != self.chain

    @property
    def there(self) -> str:
        """The chain on which the receiver is paid."""
        return self.to_chain or self.chain


SWAPS = (
    Scenario("swap, ERC-20 to native", HERE, "USDC", "ETH", 1_500_000_000),
    Scenario("swap, native to ERC-20", HERE, "ETH", "USDT", ONE),
    Scenario("swap through an anchor, with a fee", THERE, "USDT", "WBTC", 2_000_000_000, with_fee=True),
)
SPLIT = Scenario("swap split over four kinds of pools", HERE, "USDT", "DAI", 60_000_000_000, adapter="ONCHAIN", kinds=4)
BRIDGE = Scenario("transfer to another chain, with a fee", HERE, "USDC", "USDC", 800_000_000, THERE, with_fee=True)
REFUND = Scenario(
    "transfer that fails and is refunded", HERE, "USDC", "USDC", 300_000_000, THERE, adapter="RELAY", refunded=True
)
COMPOSED = Scenario(
    "swap and transfer with one signature", HERE, "DAI", "USDC", 700 * ONE, THERE, with_fee=True, adapter="ACROSS"
)
"""The bridge does not carry the token sold, so an exchange goes first."""
_SWAP = Scenario("swap by an exchange", HERE, "WETH", "USDC", ONE // 2)
_TRANSFER = Scenario("transfer by a bridge", THERE, "USDC", "USDC", 250_000_000, HERE)
_OWN: Mapping[str, Scenario] = MappingProxyType(
    {
        "ACROSS": Scenario("transfer by a bridge", HERE, "ETH", "ETH", ONE, THERE),
        "GASZIP": Scenario("transfer by a bridge, direct", HERE, "ETH", "ETH", ONE // 200, THERE),
        "NEAR_INTENTS": Scenario("transfer by a bridge, direct", THERE, "ETH", "ETH", ONE // 10, HERE),
    }
)
"""Adapters that serve other pairs, or whose own feature is shown."""
SOLANA_SWAP = Scenario("swap on Solana, with a fee", SOLANA, "USDC", "WETH", 900_000_000, with_fee=True)
FROM_SOLANA = Scenario("transfer from Solana, with a fee", SOLANA, "USDC", "USDC", 700_000_000, HERE, with_fee=True)
TO_SOLANA = Scenario("transfer to Solana, with a fee", HERE, "USDC", "USDC", 600_000_000, SOLANA, with_fee=True)
_SOLANA_SWAP = Scenario("swap on Solana by an exchange", SOLANA, "SOL", "USDC", 2 * 10**9)
_FROM_SOLANA = Scenario("transfer from Solana", SOLANA, "USDC", "USDC", 250_000_000, THERE)
_TO_SOLANA = Scenario("transfer to Solana", THERE, "USDC", "USDC", 250_000_000, SOLANA)
_SOLANA_OWN: Mapping[str, tuple[Scenario, ...]] = MappingProxyType(
    {
        "GASZIP": (
            Scenario("transfer from Solana, direct", SOLANA, "SOL", "ETH", 10**8, THERE),
            Scenario("transfer to Solana, direct", THERE, "ETH", "SOL", ONE // 200, SOLANA),
        ),
        "MAYAN_WORMHOLE": (_TO_SOLANA,),
        "RISE": (Scenario("swap on Solana for oneself", SOLANA, "SOL", "WBTC", 2 * 10**9, to_self=True),),
    }
)
"""Adapters that serve other pairs there, or only one direction."""


def chapters_of(tools: Mapping[str, Sequence[Mapping[str, object]]]) -> tuple[Scenario, ...]:
    """Return the chapters for the list of ``GET /v1/tools``: each adapter has one that it must win alone."""
    everywhere = {str(tool["key"]): _chains(tool) for tool in (*tools["exchanges"], *tools["bridges"])}
    crossing = {str(tool["key"]) for tool in tools["bridges"]}
    bridges = sorted(key for key in crossing if everywhere[key] != {SOLANA_ID})
    exchanges = sorted(key for key in everywhere.keys() - crossing if everywhere[key] != {SOLANA_ID})
    chapters = [*SWAPS, *(_of(key, _SWAP) for key in exchanges)]
    if "ONCHAIN" in exchanges:
        chapters.append(SPLIT)
    if bridges:
        chapters += [BRIDGE, *(_of(key, _TRANSFER) for key in bridges)]
    if REFUND.adapter in bridges:
        chapters.append(REFUND)
    if COMPOSED.adapter in bridges and "ONCHAIN" in exchanges:
        chapters.append(COMPOSED)
    there = {key for key, chains in everywhere.items() if SOLANA_ID in chains}
    return (*chapters, *_solana(sorted(there - crossing), sorted(there & crossing)))


def _solana(exchanges: Sequence[str], bridges: Sequence[str]) -> list[Scenario]:
    """Return the chapters on Solana, and those from and to it."""
    chapters: list[Scenario] = []
    if exchanges:
        chapters += [SOLANA_SWAP, *_each(exchanges, (_SOLANA_SWAP,))]
    if bridges:
        chapters += [FROM_SOLANA, TO_SOLANA, *_each(bridges, (_FROM_SOLANA, _TO_SOLANA))]
    return chapters


def _each(keys: Sequence[str], usual: Sequence[Scenario]) -> list[Scenario]:
    return [replace(way, adapter=key) for key in keys for way in _SOLANA_OWN.get(key, usual)]


def _chains(tool: Mapping[str, object]) -> set[str]:
    chains = tool["supportedChains"]
    return {str(each) for each in chains} if isinstance(chains, Sequence) else set()


def _of(key: str, usual: Scenario) -> Scenario:
    return replace(_OWN.get(key, usual), adapter=key)
