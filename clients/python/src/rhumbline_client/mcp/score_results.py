"""What the tool for track records answers."""

from rhumbline_client.mcp.results import Result
from rhumbline_client.mcp.texts import Text


class Scorecard(Result):
    """An exchange or bridge on one pair of chains, on one day."""

    tool: Text
    day: str | None
    """In UTC."""
    from_chain_id: int
    to_chain_id: int
    asked: int
    """Requests in which it was asked."""
    answered: int
    """Those to which it gave an amount."""
    built: int
    """Those for which its transaction was made and ran well; only the best few are tried."""
    won: int
    """Those whose answer was its transaction."""
    refusals: dict[str, int]
    """Why it gave nothing, by reason."""
    executed: int
    """Transactions that were seen on their chain."""
    completed: int
    failed: int
    """Refunded, recovered or lost. Others are under way."""
    senders: int
    """Different wallets that sent them."""
    measured: int
    """Those whose chain shows how much arrived."""
    deviation_bps: str | None
    """Median of delivered less quoted, in ten-thousandths of what was quoted; below zero where less arrived."""
    promised_seconds: int | None
    """Median of what a bridge had estimated."""
    taken_seconds: int | None
    """Median of what the same transfers took."""


class TrackRecord(Result):
    """What enough measured transactions of the last 30 days cost a tool in the recommended order."""

    tool: Text
    from_chain_id: int
    to_chain_id: int
    senders: int
    cost_bps: str


class Scorecards(Result):
    """How exchanges and bridges did, those with most transactions first."""

    scorecards: list[Scorecard]
    found: int
    """How many there are of what was asked for."""
    complete: bool
    """False if the service has more: ask for fewer days, or a pair of chains."""
    track_records: list[TrackRecord]
    most_cost_bps: str
    """The most that a track record costs in the order, in ten-thousandths; 0 for nothing."""

    def in_words(self) -> str:
        """Return how many there are, and what the first few did."""
        few = "; ".join(
            f"{each.tool} {each.from_chain_id} to {each.to_chain_id}: {each.answered} of {each.asked} answered, "
            f"{each.completed} completed, {each.failed} failed"
            for each in self.scorecards[:3]
        )
        return f"{self.found} scorecards, {len(self.scorecards)} are answered. {few}".strip()
