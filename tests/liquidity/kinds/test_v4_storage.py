"""Pools of V4 as Ethereum has them, and words of its manager's storage."""

import pytest

from rhumbline.liquidity.kinds.kind import StateRead
from rhumbline.liquidity.kinds.v4_storage import PoolKey, Slot0, net_of, now_reads, slot0_of, tick_read, word_read

NOBODY = "0x0000000000000000000000000000000000000000"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
MANAGER = "0x000000000004444c5dc75cB358380D2e3dE08A90"


@pytest.mark.parametrize(
    ("fee", "spacing", "pool_id"),
    [
        (500, 10, "21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27"),
        (3000, 60, "dce6394339af00981949f5f3baf27e3610c76326a700af57e4b3e3ae4977f78d"),
    ],
)
def test_ids_are_those_of_ethereums_pools_of_ether_and_usdc(fee: int, spacing: int, pool_id: str) -> None:
    assert PoolKey(NOBODY, USDC, fee, spacing, NOBODY).id.hex() == pool_id


def test_a_word_of_slot0_is_read_field_by_field() -> None:
    """The word of StateLibrary.sol's own comment, with fees for the protocol as Ethereum's pools have them."""
    word = bytes.fromhex("000000000bb807d07dffff750000000000000000fe3aa841ba359daa0ea9eff7")
    assert slot0_of(word) == Slot0(0xFE3AA841BA359DAA0EA9EFF7, -139, 125 | 125 << 12, 3000)


@pytest.mark.parametrize("net", [-(2**127) + 1, -1, 0, 1, 2**127 - 1])
def test_the_net_liquidity_is_above_the_gross(net: int) -> None:
    assert net_of(net.to_bytes(16, signed=True) + b"\xff" * 16) == net


def test_no_two_reads_of_a_pool_are_of_one_slot() -> None:
    """Mappings of ticks and words with the same numbers, below zero as well."""
    pool_id = PoolKey(NOBODY, USDC, 500, 10, NOBODY).id
    reads: list[StateRead] = [*now_reads(MANAGER, pool_id)]
    for number in (-1, 0, 1, 2**15 - 1, -(2**15)):
        reads += [word_read(MANAGER, pool_id, number), tick_read(MANAGER, pool_id, number)]
    assert len({read.data for read in reads}) == len(reads)
    assert {(read.to, read.words, len(read.data)) for read in reads} == {(MANAGER, 1, 36)}
