"""The input for an output, as upstreams that take the output find it: from their own prices, to a millionth."""

from collections.abc import Awaitable, Callable

from rhumbline.devnet.upstreams.trades import NoMarket

_CLOSE = 1_000_000
_MOST_STEPS = 24


async def input_for(output: int, given: Callable[[int], Awaitable[int]]) -> int:
    """Return an input for which ``given`` gives ``output`` or a millionth more; raise NoMarket where none does.

    ``given`` must not fall. Each step is proportional, or halves the interval that is known to have it.
    """
    short, enough = 0, None
    amount = output
    for _ in range(_MOST_STEPS):
        got = await given(amount)
        if output <= got <= output + output // _CLOSE:
            return amount
        if got < output:
            short = max(short, amount)
        else:
            enough = amount if enough is None else min(enough, amount)
        amount = max(-(-amount * output // max(got, 1)), short + 1)
        if enough is not None and amount >= enough:
            amount = (short + enough) // 2
            if amount == short:
                return enough
    if enough is None:
        raise NoMarket(f"no input gives {output}")
    return enough
