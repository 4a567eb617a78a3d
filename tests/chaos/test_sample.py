"""A seeded sample of `make chaos`: one spell of trouble, a frozen leader, and no record is amiss."""

from pathlib import Path

from chaos.campaign import Plan, campaign
from chaos.rows.nodes import result_of

PLAN = Plan(seed=20_261_124, transactions=16, spells=1, trouble_s=9.0, calm_s=0.0, processes=2, kills=False)


async def test_nodes_that_lie_and_a_frozen_leader_lose_nothing(tmp_path: Path) -> None:
    async with campaign(PLAN, tmp_path) as running:
        verdict = await running.run()
        result = result_of(running, verdict)
        assert running.done["leaders frozen"] == 1
        for endpoints in running.world.endpoints.values():
            assert sum(count for each in endpoints for way, count in each.counts.items() if way != "honest")
    assert verdict.is_good, verdict
    # What a sample leaves out is missed.
    assert list(result.faults()) == ["not done: processes killed", "not done: store cut off"]
    assert sum(verdict.sent.values()) == PLAN.transactions
    assert len(verdict.waits) == 2
