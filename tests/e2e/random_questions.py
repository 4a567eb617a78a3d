"""Questions by chance for every adapter that the service lists, on all chains of the sandbox; the same for one seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

NATIVE = {"EVM": "0x" + "00" * 20, "SVM": "1" * 32}
_WORTH = {"ETH": 3000, "WETH": 3000, "WBTC": 60_000, "SOL": 150, "WSOL": 150, "TAX": 1}
"""About how many USD a whole token stands for, so that amounts are neither dust nor more than a pool has."""
_NATIVES = {"EVM": ("ETH", 18), "SVM": ("SOL", 9)}
_FEES = (None, "0.01", "0.0034712345678901235")
_SAME_ASSET, _NATIVE_BOTH = 0.6, 0.25

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """An adapter in one of its two trades."""

    key: str
    crossing: bool
    chains: tuple[Json, ...]

    def __str__(self) -> str:
        return f"{self.key} {'across' if self.crossing else 'swap'}"


def tools_of(sandbox: Json, listed: Json) -> list[Tool]:
    """All adapters of ``GET /v1/tools``."""
    found = []
    for kind, crossing in (("exchanges", False), ("bridges", True)):
        for tool in listed[kind]:
            served = {int(chain["chainId"] if isinstance(chain, dict) else chain) for chain in tool["supportedChains"]}
            chains = tuple(chain for chain in sandbox["chains"] if chain["id"] in served)
            found.append(Tool(tool["key"], crossing, chains))
    return found


def questions(sandbox: Json, tool: Tool, chance: Random, *, exact_output: bool = False) -> Iterator[dict[str, str]]:
    """Queries of ``GET /v1/quotes`` that only this adapter may answer, without end; for an output if so wished."""
    while True:
        here = chance.choice(tool.chains)
        there = chance.choice([chain for chain in tool.chains if chain is not here]) if tool.crossing else here
        sold, bought = _pair(here, there, tool, chance)
        wallets = sandbox["accounts"]
        sender = chance.choice(wallets[here["type"].lower()])["address"]
        own = not tool.crossing and (tool.key == "RISE" or chance.random() < 0.5)
        receiver = sender if own else chance.choice(wallets[there["type"].lower()])["address"]
        asked = {
            "senderAddress": sender,
            "receiverAddress": receiver,
            "originChainId": str(here["id"]),
            "destinationChainId": str(there["id"]),
            "amount": str(_amount(there, bought, chance) if exact_output else _amount(here, sold, chance)),
            **({"tradeType": "EXACT_OUTPUT"} if exact_output else {}),
            "originCurrency": _address(here, sold),
            "destinationCurrency": _address(there, bought),
            "integrator": sandbox["integrator"]["name"],
            "includeBridges" if tool.crossing else "includeExchanges": tool.key,
        }
        fee = chance.choice(_FEES)
        yield asked if fee is None else {**asked, "fee": fee}


def _pair(here: Json, there: Json, tool: Tool, chance: Random) -> tuple[str, str]:
    mine, theirs = ([_NATIVES[chain["type"]][0], *chain["tokens"]] for chain in (here, there))
    if not tool.crossing:
        sold, bought = chance.sample(mine, 2)
        return sold, bought
    drawn = chance.random()
    both = [symbol for symbol in mine if symbol in theirs]
    if drawn < _SAME_ASSET and both:
        sold = chance.choice(both)
        return sold, sold
    return (mine[0], theirs[0]) if drawn < _SAME_ASSET + _NATIVE_BOTH else (chance.choice(mine), chance.choice(theirs))


def _address(chain: Json, symbol: str) -> str:
    return str(chain["tokens"][symbol]["address"]) if symbol in chain["tokens"] else NATIVE[chain["type"]]


def _amount(chain: Json, symbol: str, chance: Random) -> int:
    """Between 2 and 20,000 USD's worth, small ones as likely as large ones."""
    decimals = chain["tokens"][symbol]["decimals"] if symbol in chain["tokens"] else _NATIVES[chain["type"]][1]
    cents = int(200 * 10 ** (4 * chance.random()))
    return int(cents * 10**decimals // (100 * _WORTH.get(symbol, 1))) + chance.randrange(1000)
