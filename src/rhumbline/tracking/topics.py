"""The topics of notices that writers of records send to those who wait for them."""

_TRANSFER = "transfer "
_LONGEST = 200
EVENTS = "events"
"""The topic of events of records, which the store itself sends."""


def completion(chain_id: int) -> str:
    """Name the topic of new records on a chain, which are to be completed."""
    return f"records {chain_id}"


def handed_out(chain_id: int) -> str:
    """Name the topic of transactions that were handed out to be sent on a chain."""
    return f"handed out {chain_id}"


def transfer(adapter: str) -> str:
    """Name the topic of transfers by a bridge that is to be asked about them now."""
    return f"{_TRANSFER}{adapter}"[:_LONGEST]


def adapter_of(topic: str) -> str | None:
    """Return whose transfers a topic is about; None for another topic."""
    return topic.removeprefix(_TRANSFER) if topic.startswith(_TRANSFER) else None
