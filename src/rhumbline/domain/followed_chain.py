"""How a chain is followed, as every process sees it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FollowedChain:
    """How a chain is followed: the leader's process name, None if there is none or the store cannot be reached.

    ``head`` is its newest block or slot as the leader's node tells it, ``next_block`` the one to be read next, and
    neither has moved for ``still_s``.
    """

    leader: str | None = None
    head: int | None = None
    next_block: int | None = None
    still_s: float | None = None

    @property
    def behind(self) -> int | None:
        """How many blocks exist that are not indexed yet; at rest the number of required confirmations."""
        return None if self.head is None or self.next_block is None else max(self.head + 1 - self.next_block, 0)
