"""Where the manager of Uniswap V4 has a pool in its storage, and how its words are read.

Sources, read 2026-11: v4-core 1.0.2, StateLibrary.sol, Slot0.sol, Pool.sol, PoolKey.sol, PoolId.sol.
"""

from dataclasses import dataclass

from eth_utils.crypto import keccak

from rhumbline.gateways.evm.abi import encode_args, selector
from rhumbline.liquidity.kinds.kind import StateRead

_POOLS_SLOT = 6
_LIQUIDITY, _TICKS, _TICK_BITMAP = 3, 4, 5
_EXTSLOAD = selector("extsload(bytes32)")


@dataclass(frozen=True, slots=True)
class PoolKey:
    """A V4 pool's key: addresses in EIP-55 form, ``currency0`` all zeros for native; ``fee`` in millionths.

    ``hooks`` is all zeros for none.
    """

    currency0: str
    currency1: str
    fee: int
    spacing: int
    hooks: str

    @property
    def id(self) -> bytes:
        types = ["address", "address", "uint24", "int24", "address"]
        return keccak(encode_args(types, [self.currency0, self.currency1, self.fee, self.spacing, self.hooks]))


@dataclass(frozen=True, slots=True)
class Slot0:
    """A pool's price and fees. ``sqrt_price`` is 0 where there is no such pool; fees as ``V4State`` has them."""

    sqrt_price: int
    tick: int
    protocol_fee: int
    fee: int


def now_reads(manager: str, pool_id: bytes) -> tuple[StateRead, StateRead]:
    """Return the reads of slot0 and of the liquidity in use."""
    slot = _pool_slot(pool_id)
    return _read(manager, slot), _read(manager, slot + _LIQUIDITY)


def word_read(manager: str, pool_id: bytes, word: int) -> StateRead:
    """Return the read of a word of the tick bitmap, whose answer is its 256 bits."""
    return _read(manager, _mapped(word, _pool_slot(pool_id) + _TICK_BITMAP))


def tick_read(manager: str, pool_id: bytes, tick: int) -> StateRead:
    """Return the read of a tick, for ``net_of``."""
    return _read(manager, _mapped(tick, _pool_slot(pool_id) + _TICKS))


def slot0_of(data: bytes) -> Slot0:
    """Read slot0's 32 bytes: 3 unused, then the providers' fee, the protocol's, the tick, and 20 of the price."""
    return Slot0(
        int.from_bytes(data[12:32]),
        int.from_bytes(data[9:12], signed=True),
        int.from_bytes(data[6:9]),
        int.from_bytes(data[3:6]),
    )


def liquidity_of(data: bytes) -> int:
    return int.from_bytes(data[16:32])


def net_of(data: bytes) -> int:
    """Read the net liquidity of a tick, which is the upper half of its first word."""
    return int.from_bytes(data[:16], signed=True)


def _pool_slot(pool_id: bytes) -> int:
    return int.from_bytes(keccak(pool_id + _POOLS_SLOT.to_bytes(32)))


def _mapped(key: int, mapping: int) -> int:
    return int.from_bytes(keccak(key.to_bytes(32, signed=True) + (mapping % 2**256).to_bytes(32)))


def _read(manager: str, slot: int) -> StateRead:
    return StateRead(manager, _EXTSLOAD + (slot % 2**256).to_bytes(32), 1)
