"""The doctor's lines about what operators have set at run time: a pause is easily forgotten."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.checkups import Finding, State
from rhumbline.app.paused_places import in_words
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.duration import in_largest_unit
from rhumbline.steering.changes import steering_now


async def steering_findings(engine: AsyncEngine, chains: ChainCatalog) -> list[Finding]:
    """Return a line for each pause and for a log level, nothing without any; raise StoreUnavailable."""
    found = await steering_now(engine)
    lines = [Finding("paused", State.WARNS, in_words(pause, chains)) for pause in found.pauses.each]
    if found.log_level is not None:
        left = "until it is set again" if found.level_left_s is None else f"for {in_largest_unit(found.level_left_s)}"
        lines.append(Finding("log level", State.WARNS, f"{found.log_level} {left}, by rhumbline log-level"))
    return lines
