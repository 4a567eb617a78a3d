"""How Curve's stableswap-NG pools are found, read and called; their mathematics is in ``curve.py``.

Sources, read 2026-11: https://github.com/curvefi/stableswap-ng, contracts/main/CurveStableSwapFactoryNG.vy. Anybody can
create pools there, with their own coins and rate oracles. So a pool is used only if the factory says that a known
implementation runs it, and if neither traded coin rebases (the pool counts the received amount of such a coin, which is
a unit or two less than the sent one). Of a metapool, for which the factory has no types, only the swap of its own two
coins is used.
"""

from collections.abc import Sequence
from functools import partial

from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.kind import HopKind, PlainKind, PoolFacts, PoolLookup, StateRead, address_in
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource

POOLS_A_PAIR = 4
"""The oldest of a pair, as the factory counts them: strangers can only add behind."""
REBASING = 2
_ARRAY_HEAD = 2
_WORD = 32


class CurveKind(PlainKind):
    """Two coins of a pool each. A pool's ``id`` tells their places among its coins, and how many these are."""

    hop = HopKind.EXCHANGE

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        name, types = "find_pool_for_coins(address,address,uint256)", ["address", "address", "uint256"]
        return [
            PoolLookup(Read(source.factory, encode_call(name, types, [*pair, number])), partial(_facts, source, pair))
            for number in range(POOLS_A_PAIR)
        ]

    def reads(self, pool: Pool) -> tuple[StateRead, ...]:
        size = _ARRAY_HEAD + coins_of(pool)[2]
        sizes = {"A_precise()": 1, "fee()": 1, "offpeg_fee_multiplier()": 1}
        sizes |= {"stored_rates()": size, "get_balances()": size}
        return tuple(StateRead(pool.address, selector(name), words) for name, words in sizes.items())

    def state(self, pool: Pool, answers: Sequence[bytes]) -> CurveState | None:
        """Read a state; None where an array has another length than the pool has coins."""
        index0, index1, count = coins_of(pool)
        rates, balances = _numbers(answers[3], count), _numbers(answers[4], count)
        if rates is None or balances is None:
            return None
        amplification, fee, off_peg = map(int.from_bytes, answers[:3])
        return CurveState(amplification, fee, off_peg, rates, balances, index0, index1)

    def place(self, pool: Pool, token_in: str) -> bytes:
        index0, index1, _ = coins_of(pool)
        sold, bought = (index0, index1) if pool.zero_for_one(token_in) else (index1, index0)
        return bytes.fromhex(pool.address[2:]) + bytes([sold, bought])


def coins_of(pool: Pool) -> tuple[int, int, int]:
    """Return the places of token0 and of token1 among the pool's coins, and how many these are."""
    _, *numbers = pool.id.split("/")
    index0, index1, count = map(int, numbers)
    return index0, index1, count


def _facts(source: PoolSource, pair: Pair, answer: bytes | None) -> PoolFacts | None:
    """Ask what the factory knows of a pool that it named."""
    address = address_in(answer)
    if address is None:
        return None
    names = "get_coins(address)", "get_pool_asset_types(address)", "get_implementation_address(address)"
    reads = (Read(source.factory, encode_call(name, ["address"], [address])) for name in names)
    return PoolFacts(tuple(reads), partial(_pool, source, pair, address))


def _pool(source: PoolSource, pair: Pair, address: str, answers: Sequence[bytes | None]) -> Pool | None:
    try:
        (coins,) = decode_args(["address[]"], answers[0] or b"")
        (types,) = decode_args(["uint8[]"], answers[1] or b"")
    except MalformedAnswer:
        return None
    places = [place for token in pair for place, coin in enumerate(coins) if checksummed(coin) == token]
    rebases = any(place < len(types) and types[place] == REBASING for place in places)
    if len(places) != len(pair) or rebases or address_in(answers[2]) not in source.implementations:
        return None
    name = "/".join(map(str, (address, *places, len(coins))))
    return Pool(PoolKind.CURVE, address, *pair, source=source.key, id=name)


def _numbers(answer: bytes, count: int) -> tuple[int, ...] | None:
    """Read an array of so many numbers as the ABI has it: where it begins, its length, and they themselves."""
    words = [int.from_bytes(answer[start : start + _WORD]) for start in range(0, len(answer), _WORD)]
    return tuple(words[_ARRAY_HEAD:]) if words[:_ARRAY_HEAD] == [_WORD, count] else None
