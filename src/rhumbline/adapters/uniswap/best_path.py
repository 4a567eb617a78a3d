"""The best path for an amount, exact where it matters."""

from rhumbline.adapters.uniswap.block_reads import Head
from rhumbline.adapters.uniswap.paths import Candidate, Market
from rhumbline.adapters.uniswap.state import PoolBook, V3Live
from rhumbline.domain.errors import BelowMinimum, NoRoute
from rhumbline.domain.quote import QuoteRequest


async def best_path(
    book: PoolBook, market: Market, head: Head, paths: tuple[tuple[str, ...], ...], request: QuoteRequest, name: str
) -> Candidate:
    """Read more ticks until no path that is not exact could be better than the best that is.

    Raise NoRoute and BelowMinimum, which say whose pools (``name``), and as ``PoolBook.widen``.
    """
    while (best := market.best(paths, request.amount)) is not None and best.unknown:
        for pool, zero_for_one in best.unknown:
            live = market.states[pool.address]
            if isinstance(live, V3Live):
                market.states[pool.address] = await book.widen(head, pool, live, zero_for_one)
    symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
    if best is None:
        if market.connects(paths):
            raise NoRoute(f"no path of {name} pools between {symbols} takes this amount")
        raise NoRoute(f"no path of {name} pools joins {symbols}")
    if not best.output:
        raise BelowMinimum("the output would be less than one unit", market.smallest(paths, request.amount))
    return best
