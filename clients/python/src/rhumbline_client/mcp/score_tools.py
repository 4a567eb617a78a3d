"""The tool for track records: what exchanges and bridges answered, and what became of it."""

from rhumbline_client import models
from rhumbline_client.mcp.arguments import ScoresAsked
from rhumbline_client.mcp.score_results import Scorecard, Scorecards, TrackRecord
from rhumbline_client.mcp.service import Service


async def scorecards(service: Service, asked: ScoresAsked) -> Scorecards:
    """Tell how exchanges and bridges did.

    Raises:
        ToolFailure: a chain is not known.

    """
    here = None if asked.from_chain is None else await service.catalog.chain("from_chain", asked.from_chain)
    there = None if asked.to_chain is None else await service.catalog.chain("to_chain", asked.to_chain)
    found = await service.client.scorecards(
        days=asked.days,
        adapters=asked.tools,
        source_chain_id=None if here is None else here.id,
        dest_chain_id=None if there is None else there.id,
    )
    busiest = sorted(found.scorecards, key=lambda each: (each.executions.executed, each.requests.asked), reverse=True)
    return Scorecards(
        scorecards=[_scorecard(each) for each in busiest[: asked.limit]],
        found=len(busiest),
        complete=found.complete,
        track_records=[_track_record(each) for each in found.track_records],
        most_cost_bps=format(found.most_cost_bps, "f"),
    )


def _scorecard(found: models.ScorecardEntry) -> Scorecard:
    requests, executions = found.requests, found.executions
    return Scorecard(
        tool=found.adapter,
        day=None if found.day is None else found.day.isoformat(),
        from_chain_id=found.source_chain_id,
        to_chain_id=found.dest_chain_id,
        asked=requests.asked,
        answered=requests.answered,
        built=requests.built,
        won=requests.won,
        refusals=requests.refusals,
        executed=executions.executed,
        completed=executions.completed,
        failed=executions.failed,
        senders=executions.senders,
        measured=executions.measured,
        deviation_bps=None if executions.deviation_bps is None else format(executions.deviation_bps, "f"),
        promised_seconds=executions.promised_seconds,
        taken_seconds=executions.taken_seconds,
    )


def _track_record(found: models.TrackRecordEntry) -> TrackRecord:
    return TrackRecord(
        tool=found.adapter,
        from_chain_id=found.source_chain_id,
        to_chain_id=found.dest_chain_id,
        senders=found.senders,
        cost_bps=format(found.cost_bps, "f"),
    )
