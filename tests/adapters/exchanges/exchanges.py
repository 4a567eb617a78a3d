"""The exchanges on EVM chains, for tests that run for each of them."""

from collections.abc import Callable, Iterable

import pytest

from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.kyberswap.case import EXCHANGE as KYBERSWAP
from tests.adapters.nordstern.case import EXCHANGE as NORDSTERN
from tests.adapters.okx.case import EXCHANGE as OKX
from tests.adapters.openocean.case import EXCHANGE as OPENOCEAN

EXCHANGES = (KYBERSWAP, NORDSTERN, OKX, OPENOCEAN)
FIXING = tuple(each for each in EXCHANGES if each.fixes_minimum)
"""Those that fix the minimum when they quote."""

each_exchange = pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda each: each.name)
each_fixing = pytest.mark.parametrize("exchange", FIXING, ids=lambda each: each.name)


def each_of(names: str, rows: Callable[[Exchange], Iterable[object]]) -> pytest.MarkDecorator:
    """Run a test for each row that an exchange has; one value a name."""
    entries = [
        pytest.param(exchange, *(row if isinstance(row, tuple) else (row,)), id=f"{exchange.name}-{number}")
        for exchange in EXCHANGES
        for number, row in enumerate(rows(exchange))
    ]
    return pytest.mark.parametrize(("exchange", *names.split()), entries)
