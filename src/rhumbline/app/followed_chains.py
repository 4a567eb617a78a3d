"""How far each served chain is followed, by the leases in the store: the same in every process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.domain.chain import Chain
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.tracking.leadership import Loop, lease_name


@dataclass(frozen=True, slots=True)
class FollowedChains:
    """Reads the data of the last heartbeat; makes no request."""

    leases: Leases
    chains: Sequence[Chain]

    def __call__(self) -> Mapping[str, FollowedChain]:
        """Return every chain by its key."""
        states, found = self.leases.states(), dict[str, FollowedChain]()
        for chain in self.chains:
            state = states.get(lease_name(chain.id, Loop.EVENTS))
            if state is None:
                found[chain.key] = FollowedChain()
            else:
                leader = state.holder if state.left_s > 0 else None
                found[chain.key] = FollowedChain(leader, state.head, state.next_block, state.still_s)
        return found
