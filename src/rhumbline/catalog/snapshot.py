"""The tokens of the package, for a start without a network. Sources and licences: ``data/SOURCES.md``."""

import csv
from collections.abc import Iterator
from importlib.resources import files

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.token import Token


def shipped_tokens(chains: ChainCatalog) -> Iterator[Token]:
    text = (files("rhumbline.catalog") / "data" / "tokens.csv").read_text("utf-8")
    rows = csv.reader(text.splitlines())
    next(rows)
    for chain_id, address, symbol, decimals, name, coin_key in rows:
        if chains.by_id.get(int(chain_id)) is not None:
            yield Token(int(chain_id), address, symbol, int(decimals), name, coin_key or None)
