"""Quotes from local state against the contracts themselves, to the wei."""

import os
import random
from itertools import pairwise

from rhumbline.gateways.evm.abi import decode_args, encode_call
from rhumbline.gateways.nodes.evm.rpc import RpcError, hex_bytes
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import HIGHEST_LIMIT, LOWEST_LIMIT
from rhumbline.liquidity.kinds.unswappable import TicksUnknown, Unswappable
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3Swap
from rhumbline.liquidity.paths import pairs_on, token_paths
from rhumbline.liquidity.snapshots import PoolBook
from tests.adapters.onchain.adapter_fixture import AdapterFixture, quoter_call

QUOTES = int(os.environ.get("POOL_QUOTES", "1000"))
BATCH = 100


def router_call(adapter_fixture: AdapterFixture, token_in: str, token_out: str, amount: int) -> dict[str, str]:
    data = encode_call("getAmountsOut(uint256,address[])", ["uint256", "address[]"], [amount, [token_in, token_out]])
    return {"to": adapter_fixture.contracts["uniswap_v2_router"], "data": "0x" + data.hex()}


def v2_output(answer: object) -> int:
    (outputs,) = decode_args(["uint256[]"], hex_bytes(answer))
    assert isinstance(outputs, tuple | list)
    return int(outputs[1])


def v3_output(answer: object) -> tuple[int, int]:
    output, price = decode_args(["uint256", "uint160"], hex_bytes(answer))
    return int(str(output)), int(str(price))


def tried(state: V3Pool, zero_for_one: bool, amount: int) -> V3Swap | TicksUnknown | Unswappable:
    try:
        return state.curve(zero_for_one).swap(amount)
    except (TicksUnknown, Unswappable) as refusal:
        return refusal


async def test_random_quotes_are_the_contracts_answers(adapter_fixture: AdapterFixture) -> None:
    """Any pool, either direction, from next to nothing to more than the pool takes."""
    dice = random.Random(20261121)
    decimals_of = {token.address: token.decimals for symbol, token in adapter_fixture.tokens.items() if symbol != "ETH"}
    book = PoolBook(adapter_fixture.rpc, adapter_fixture.deployment, lambda: 0.0)
    snapshot = await book.newest()
    head = snapshot.head
    finder = PoolFinder(adapter_fixture.rpc, adapter_fixture.deployment, lambda: 0.0)
    found = await finder.find(pairs_on((a, b) for a in decimals_of for b in decimals_of if a != b))
    pools = sorted((pool for each in found.values() for pool in each), key=lambda pool: pool.address)
    assert len(pools) == 12
    states = await book.states(snapshot, pools)

    questions: list[tuple[Pool, bool, int]] = []
    for _ in range(QUOTES):
        pool, zero_for_one = dice.choice(pools), dice.random() < 0.5
        decimals = decimals_of[pool.token0 if zero_for_one else pool.token1]
        questions.append((pool, zero_for_one, int(10 ** dice.uniform(decimals // 3, decimals + 7))))

    refused = crossing = 0
    for start in range(0, QUOTES, BATCH):
        part = questions[start : start + BATCH]
        calls = []
        for pool, zero_for_one, amount in part:
            token_in, token_out = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
            call = (
                router_call(adapter_fixture, token_in, token_out, amount)
                if pool.kind is PoolKind.V2
                else quoter_call(adapter_fixture, token_in, token_out, pool.fee, amount)
            )
            calls.append(("eth_call", [call, hex(head.number)]))
        answers = await adapter_fixture.rpc.batch(calls)
        for (pool, zero_for_one, amount), answer in zip(part, answers, strict=True):
            state = states[pool.key]
            if isinstance(state, V2State):
                assert state.output(amount, zero_for_one) == v2_output(answer)
                continue
            assert isinstance(state, V3Pool)
            while isinstance(swap := tried(state, zero_for_one, amount), TicksUnknown):
                states.update(await book.widen(snapshot, [(pool, state, zero_for_one)]))
                state = states[pool.key]
                assert isinstance(state, V3Pool)
            if isinstance(swap, V3Swap):
                assert (swap.output, swap.sqrt_price) == v3_output(answer)
                crossing += swap.crossed > 0
            elif not isinstance(answer, RpcError):
                # The contract stopped at the price limit, so it did not take the whole amount.
                assert v3_output(answer)[1] == (LOWEST_LIMIT if zero_for_one else HIGHEST_LIMIT)
                refused += 1
    assert refused > QUOTES // 40
    assert crossing > QUOTES // 40


async def test_no_quote_is_below_the_best_path_that_the_quoter_knows(adapter_fixture: AdapterFixture) -> None:
    """Every path, every pool, asked of the contracts one hop after the other."""
    for origin, destination, amount in (
        ("USDT", "WBTC", 10**9), ("DAI", "USDT", 10**23), ("WBTC", "USDC", 10**8), ("WETH", "USDC", 10**20),
    ):  # fmt: skip
        outputs = []
        tokens = adapter_fixture.tokens[origin].address, adapter_fixture.tokens[destination].address
        for path in token_paths(*tokens, (token.address for token in adapter_fixture.deployment.anchors)):
            reached = amount
            for token_in, token_out in pairwise(path):
                reached = await best_hop(adapter_fixture, token_in, token_out, reached) if reached else 0
            outputs.append(reached)
        assert len(outputs) > 3
        assert (await adapter_fixture.quote(origin, destination, amount)).output_amount >= max(outputs)


async def best_hop(adapter_fixture: AdapterFixture, token_in: str, token_out: str, amount: int) -> int:
    """The most that any one pool of a pair gives, 0 without pools."""
    calls = [quoter_call(adapter_fixture, token_in, token_out, fee, amount) for fee in (100, 500, 3000)]
    calls.append(router_call(adapter_fixture, token_in, token_out, amount))
    *v3, v2 = await adapter_fixture.rpc.batch([("eth_call", [call, "latest"]) for call in calls])
    outputs = [v3_output(answer)[0] for answer in v3 if not isinstance(answer, RpcError)]
    if not isinstance(v2, RpcError):
        outputs.append(v2_output(v2))
    return max(outputs, default=0)
