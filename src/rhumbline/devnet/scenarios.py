"""What the story tells: which chapters there are, for the adapters that the service lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

ONE = 10**18
HERE, THERE = "sbxa", "sbxb"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a chapter wants: ``amount`` in raw units, tokens by symbol (``ETH`` is the native asset), chains by key.

    ``adapter`` is the only one that may answer, None for whichever is best; ``refunded`` a bridge that is told to fail.
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
BRIDGE = Scenario("transfer to another chain, with a fee", HERE, "USDC", "USDC", 800_000_000, THERE, with_fee=True)
REFUND = Scenario(
    "transfer that fails and is refunded", HERE, "USDC", "USDC", 300_000_000, THERE, adapter="RELAY", refunded=True
)
_SWAP = Scenario("swap by an exchange", HERE, "WETH", "USDC", ONE // 2)
_TRANSFER = Scenario("transfer by a bridge", THERE, "USDC", "USDC", 250_000_000, HERE)
_OWN: Mapping[str, Scenario] = MappingProxyType(
    {
        "ACROSS": Scenario("transfer by a bridge", HERE, "ETH", "ETH", ONE, THERE),
        "GASZIP": Scenario("transfer by a bridge, direct", HERE, "ETH", "ETH", ONE // 200, THERE),
        "NEAR_INTENTS": Scenario("transfer by a bridge, direct", THERE, "ETH", "USDC", ONE // 10, HERE),
    }
)
"""Adapters that serve other pairs, or whose own way is worth telling."""


def plots_of(tools: Mapping[str, Sequence[Mapping[str, object]]]) -> tuple[Scenario, ...]:
    """Return the chapters for what ``GET /v1/tools`` lists: each adapter wins one by itself."""
    bridges = sorted(str(tool["key"]) for tool in tools["bridges"])
    exchanges = sorted({str(tool["key"]) for tool in tools["exchanges"]} - set(bridges))
    chapters = [*SWAPS, *(_of(key, _SWAP) for key in exchanges)]
    if bridges:
        chapters += [BRIDGE, *(_of(key, _TRANSFER) for key in bridges)]
    if REFUND.adapter in bridges:
        chapters.append(REFUND)
    return tuple(chapters)


def _of(key: str, usual: Scenario) -> Scenario:
    scenario = _OWN.get(key, usual)
    return Scenario(
        scenario.title,
        scenario.chain,
        scenario.origin,
        scenario.destination,
        scenario.amount,
        scenario.to_chain,
        adapter=key,
    )
