"""How pools of Solidly's kind are found, read and called; their mathematics is in ``solidly.py``.

Sources, read 2026-11: as ``solidly.py``. A factory has two pools of a pair, a volatile and a stable one. It sets their
fees, at any time, and can pause all of them; both are read at the block.
"""

from collections.abc import Sequence
from functools import partial

from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import HopKind, PlainKind, PoolLookup, StateRead, address_in
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.solidly import SolidlyPool, SolidlyState


class SolidlyKind(PlainKind):
    """Pools of Velodrome V2 and Aerodrome. A plan's hop asks the pool for its output."""

    hop = HopKind.STABLE_PAIR

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        types = ["address", "address", "bool"]
        return [
            PoolLookup(
                Read(source.factory, encode_call("getPool(address,address,bool)", types, [*pair, stable])),
                partial(_pool, source, pair),
            )
            for stable in (False, True)
        ]

    def reads(self, pool: Pool) -> tuple[StateRead, ...]:
        """Ask for both fees: which of them is the pool's, only its own answer tells."""
        fees = [
            encode_call("getFee(address,bool)", ["address", "bool"], [pool.address, each]) for each in (False, True)
        ]
        return (
            StateRead(pool.address, selector("metadata()"), 7),
            *(StateRead(pool.factory, fee, 1) for fee in fees),
            StateRead(pool.factory, selector("isPaused()"), 1),
        )

    def state(self, pool: Pool, answers: Sequence[bytes]) -> SolidlyPool | None:
        """Read decimals, reserves, curve, tokens, the fees and whether all is paused; refuse other tokens."""
        unit0, unit1, reserve0, reserve1, stable, *tokens = (_word(answers[0], place) for place in range(7))
        volatile_fee, stable_fee, paused = (_word(answer, 0) for answer in answers[1:])
        if paused or not unit0 or not unit1 or tokens != [int(pool.token0, 16), int(pool.token1, 16)]:
            return None
        fee = stable_fee if stable else volatile_fee
        return SolidlyPool(SolidlyState(reserve0, reserve1, unit0, unit1, fee, bool(stable)))

    def place(self, pool: Pool, _: str) -> bytes:
        return bytes.fromhex(pool.address[2:])


def _word(answer: bytes, place: int) -> int:
    return int.from_bytes(answer[32 * place : 32 * place + 32])


def _pool(source: PoolSource, pair: Pair, answer: bytes | None) -> Pool | None:
    address = address_in(answer)
    if address is None:
        return None
    return Pool(PoolKind.SOLIDLY, address, *pair, source=source.key, factory=source.factory)
