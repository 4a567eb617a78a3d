"""Who leads and sees no new head is replaced by one that does."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.lease_table import STALLED_S
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.tracking import leadership
from rhumbline.tracking.leadership import Challenge, Loop, lease_name
from tests.gateways.postgres.lease_times import still_for

NAME = lease_name(1, Loop.EVENTS)


class Node:
    """Tells a head, and counts how often it was asked."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.asked = 0

    async def latest(self) -> int:
        self.asked += 1
        return self.head


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leadership, "ASK_EVERY_S", 0.0)


async def led(engine: AsyncEngine, head: int, still_s: float) -> Leases:
    leader = Leases(engine)
    assert await leader.take(NAME)
    leader.vouch(NAME, head=head, next_block=head)
    await leader.beat()
    await still_for(engine, still_s)
    return leader


@pytest.mark.usefixtures("no_pause")
async def test_a_leader_whose_node_is_stuck_is_replaced_by_one_that_sees_more(store_engine: AsyncEngine) -> None:
    leader, heir, node = await led(store_engine, 50, STALLED_S + 1), Leases(store_engine), Node(51)
    await heir.beat()
    challenge = Challenge(heir, NAME, node)
    assert not await heir.take(NAME)
    assert not await challenge.is_won(), "the block may have come this moment"
    assert await challenge.is_won()
    assert heir.holds(NAME)
    await leader.release()
    await heir.release()


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize(("head", "still_s", "asked"), [(50, STALLED_S + 1, 3), (99, 1.0, 0)])
async def test_who_leads_a_chain_without_new_blocks_is_left_alone(
    store_engine: AsyncEngine, head: int, still_s: float, asked: int
) -> None:
    leader, heir, node = await led(store_engine, 50, still_s), Leases(store_engine), Node(head)
    await heir.beat()
    challenge = Challenge(heir, NAME, node)
    assert [await challenge.is_won() for _ in range(3)] == [False] * 3
    assert node.asked == asked
    await leader.release()
    await heir.release()


async def test_a_node_is_asked_now_and_then_only(store_engine: AsyncEngine) -> None:
    leader, heir, node = await led(store_engine, 50, STALLED_S + 1), Leases(store_engine), Node(60)
    await heir.beat()
    challenge = Challenge(heir, NAME, node)
    assert [await challenge.is_won() for _ in range(100)] == [False] * 100
    assert node.asked == 1
    await leader.release()
    await heir.release()


def test_every_chain_and_loop_has_a_lease_of_its_own() -> None:
    names = [lease_name(chain, loop) for chain in range(100) for loop in Loop]
    assert len(set(names)) == 300
