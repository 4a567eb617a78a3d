"""The storage slots of a token's balances and allowances, found by asking the token.

Every layout that is known is tried in one ``eth_call``: each candidate place is overridden with a number of its own,
and the number that the token answers names the place. Nothing is assumed from the token's name or code.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from time import monotonic

from eth_utils.crypto import keccak

from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes

_WORD = 32
_FULL = 256
# OpenZeppelin 5 upgradeable: ERC-7201 location "openzeppelin.storage.ERC20"; balances first, allowances second.
_OPENZEPPELIN = 0x52C63247E1F47DB19D5CE0460030C497F067CA4CEBF71BA98EEADABE20BACE00
_POSITIONS = (*range(21), 51, 52, 101, 102, 151, 152, _OPENZEPPELIN, _OPENZEPPELIN + 1)
_VYPER_POSITIONS = range(21)
# Solady's ERC20 (https://github.com/Vectorized/solady, src/tokens/ERC20.sol, read 2026-11): seeds instead of positions.
_SOLADY_BALANCE = 0x87A211A2
_SOLADY_ALLOWANCE = 0x7F5E9F20
_SHORTEST = 64
_KEPT = 10_000
_FORGET_MISS_S = 600.0
_SPENDER = "0x342Fa3735B633e29Ad22D52e81DaCfD254129186"


class Style(StrEnum):
    """How the place of a mapping's entry is computed."""

    SOLIDITY = "solidity"
    VYPER = "vyper"
    SOLADY = "solady"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the entries of a mapping by owner (and spender) are; ``position`` is the mapping's own slot, or a seed."""

    style: Style
    position: int

    def key(self, owner: str, spender: str | None = None) -> bytes:
        """Return the storage key of an owner's balance, or of an owner's allowance for a spender."""
        return _key(self, owner, spender)


@lru_cache(maxsize=1024)
def _key(layout: Layout, owner: str, spender: str | None) -> bytes:
    """Return a storage key; all candidates of a quote are run for the same owner."""
    keys = [bytes.fromhex(account[2:]) for account in (owner, spender) if account is not None]
    if layout.style is Style.SOLADY:
        return keccak(keys[0] + layout.position.to_bytes(12) + b"".join(keys[1:]))
    place = layout.position.to_bytes(_WORD)
    for key in keys:
        padded = key.rjust(_WORD, b"\x00")
        place = keccak(padded + place if layout.style is Style.SOLIDITY else place + padded)
    return place


@dataclass(frozen=True, slots=True)
class Slot:
    """A layout that a token uses; only the lowest ``width`` bits of the word are the number, the others are flags."""

    layout: Layout
    width: int

    def word(self, number: int, present: bytes) -> bytes | None:
        """Return the word that holds ``number`` with the flags of the ``present`` word; None when it does not fit."""
        if number >= 1 << self.width:
            return None
        flags = int.from_bytes(present) >> self.width << self.width
        return (flags | number).to_bytes(_WORD)


def layouts(solady_seed: int) -> Iterator[Layout]:
    yield from (Layout(Style.SOLIDITY, position) for position in _POSITIONS)
    yield from (Layout(Style.VYPER, position) for position in _VYPER_POSITIONS)
    yield Layout(Style.SOLADY, solady_seed)


def mark(key: bytes) -> bytes:
    """Return a slot's marker: its lowest 64 bits are unique to the slot, all others are set.

    A token that keeps flags in the upper bits answers the lower ones; the missing ones tell how many bits the flags
    have.
    """
    return b"\xff" * (_WORD - _SHORTEST // 8) + keccak(key)[-_SHORTEST // 8 :]


def recognised(marks: dict[Layout, bytes], answer: bytes) -> Slot | None:
    """Find the slot whose marker a token answered, whole or cut to its lower bits; None if there is none."""
    if len(answer) != _WORD:
        return None
    number = int.from_bytes(answer)
    for layout, word in marks.items():
        whole = int.from_bytes(word)
        for width in range(_FULL, _SHORTEST - 1, -1):
            if number == whole & ((1 << width) - 1):
                return Slot(layout, width)
    return None


class SlotFinder:
    """Finds and remembers the slots of one chain's tokens; one without a known layout is asked again after a while."""

    def __init__(self, rpc: EvmRpc) -> None:
        """Ask through ``rpc``, whose node must know state overrides in ``eth_call``."""
        self._rpc = rpc
        self._found: dict[tuple[str, bool], tuple[Slot | None, float]] = {}

    async def balance(self, token: str) -> Slot | None:
        """Return where a token keeps balances, None when it is nowhere we know; raise NodeUnavailable."""
        return await self._find(token, None, _SOLADY_BALANCE)

    async def allowance(self, token: str) -> Slot | None:
        """Return where a token keeps allowances, None when it is nowhere we know; raise NodeUnavailable."""
        return await self._find(token, _SPENDER, _SOLADY_ALLOWANCE)

    def forget(self, token: str) -> None:
        self._found.pop((token, True), None)
        self._found.pop((token, False), None)

    async def _find(self, token: str, spender: str | None, seed: int) -> Slot | None:
        place = (token, spender is None)
        known = self._found.get(place)
        if known is not None and (known[0] is not None or monotonic() < known[1]):
            return known[0]
        slot = await self._probe(token, spender, seed)
        if len(self._found) >= _KEPT:
            self._found.pop(next(iter(self._found)))
        self._found[place] = (slot, monotonic() + _FORGET_MISS_S)
        return slot

    async def _probe(self, token: str, spender: str | None, seed: int) -> Slot | None:
        call = encode_call("balanceOf(address)", ["address"], [STAND_IN])
        if spender is not None:
            call = encode_call("allowance(address,address)", ["address", "address"], [STAND_IN, spender])
        marks = {layout: mark(layout.key(STAND_IN, spender)) for layout in layouts(seed)}
        diff = {"0x" + layout.key(STAND_IN, spender).hex(): "0x" + word.hex() for layout, word in marks.items()}
        question = {"to": token, "data": "0x" + call.hex()}
        try:
            answer = await self._rpc.call("eth_call", [question, "latest", {token: {"stateDiff": diff}}])
        except RpcError:
            return None
        return recognised(marks, hex_bytes(answer))
