"""Writes src/rhumbline/catalog/data/tokens.csv from published packages: facts only, look-alikes left out.

``.venv/bin/python scripts/make_token_snapshot.py DIRECTORY``, where DIRECTORY holds the npm packages named below, each
unpacked into a folder of its own: ``npm pack <name>@<version>`` and ``tar xzf``. Sources, versions and licences are
listed in src/rhumbline/catalog/data/SOURCES.md; change both together.
"""

import csv
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from rhumbline.catalog.symbols import is_plain, skeleton
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm

TARGET = Path(__file__).parents[1] / "src" / "rhumbline" / "catalog" / "data" / "tokens.csv"
SOLANA = 1_000_000_001
CHAINS = frozenset(
    {
        1,
        10,
        56,
        100,
        130,
        137,
        143,
        146,
        324,
        480,
        999,
        4663,
        5000,
        8453,
        9745,
        42161,
        42220,
        43114,
        57073,
        59144,
        80094,
        81457,
        534352,
        SOLANA,
    }
)
NATIVE = frozenset({"0x" + "0" * 40, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "1" * 32})
# What the contract itself answers, where the sources say something else.
CORRECTIONS = MappingProxyType({(56, "0x2170Ed0880ac9A755fd29B2688956BD959F933F8"): "ETH"})
LIFI_SOLANA = 1_151_111_081_099_710
REGISTRY_MAINNET = 101


@dataclass(frozen=True)
class Fact:
    """One token as one source has it."""

    chain_id: int
    address: str
    symbol: str
    decimals: int
    name: str
    coin_key: str = ""


def aave(packages: Path) -> Iterator[Fact]:
    """Yield what Aave lends and borrows; its receipts and vault shares are left out."""
    document = json.loads((packages / "aave-address-book" / "tokenlist.json").read_text("utf-8"))
    for token in document["tokens"]:
        if "underlying" in token["tags"]:
            yield Fact(token["chainId"], token["address"], token["symbol"], token["decimals"], token["name"])


def lifi(packages: Path) -> Iterator[Fact]:
    """Yield the coins of @lifi/data-types on each chain, with their coin key."""
    enumeration = (packages / "lifi-types" / "src" / "_esm" / "chains" / "base.js").read_text("utf-8")
    ids = {name: int(number) for name, number in re.findall(r'ChainId\[ChainId\["(\w+)"\] = (\d+)\]', enumeration)}
    ids["SOL"] = SOLANA if ids.get("SOL") in (None, LIFI_SOLANA) else ids["SOL"]
    source = (packages / "lifi-data-types" / "src" / "coins" / "coins.ts").read_text("utf-8")
    for key, body in re.findall(r"key: CoinKey\.(\w+),(.*?)\n  \},\n", source, re.S):
        for chain, fields in re.findall(r"\[ChainId\.(\w+)\]: \{(.*?)\}", body, re.S):
            found = dict(re.findall(r"(\w+):\s*'([^']*)'", fields))
            decimals = re.search(r"decimals: (\d+)", fields)
            if chain in ids and decimals and found["address"] not in NATIVE:
                symbol, name = found.get("symbol", key), found.get("name", key)
                yield Fact(ids[chain], found["address"], symbol, int(decimals[1]), name, key)


def metamask(packages: Path) -> Iterator[Fact]:
    """Yield the ERC-20 tokens of Ethereum that @metamask/contract-metadata knows."""
    document = json.loads((packages / "contract-metadata" / "contract-map.json").read_text("utf-8"))
    for address, token in document.items():
        if token.get("erc20") and isinstance(token.get("decimals"), int):
            yield Fact(1, address, token["symbol"], token["decimals"], token["name"])


def superchain(packages: Path) -> Iterator[Fact]:
    """Yield the tokens of the Superchain token list."""
    source = (packages / "tokenlist" / "dist" / "optimism.tokenlist.js").read_text("utf-8")
    form = r'chainId: (\d+),\s+address: "(\w+)",\s+name: "([^"]*)",\s+symbol: "([^"]*)",\s+decimals: (\d+)'
    for chain, address, name, symbol, decimals in re.findall(form, source):
        yield Fact(int(chain), address, unescaped(symbol), int(decimals), unescaped(name))


def unescaped(text: str) -> str:
    """Return a JavaScript text with its characters that are written as numbers, in four digits or in braces."""
    form = r"\\u(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{4}))"
    return re.sub(form, lambda found: chr(int(found[1] or found[2], 16)), text)


def solana(packages: Path) -> Iterator[Fact]:
    """Yield the registry's Solana tokens that a market lists and that Jupiter still listed as verified later on."""
    path = packages / "spl-token-registry" / "dist" / "main" / "tokens" / "solana.tokenlist.json"
    later = (packages / "swapkit-tokens" / "src" / "tokenLists" / "jupiter.ts").read_text("utf-8")
    verified = dict(re.findall(r'address: "(\w+)",.*?ticker: "([^"]*)"', later, re.S))
    for token in json.loads(path.read_text("utf-8"))["tokens"]:
        listed = token["chainId"] == REGISTRY_MAINNET and "coingeckoId" in token.get("extensions", {})
        if listed and verified.get(token["address"], "").casefold() == token["symbol"].casefold():
            yield Fact(SOLANA, token["address"], token["symbol"], token["decimals"], token["name"])


def canonical(fact: Fact) -> Fact | None:
    """Return the fact with its address in canonical form and its name in one line; None if it is odd."""
    name = " ".join(fact.name.split())
    plain = name.replace("₮", "T").isascii() and is_plain(fact.symbol.replace("₮", "T"))
    fits = fact.chain_id in CHAINS and 0 <= fact.decimals <= 36 and 0 < len(name) <= 60 and len(fact.symbol) <= 20
    if fact.address in NATIVE or not fits or not plain:
        return None
    if fact.chain_id == SOLANA:
        return replace(fact, name=name) if svm.is_address(fact.address) else None
    return replace(fact, name=name, address=evm.checksummed(fact.address)) if evm.is_address(fact.address) else None


def natives() -> dict[tuple[int, str], str]:
    """Return whose each native asset's symbol is: nobody's, so that no token gets it."""
    chains = tomllib.loads((TARGET.parent / "chains.toml").read_text("utf-8"))["chains"]
    return {(chain["id"], skeleton(chain["native"]["symbol"])): "" for chain in chains}


def merged(sources: list[Iterator[Fact]]) -> list[Fact]:
    """Merge the sources, the first one trusted most: it wins an address, and nobody after it gets its symbol.

    A name that only repeats the symbol, and a symbol that is only the coin's key, give way to what a later source has
    for the same address.
    """
    kept: dict[tuple[int, str], Fact] = {}
    owners = natives()
    for fact in (item for source in sources for item in map(canonical, source) if item is not None):
        key = (fact.chain_id, fact.address)
        owner = owners.setdefault((fact.chain_id, skeleton(fact.symbol)), fact.address)
        if key not in kept and owner == fact.address:
            kept[key] = fact
        elif key in kept:
            first = kept[key]
            kept[key] = replace(
                first,
                symbol=fact.symbol if first.symbol == first.coin_key and owner == fact.address else first.symbol,
                name=fact.name if first.name in (first.symbol, first.coin_key) else first.name,
                coin_key=first.coin_key or fact.coin_key,
            )
    for key, symbol in CORRECTIONS.items():
        kept[key] = replace(kept[key], symbol=symbol)
    return sorted(kept.values(), key=lambda fact: fact.chain_id)


def main(packages: Path) -> None:
    """Read, merge, write."""
    facts = merged([source(packages) for source in (lifi, aave, metamask, superchain, solana)])
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("chain_id", "address", "symbol", "decimals", "name", "coin_key"))
        writer.writerows((f.chain_id, f.address, f.symbol, f.decimals, f.name, f.coin_key) for f in facts)
    sys.stdout.write(f"{len(facts)} tokens\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
