"""What a header's Bloom filter says of our events."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.evm.abi import topic
from rhumbline.tracking.evm.log_bloom import SIZE, bits, may_hold
from tests.tracking.conftest import new_id
from tests.tracking.market import Market

ENTRIES = st.binary(min_size=20, max_size=32)
OURS, TOPIC = b"\xd1" * 20, topic("Swapped()")


def filter_of(*entries: bytes) -> bytes:
    held = 0
    for entry in entries:
        held |= bits(entry)
    return held.to_bytes(SIZE)


@given(st.lists(ENTRIES, max_size=40))
def test_what_a_block_holds_its_filter_speaks_for(others: list[bytes]) -> None:
    assert may_hold(filter_of(*others, OURS, TOPIC), OURS, [topic("Other()"), TOPIC])


@given(st.lists(ENTRIES, max_size=40))
def test_without_one_of_the_bits_it_does_not(others: list[bytes]) -> None:
    held = int.from_bytes(filter_of(*others, OURS, TOPIC))
    for entry in (OURS, TOPIC):
        rest = held & ~(bits(entry) & -bits(entry))
        assert not may_hold(rest.to_bytes(SIZE), OURS, [TOPIC])


@given(ENTRIES)
def test_an_entry_has_three_bits_at_the_most(entry: bytes) -> None:
    assert 1 <= bits(entry).bit_count() <= 3
    assert bits(entry) < 1 << 2048


def test_a_filter_that_tells_nothing_speaks_for_nothing() -> None:
    whole = filter_of(OURS, TOPIC)
    for bloom in (b"", b"\0" * SIZE, b"\xff" * SIZE, whole[1:], whole + b"\0", b"\xff" * 193 + whole[193:]):
        assert not may_hold(bloom, OURS, [TOPIC])


async def test_a_chain_makes_them_the_same_way(market: Market) -> None:
    receipt = await market.receipt(await market.swap(new_id(market.accounts[0])))
    assert isinstance(receipt["logs"], list)
    for log in receipt["logs"]:
        entries = [bytes.fromhex(each[2:]) for each in (log["address"], *log["topics"])]
        bloom = bytes.fromhex(str(receipt["logsBloom"])[2:])
        assert all(may_hold(bloom, entries[0], [each]) for each in entries[1:])
