"""What quotes read from a Solana chain and share: slot state for a slot, epoch data for a minute.

What protects money is a run, and that is always of the node's present state (docs/decisions/0049).
"""

from collections.abc import Sequence

from rhumbline.gateways.nodes.svm.answers import AccountsAt, Blockhash, Epoch, PriorityFee
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.account import Rent

LARGEST_DATA = 10_000
"""In bytes, per account: order books have millions, and their programs hold no wallet's tokens."""
_EPOCH_S = 60.0
_FEES_S = 10.0
"""A node returns the prices of 150 slots, half a minute or a minute: after so long most of them are the same."""
_EPOCH = "epoch"


class SharedState(SvmState):
    """Like ``SvmState``, from this slot or the one before; of larger accounts only the first 10,000 bytes."""

    async def page(self, addresses: Sequence[str], *, anew: bool = False) -> AccountsAt:
        """Return up to 100 accounts of one slot; ``anew`` reads them now, even if they are cached."""

        async def look() -> AccountsAt:
            return await self.rpc.accounts(addresses, most_bytes=LARGEST_DATA)

        found = await self.rpc.moment.accounts(frozenset(addresses), look, self.rpc.pace.block_s, anew=anew)
        return AccountsAt(found.slot, {address: found.found[address] for address in addresses})

    async def blockhash(self) -> Blockhash:
        return await self.rpc.moment.answer_to("blockhash", self.rpc.latest_blockhash, self.rpc.pace.block_s)

    async def epoch(self) -> Epoch:
        return await self.rpc.moment.answer_to(_EPOCH, self.rpc.epoch, _EPOCH_S)

    def forget_epoch(self) -> None:
        """Have the epoch read again: it has ended, or contradicts other answers."""
        self.rpc.moment.forget(_EPOCH)

    async def rent(self) -> Rent:
        return await self.rpc.moment.answer_to("rent", self.rpc.rent, _EPOCH_S)

    async def priority_fees(self, accounts: Sequence[str] = ()) -> tuple[PriorityFee, ...]:
        """Return the recent priority fees, by slot, for write locks on all of up to 128 accounts."""
        locked = tuple(sorted(accounts))
        return await self.rpc.moment.answer_to(("fees", locked), lambda: self.rpc.priority_fees(locked), _FEES_S)
