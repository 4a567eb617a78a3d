"""What an agent is told when a tool cannot do what it was called for: what is wrong, and what to do."""

from rhumbline_client.errors import KeyRefused, RateLimited, RhumblineError, ServiceError, Unreachable
from rhumbline_client.mcp.texts import plain

KEY_VARIABLE = "RHUMBLINE_API_KEY"
MOST_FAULTS = 8
NOT_ASKED = frozenset({"excluded", "disabled", "unsupported"})


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
    reasons = [each for each in _reasons(error) if each not in told[0]]
    told += [f"- {each}" for each in reasons[:MOST_FAULTS]]
    if len(reasons) > MOST_FAULTS:
        told.append(f"- and {len(reasons) - MOST_FAULTS} more")
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


def _reasons(error: ServiceError) -> list[str]:
    """Return the faults, or the reasons of the adapters that were asked: others say nothing about this trade."""
    adapters = error.details.get("adapters") if isinstance(error.details, dict) else None
    if not isinstance(adapters, list):
        return [plain(each) for each in error.faults]
    asked = [each for each in adapters if isinstance(each, dict) and each.get("kind") not in NOT_ASKED]
    return [f"{plain(each.get('adapter'))}: {plain(each.get('reason'))}" for each in asked]
