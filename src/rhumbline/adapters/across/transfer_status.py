"""How a transfer stands: from the chains where nodes of ours can tell, else from the API.

| the API says | means |
|---|---|
| ``pending``, ``slowFillRequested``, ``deposit-pending`` | on its way |
| ``filled``, ``slowFilled`` | arrived; with ``actionsSucceeded`` false, recovered |
| ``expired`` | to be refunded |
| ``refunded`` | refunded |
| ``deposit-failed`` | failed |

Source: across-protocol/indexer, ``a28c9a5`` of 2026-02-06, read 2026-11-21. Any other word is on its way.

The indexer keeps a fill under the number of the deposit that it claims to fill, whether there is such a deposit or not,
and anybody can have a pool emit one. Asked by number it is believed only where it names our transaction.

With a destination call "arrived" is only half of it: the Receiver's event tells how the call ended. Where a node of the
destination can show it, the API's words end nothing; where there is no such node they count as in the table.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from rhumbline.adapters.across.client import deposit_status
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.fill_outcome import deposit_shown, filled, filled_and_called
from rhumbline.adapters.across.logs import Filled
from rhumbline.adapters.across.proof import FILLED, SLOW_FILL_REQUESTED, Ends, EvmDestination, EvmOrigin, Found
from rhumbline.adapters.across.svm.fill_search import FillSearches
from rhumbline.adapters.across.svm.proof import SvmDestination, SvmOrigin
from rhumbline.adapters.across.wire import DepositStatus
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable
from rhumbline.domain.expectations import expect
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.upstreams.spec import AdapterContext

T = TypeVar("T")
Origin: TypeAlias = EvmOrigin | SvmOrigin
Destination: TypeAlias = EvmDestination | SvmDestination

STATES: Mapping[str, TransferState] = MappingProxyType(
    {
        "pending": TransferState.BRIDGE_PENDING,
        "slowFillRequested": TransferState.BRIDGE_PENDING,
        "deposit-pending": TransferState.BRIDGE_PENDING,
        "filled": TransferState.SUCCESS,
        "slowFilled": TransferState.SUCCESS,
        "expired": TransferState.REFUND_PENDING,
        "refunded": TransferState.REFUNDED,
        "deposit-failed": TransferState.BRIDGE_FAILED,
    }
)
"""The API's words; any other is BRIDGE_PENDING."""
SEARCH_S = 5.0
"""For how long a fill's event is looked for, whose effect is known already; a status has 20 seconds in all."""
REFUND_SEARCH_S = 12.0
"""The same for a refund's: hours of blocks after the deadline."""
_LONGEST = 128
_ARRIVED = frozenset({TransferState.SUCCESS, TransferState.RECOVERED})
_UNKNOWN = TransferStatus(TransferState.UNKNOWN, StatusSource.UNKNOWN)


@dataclass(frozen=True, slots=True)
class StatusLookup:
    """One transfer, and what can tell of it; the searches for a fill's and for a refund's event have their bounds.

    ``searches`` remember how far those for fills on Solana are.
    """

    context: AdapterContext[Deployment]
    transfer: Transfer
    searches: FillSearches = field(default_factory=FillSearches)
    search_s: float = SEARCH_S
    refund_search_s: float = REFUND_SEARCH_S

    async def status(self) -> TransferStatus:
        """Tell how it stands; raise an AdapterError, NodeUnavailable or NodeRefused.

        A transfer whose deposit does not agree with what is known of it is UNKNOWN, and the API is not asked: it would
        tell of somebody else's.
        """
        ends = self._ends()
        if ends is None:
            return _UNKNOWN
        origin = self._origin(ends)
        if origin is None:
            return await self._said_of_transaction(ends)
        found = await origin.deposit(self.transfer)
        if found is None:
            return _UNKNOWN
        proved = await self._proved(ends, origin, found)
        status = proved if proved is not None else await self._said_by_bridge(ends, found)
        return replace(status, names=(_name(ends, found.deposited.relay.deposit_id), *status.names))

    def _ends(self) -> Ends | None:
        ids = self.transfer.origin_chain_id, self.transfer.destination_chain_id
        origin, destination = (self.context.chains.get(chain) for chain in ids)
        from_pool, to_pool = (self.context.deployments.get(chain) for chain in ids)
        if origin is None or destination is None or from_pool is None or to_pool is None:
            return None
        return Ends(origin, destination, from_pool, to_pool)

    def _origin(self, ends: Ends) -> Origin | None:
        evm, svm = self.context.rpcs.get(ends.origin.id), self.context.svm_rpcs.get(ends.origin.id)
        if svm is not None:
            return SvmOrigin(svm, ends)
        return None if evm is None else EvmOrigin(evm, ends)

    def _destination(self, ends: Ends) -> Destination | None:
        evm, svm = self.context.rpcs.get(ends.destination.id), self.context.svm_rpcs.get(ends.destination.id)
        if svm is not None:
            return SvmDestination(svm, ends, self.searches)
        return None if evm is None else EvmDestination(evm, ends)

    async def _proved(self, ends: Ends, origin: Origin, found: Found) -> TransferStatus | None:
        """Tell from the destination's chain; None where no node of ours can."""
        destination = self._destination(ends)
        try:
            seen = None if destination is None else await destination.look(found)
        except (NodeUnavailable, NodeRefused):
            return None
        if destination is None or seen is None:
            return None
        if seen.status == FILLED:
            fill = await self._searched(destination.fill(found, seen.head))
            if fill is None:
                fill = await self._searched(self._hinted(destination, ends, found))
            return await self._filled(destination, found, fill)
        if seen.head.time > found.deposited.relay.fill_deadline:
            # No pool takes a fill after the deadline, so this one will never come.
            return await self._expired(ends, origin, found)
        word = "slowFillRequested" if seen.status == SLOW_FILL_REQUESTED else "pending"
        return _proof(TransferState.BRIDGE_PENDING, word, found)

    async def _filled(self, destination: Destination, found: Found, fill: Filled | None) -> TransferStatus:
        """Tell of a fill, and of the call that it had to make."""
        call = self.transfer.destination_call
        if call is None:
            return filled(found.deposited, fill)
        logs = None if fill is None else await self._searched(destination.brought(found, fill))
        return filled_and_called(self.transfer, call, found.deposited, fill, logs)

    async def _searched(self, search: Coroutine[Any, Any, T | None]) -> T | None:
        """Return what a search finds; None where it takes too long or a node fails: the fill is proved without it."""
        try:
            async with asyncio.timeout(self.search_s):
                return await search
        except (NodeUnavailable, NodeRefused, TimeoutError):
            return None

    async def _hinted(self, destination: Destination, ends: Ends, found: Found) -> Filled | None:
        """Look for the fill where the API says that it is, if the node has no logs of that time."""
        try:
            told = await self._ask(ends, found)
        except AdapterError:
            return None
        hash_ = None if told is None else told.fill_tx
        return None if hash_ is None else await destination.fill_in(found, hash_)

    async def _expired(self, ends: Ends, origin: Origin, found: Found) -> TransferStatus:
        """Tell of the refund of a deposit that nobody filled: by the API, and while it is silent by the pool's events.

        The API links refunds to deposits; its word is checked on the origin where it names the transaction. That the
        deposit expired is proved: a node that fails now leaves it at that.
        """
        waiting = _proof(TransferState.REFUND_PENDING, "expired", found)
        try:
            told = await self._ask(ends, found)
        except AdapterError:
            told = None
        if told is not None and STATES.get(told.status) is not TransferState.REFUNDED:
            return waiting
        try:
            async with asyncio.timeout(self.refund_search_s):
                # Where the API says that it is; where the API says nothing, by its event.
                nowhere = told is not None and told.refund_tx is None
                refund = None if nowhere else await origin.refund(found, None if told is None else told.refund_tx)
        except (NodeUnavailable, NodeRefused, TimeoutError):
            return waiting
        if refund is not None:
            # Where the API does not link the two, one refund may look like that of several deposits.
            names = (f"refund {ends.from_pool.chain_id}:{refund.tx_hash}:{refund.log_index}",) if told is None else ()
            proof = _proof(TransferState.REFUNDED, "refunded", found)
            return replace(proof, refund_tx_hash=refund.tx_hash, names=names)
        return waiting if told is None else _by_word(told)

    async def _said_by_bridge(self, ends: Ends, found: Found) -> TransferStatus:
        """Tell by the API of a deposit that was found on the origin."""
        told = await self._ask(ends, found)
        if told is None:
            return _proof(TransferState.BRIDGE_PENDING, "deposited", found)
        status = _by_word(told)
        if self.transfer.destination_call is None or self._destination(ends) is None or status.state not in _ARRIVED:
            return status
        # A node will show how the call ended; until then nothing has.
        return replace(status, state=TransferState.BRIDGE_PENDING)

    async def _ask(self, ends: Ends, found: Found) -> DepositStatus | None:
        """Ask by the deposit's number; None also for an answer that is not about a deposit of our transaction."""
        number = found.deposited.relay.deposit_id
        query = {"originChainId": str(ends.from_pool.chain_id), "depositId": str(number)}
        told = await deposit_status(self.context.http, query)
        if told is None or told.deposit_tx is None or told.deposit_tx.lower() != self.transfer.tx_hash.lower():
            return None
        if told.deposit_id is None:
            return None
        expect("deposit", told.deposit_id, number)
        self._check(ends, told)
        return told

    async def _said_of_transaction(self, ends: Ends) -> TransferStatus:
        """Tell by the API alone, where no node of ours sees the origin; one of several deposits cannot be told."""
        told = await deposit_status(self.context.http, {"depositTxnRef": self.transfer.tx_hash})
        if told is None or told.deposit_id is None or (told.pagination is not None and told.pagination.max_index > 0):
            return _UNKNOWN
        self._check(ends, told)
        return replace(_by_word(told), names=(_name(ends, told.deposit_id),))

    def _check(self, ends: Ends, told: DepositStatus) -> None:
        expect("origin", told.origin_chain_id, ends.from_pool.chain_id)
        if told.destination_chain_id is not None:
            expect("destination", told.destination_chain_id, ends.to_pool.chain_id)
        if told.deposit_tx is not None:
            expect("transaction", told.deposit_tx, self.transfer.tx_hash)


def _name(ends: Ends, deposit_id: int) -> str:
    """Return what a deposit is called on all chains: each pool numbers its own."""
    return f"{ends.from_pool.chain_id}:{deposit_id}"


def _by_word(told: DepositStatus) -> TransferStatus:
    state = STATES.get(told.status, TransferState.BRIDGE_PENDING)
    if state is TransferState.SUCCESS and told.actions_succeeded is False:
        state = TransferState.RECOVERED
    # The one text of a stranger's without a form, and so a length.
    word = told.status[:_LONGEST]
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        word,
        destination_tx_hash=told.fill_tx,
        refund_tx_hash=told.refund_tx,
        raw={
            "originChainId": told.origin_chain_id,
            "destinationChainId": told.destination_chain_id,
            "depositId": str(told.deposit_id),
            "status": word,
            "depositTxnRef": told.deposit_tx,
            "fillTxnRef": told.fill_tx,
            "depositRefundTxnRef": told.refund_tx,
        },
    )


def _proof(state: TransferState, word: str, found: Found) -> TransferStatus:
    return TransferStatus(state, StatusSource.ANALYTICS, word, raw=deposit_shown(found.deposited))
