"""What an agent is told when a tool cannot do what it was called for: what is wrong, and what to do."""

from rhumbline_client.errors import KeyRefused, RateLimited, RhumblineError, ServiceError, Unreachable
from rhumbline_client.mcp.texts import plain

KEY_VARIABLE = "RHUMBLINE_API_KEY"
MOST_FAULTS = 8


class ToolFailure(Exception):
    """A call that failed for a reason that its caller can act on; the text is all that the agent gets."""


def words_of(error: RhumblineError) -> str:
    """Return what an agent is told of an error of the client."""
    if isinstance(error, ServiceError):
        return _service_words(error)
    if isinstance(error, Unreachable):
        return (
            f"The Rhumbline service does not answer ({plain(error)}). Nothing was changed. Try again in a minute; "
            "if it stays so, its operator, or the address that this server was started with, has to be looked at."
        )
    return plain(error)


def _service_words(error: ServiceError) -> str:
    told = [f"{plain(error.code)}: {plain(error.message)}"]
    told += [f"- {plain(fault)}" for fault in error.faults[:MOST_FAULTS] if fault not in error.message]
    if len(error.faults) > MOST_FAULTS:
        told.append(f"- and {len(error.faults) - MOST_FAULTS} more")
    if isinstance(error, KeyRefused):
        told.append(
            f"This server needs a key that is valid for this: its owner sets {KEY_VARIABLE} where it is started."
        )
    if error.retry_after is not None:
        told.append(f"Wait {error.retry_after:g} seconds before the next call.")
    elif isinstance(error, RateLimited):
        told.append("Wait a while before the next call.")
    if error.request_id:
        told.append(f"The operator finds it in the log as {plain(error.request_id)}.")
    return "\n".join(told)
