"""What Solana itself proves of a transfer: its deposit, its fill, its refund."""

from dataclasses import dataclass
from struct import Struct

from rhumbline.adapters.across.blocks import Block
from rhumbline.adapters.across.bytes32 import to_word
from rhumbline.adapters.across.logs import Deposited, Filled, Log, Refunds
from rhumbline.adapters.across.proof import agrees
from rhumbline.adapters.across.svm.events import deposits_in, fills_in, refunds_in
from rhumbline.adapters.across.svm.fill_search import FillSearches
from rhumbline.adapters.across.svm.pool_state import CLOCK, read_time
from rhumbline.adapters.across.svm.program import LARGEST_U64, fill_of, named, relay_hash
from rhumbline.adapters.across.transfer_ends import FILLED, SLOW_FILL_REQUESTED, Ends, FillState, Found
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import encode_address

_FILL = Struct("<8sB")
_IS_FILL = named("account", "FillStatusAccount")


@dataclass(frozen=True, slots=True)
class SvmOrigin:
    """The chain of a deposit, where a node of ours is."""

    rpc: SvmRpc
    ends: Ends

    async def deposit(self, transfer: Transfer) -> Found | None:
        """Find the transfer's deposit in its transaction; see ``Origin``."""
        found = await _executed(self.rpc, transfer.tx_hash)
        if found is None:
            return None
        pool = self.ends.from_pool
        told = deposits_in(found, pool.spoke_pool, pool.chain_id)
        own = next((each for each in told if agrees(each, self.ends, transfer)), None)
        time = int(transfer.started_at.timestamp()) if found.block_time is None else found.block_time
        return None if own is None else Found(own, Block(found.slot, time))

    async def refund(self, found: Found, named_in: str | None) -> Refunds | None:
        """Look for the refund in the transaction named; one that nobody names is not searched for."""
        executed = None if named_in is None else await _executed(self.rpc, named_in)
        told = () if executed is None else refunds_in(executed, self.ends.from_pool.spoke_pool)
        return next((each for each in told if _is_own(each, found.deposited)), None)


@dataclass(frozen=True, slots=True)
class SvmDestination:
    """The chain of a fill, where a node of ours is; ``searches`` are those of fills that are not found yet."""

    rpc: SvmRpc
    ends: Ends
    searches: FillSearches

    async def look(self, found: Found) -> FillState | None:
        """Read the account in which the pool keeps a relay's state; see ``Destination``.

        The account may be closed after the deadline. So only a fill that is found counts as one, and that there is none
        only before the deadline, or while the account says so.
        """
        deposited = found.deposited
        if deposited.relay.output_amount > LARGEST_U64:
            return None
        address = self._account(deposited)
        state = await self.rpc.accounts([address, CLOCK])
        try:
            head = Block(state.slot, read_time(state.found[CLOCK]))
        except UpstreamFailed:
            return None
        status = self._status(state.found[address])
        if status is None and head.time <= deposited.relay.fill_deadline:
            status = 0
        if status in (FILLED, None):
            return None if await self.fill(found, head) is None else FillState(FILLED, head)
        return FillState(status, head)

    async def fill(self, found: Found, head: Block) -> Filled | None:
        """Find the fill among the transactions that name its account, or go on with the search for it."""

        def own_fill(executed: ExecutedTransaction) -> Filled | None:
            told = fills_in(executed, self.ends.to_pool.spoke_pool) if executed.slot <= head.number else ()
            return next((each for each in told if each.relay == found.deposited.relay), None)

        return await self.searches.find(self.rpc, self._account(found.deposited), own_fill)

    async def fill_in(self, found: Found, signature: str) -> Filled | None:
        """Look for the fill of a deposit in one transaction."""
        executed = await _executed(self.rpc, signature)
        told = () if executed is None else fills_in(executed, self.ends.to_pool.spoke_pool)
        return next((each for each in told if each.relay == found.deposited.relay), None)

    async def brought(self, found: Found, fill: Filled) -> tuple[Log, ...] | None:
        """Tell nothing: there is no Receiver."""
        return None

    def _account(self, deposited: Deposited) -> str:
        pool = self.ends.to_pool
        return fill_of(pool.spoke_pool, relay_hash(deposited.relay, pool.chain_id))

    def _status(self, account: Account | None) -> int | None:
        if account is None or account.owner != self.ends.to_pool.spoke_pool or len(account.data) < _FILL.size:
            return None
        kind, status = _FILL.unpack_from(account.data)
        return status if kind == _IS_FILL and status in (0, SLOW_FILL_REQUESTED, FILLED) else None


def _is_own(refunds: Refunds, deposited: Deposited) -> bool:
    """Tell whether the depositor got at least the deposit back, and at once."""
    relay = deposited.relay
    if refunds.deferred or to_word(refunds.token) != relay.input_token:
        return False
    return refunds.sums.get(encode_address(relay.depositor), 0) >= relay.input_amount


async def _executed(rpc: SvmRpc, signature: str) -> ExecutedTransaction | None:
    """Return a transaction that succeeded; None for any other. Raise NodeUnavailable."""
    try:
        found = await rpc.transaction(signature)
    except SvmRpcError:
        return None
    return found if found is not None and found.error is None else None
