"""The input for an output, as upstreams that take the output find it: from their own prices, to a millionth."""

from collections.abc import Awaitable, Callable

from rhumbline.devnet.upstreams.trades import NoMarket

_CLOSE = 1_000_000
_MOST_STEPS = 32
_LARGEST = 2**128


async def input_for(output: int, given: Callable[[int], Awaitable[int]]) -> int:
    """Return an input for which ``given`` gives ``output`` or a millionth more; raise NoMarket where none does.

    ``given`` must not fall; for an input that is too small it may raise NoMarket. Each step is proportional, or halves
    the interval that is known to have it.
    """
    short, enough, amount = 0, _LARGEST, output
    for _ in range(_MOST_STEPS):
        got = await _given(amount, given)
        if output <= got <= output + output // _CLOSE:
            return amount
        if got < output:
            short = max(short, amount)
        else:
            enough = min(enough, amount)
        amount = -(-amount * output // got) if got else 1_000 * amount
        if not short < amount < enough:
            amount = (short + enough) // 2
        if amount == short:
            break
    if enough == _LARGEST:
        raise NoMarket(f"no input gives {output}")
    return enough


async def _given(amount: int, given: Callable[[int], Awaitable[int]]) -> int:
    try:
        return await given(amount)
    except NoMarket:
        return 0
