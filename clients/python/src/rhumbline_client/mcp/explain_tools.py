"""Why a request was answered as it was."""

from rhumbline_client import models
from rhumbline_client.errors import KeyRefused, NotFound
from rhumbline_client.mcp.amounts import written_of
from rhumbline_client.mcp.arguments import ExplainAsked
from rhumbline_client.mcp.failures import KEY_VARIABLE, ToolFailure
from rhumbline_client.mcp.results import Result
from rhumbline_client.mcp.service import Service
from rhumbline_client.mcp.texts import Text

MOST_NAMED = 6


class AdapterFate(Result):
    """What became of one exchange or bridge."""

    adapter: Text
    verdict: Text
    """chosen; outranked or not_built: another is better; offered: one of several answers; dropped: its quote has a
    fault; refused: it has no quote; not_asked."""
    why: Text
    output: str | None
    """What it offered, in whole tokens."""
    less_usd: str | None
    """By how much it is worth less than the chosen one, in USD."""
    milliseconds: int | None
    """How long its quote took."""


class ExplainedPart(Result):
    """What was asked of exchanges and bridges for one pair of tokens."""

    from_symbol: Text
    to_symbol: Text
    amount: str
    """In whole tokens."""
    chosen: Text | None
    adapters: list[AdapterFate]


class Explanation(Result):
    """Why a request was answered as it was."""

    request_id: str
    endpoint: Text
    at: str
    status: int
    """The answer's HTTP status; 0 if the client had left before."""
    message: Text | None
    """Why there was no answer."""
    transaction_id: str | None
    parts: list[ExplainedPart]
    """The request's own pair, and those of longer routes. Empty if it ended before any adapter was asked."""

    def in_words(self) -> str:
        """Return the choice and the first reasons against the others."""
        if not self.parts:
            return f"Status {self.status}: {self.message or 'it ended before adapters were asked'}."
        first = self.parts[0]
        against = [each for each in first.adapters if each.verdict not in ("chosen", "not_asked")]
        named = "; ".join(f"{each.adapter} {each.verdict}: {each.why}" for each in against[:MOST_NAMED])
        chosen = (
            f"{first.chosen} was chosen." if first.chosen else f"Status {self.status}. {self.message or ''}".strip()
        )
        return f"{chosen} {named}".strip()


async def explain(service: Service, asked: ExplainAsked) -> Explanation:
    """Explain a request of this server's key.

    Raises:
        ToolFailure: there is no key, or nothing is kept of the request.

    """
    try:
        found = await service.client.explain(asked.request_id)
    except NotFound:
        raise ToolFailure(
            f"Nothing is kept of {asked.request_id}. It must have been asked through this server, with its key, at "
            "least a second and (by default) at most a day ago."
        ) from None
    except KeyRefused as error:
        if error.reason == "API_KEY_MISSING":
            raise ToolFailure(
                "This server has no API key, and without one the service explains nothing: its owner sets "
                f"{KEY_VARIABLE} where it is started."
            ) from None
        raise
    return _explanation(found[0])


def _explanation(kept: models.KeptRequest) -> Explanation:
    return Explanation(
        request_id=kept.request_id,
        endpoint=kept.endpoint,
        at=kept.timestamp.isoformat(),
        status=kept.status,
        message=kept.message,
        transaction_id=kept.transaction_id,
        parts=[_part(each) for each in kept.parts],
    )


def _part(part: models.RequestPart) -> ExplainedPart:
    return ExplainedPart(
        from_symbol=part.origin_token.symbol,
        to_symbol=part.destination_token.symbol,
        amount=written_of(part.amount, part.origin_token.decimals),
        chosen=part.chosen,
        adapters=[_fate(each, part.destination_token.decimals) for each in part.adapters],
    )


def _fate(found: models.AdapterOutcome, decimals: int) -> AdapterFate:
    return AdapterFate(
        adapter=found.adapter,
        verdict=found.verdict,
        why=found.why,
        output=None if found.output_amount is None else written_of(found.output_amount, decimals),
        less_usd=None if found.less_usd is None else str(found.less_usd),
        milliseconds=found.quote_ms,
    )
