"""Orders one by one, each on the same state, with what each of them delivers."""

from collections.abc import AsyncIterator, Sequence

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.devnet.evm.nodes import go_back
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture

Order = tuple[str, str, int]


async def delivered_as_quoted(
    through: AdapterFixture, orders: Sequence[Order]
) -> AsyncIterator[tuple[SwapPlan, float]]:
    """Quote and swap each order: it delivers what was quoted, and leaves nothing with the Executor.

    Yields the plan and the gas used, as a part of what was quoted, before the chain is put back.
    """
    for origin, destination, amount in orders:
        mark = await through.rpc.call("evm_snapshot", [])
        quote = await through.quote(origin, destination, amount, STRANGER)
        assert isinstance(quote.payload, SwapPlan)
        gained, gas = await through.swap(quote)
        assert gained == quote.output_amount
        assert quote.gas_units is not None
        for token in through.tokens.values():
            assert await through.balance(token, str(through.chain.executor)) == 0
        yield quote.payload, gas / quote.gas_units
        await go_back(through.rpc, mark)
