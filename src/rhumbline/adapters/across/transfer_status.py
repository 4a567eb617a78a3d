"""The status of a transfer: from the chains that have a node, otherwise from the API.

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
from rhumbline.adapters.across.fill_outcome import deposit_evidence, filled, filled_and_called
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
"""The API's statuses; any other is BRIDGE_PENDING."""
SEARCH_S = 5.0
"""How long the event of a known fill is searched for; a status has 20 seconds in all."""
REFUND_SEARCH_S = 12.0
"""The same for a refund: hours of blocks after the deadline."""
_LONGEST = 128
_ARRIVED = frozenset({TransferState.SUCCESS, TransferState.RECOVERED})
_UNKNOWN = TransferStatus(TransferState.UNKNOWN, StatusSource.UNKNOWN)


@dataclass(frozen=True, slots=True)
class StatusLookup:
    """The status of one transfer, with bounds for the searches of a fill's and a refund's event.

    ``searches`` remember how far those for fills on Solana are.
    """

    context: AdapterContext[Deployment]
    transfer: Transfer
    searches: FillSearches = field(default_factory=FillSearches)
    search_s: float = SEARCH_S
    refund_search_s: float = REFUND_SEARCH_S

    async def status(self) -> TransferStatus:
        """Return the status; raise an AdapterError, NodeUnavailable or NodeRefused.

        A transfer whose deposit does not match the record is UNKNOWN, and the API is not asked: it would answer about
        another transfer.
        """
        ends = self._ends()
        if ends is None:
            return _UNKNOWN
        origin = self._origin(ends)
        if origin is None:
            return await self._from_api_alone(ends)
        found = await origin.deposit(self.transfer)
        if found is None:
            return _UNKNOWN
        proved = await self._proved(ends, origin, found)
        status = proved if proved is not None else await self._from_api(ends, found)
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
        """Return the status by the destination's chain; None if none of our nodes can tell."""
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
        """Return the status of a fill, and of its call."""
        call = self.transfer.destination_call
        if call is None:
            return filled(found.deposited, fill)
        logs = None if fill is None else await self._searched(destination.fill_logs(found, fill))
        return filled_and_called(self.transfer, call, found.deposited, fill, logs)

    async def _searched(self, search: Coroutine[Any, Any, T | None]) -> T | None:
        """Return the result of a search; None if it takes too long or a node fails: the fill is proved without it."""
        try:
            async with asyncio.timeout(self.search_s):
                return await search
        except (NodeUnavailable, NodeRefused, TimeoutError):
            return None

    async def _hinted(self, destination: Destination, ends: Ends, found: Found) -> Filled | None:
        """Search for the fill where the API says it is, if the node has no logs of that time."""
        try:
            answer = await self._ask(ends, found)
        except AdapterError:
            return None
        hash_ = None if answer is None else answer.fill_tx
        return None if hash_ is None else await destination.fill_in(found, hash_)

    async def _expired(self, ends: Ends, origin: Origin, found: Found) -> TransferStatus:
        """Return the refund of an unfilled deposit: by the API, and while it does not answer by the pool's events.

        The API links refunds to deposits; its word is checked on the origin where it names the transaction. That the
        deposit expired is proved: a node that fails now leaves it at that.
        """
        waiting = _proof(TransferState.REFUND_PENDING, "expired", found)
        try:
            answer = await self._ask(ends, found)
        except AdapterError:
            answer = None
        if answer is not None and STATES.get(answer.status) is not TransferState.REFUNDED:
            return waiting
        try:
            async with asyncio.timeout(self.refund_search_s):
                # At the transaction that the API names; without the API's answer, by its event.
                nowhere = answer is not None and answer.refund_tx is None
                refund = None if nowhere else await origin.refund(found, None if answer is None else answer.refund_tx)
        except (NodeUnavailable, NodeRefused, TimeoutError):
            return waiting
        if refund is not None:
            # If the API does not link the two, one refund may match several deposits.
            names = (f"refund {ends.from_pool.chain_id}:{refund.tx_hash}:{refund.log_index}",) if answer is None else ()
            proof = _proof(TransferState.REFUNDED, "refunded", found)
            return replace(proof, refund_tx_hash=refund.tx_hash, names=names)
        return waiting if answer is None else _by_word(answer)

    async def _from_api(self, ends: Ends, found: Found) -> TransferStatus:
        """Return the API's status of a deposit that was found on the origin."""
        answer = await self._ask(ends, found)
        if answer is None:
            return _proof(TransferState.BRIDGE_PENDING, "deposited", found)
        status = _by_word(answer)
        if self.transfer.destination_call is None or self._destination(ends) is None or status.state not in _ARRIVED:
            return status
        # A node will show how the call ended; until then nothing has.
        return replace(status, state=TransferState.BRIDGE_PENDING)

    async def _ask(self, ends: Ends, found: Found) -> DepositStatus | None:
        """Ask by the deposit's number; None also for an answer that is not about a deposit of our transaction."""
        number = found.deposited.relay.deposit_id
        query = {"originChainId": str(ends.from_pool.chain_id), "depositId": str(number)}
        answer = await deposit_status(self.context.http, query)
        if answer is None or answer.deposit_tx is None or answer.deposit_tx.lower() != self.transfer.tx_hash.lower():
            return None
        if answer.deposit_id is None:
            return None
        expect("deposit", answer.deposit_id, number)
        self._check(ends, answer)
        return answer

    async def _from_api_alone(self, ends: Ends) -> TransferStatus:
        """Return the API's status if no node of ours sees the origin; of several deposits the right one is unknown."""
        answer = await deposit_status(self.context.http, {"depositTxnRef": self.transfer.tx_hash})
        if (
            answer is None
            or answer.deposit_id is None
            or (answer.pagination is not None and answer.pagination.max_index > 0)
        ):
            return _UNKNOWN
        self._check(ends, answer)
        return replace(_by_word(answer), names=(_name(ends, answer.deposit_id),))

    def _check(self, ends: Ends, answer: DepositStatus) -> None:
        expect("origin", answer.origin_chain_id, ends.from_pool.chain_id)
        if answer.destination_chain_id is not None:
            expect("destination", answer.destination_chain_id, ends.to_pool.chain_id)
        if answer.deposit_tx is not None:
            expect("transaction", answer.deposit_tx, self.transfer.tx_hash)


def _name(ends: Ends, deposit_id: int) -> str:
    """Return what a deposit is called on all chains: each pool numbers its own."""
    return f"{ends.from_pool.chain_id}:{deposit_id}"


def _by_word(answer: DepositStatus) -> TransferStatus:
    state = STATES.get(answer.status, TransferState.BRIDGE_PENDING)
    if state is TransferState.SUCCESS and answer.actions_succeeded is False:
        state = TransferState.RECOVERED
    # The only text from outside without a fixed form, so its length is bounded.
    word = answer.status[:_LONGEST]
    return TransferStatus(
        state,
        StatusSource.BRIDGE_API,
        word,
        destination_tx_hash=answer.fill_tx,
        refund_tx_hash=answer.refund_tx,
        raw={
            "originChainId": answer.origin_chain_id,
            "destinationChainId": answer.destination_chain_id,
            "depositId": str(answer.deposit_id),
            "status": word,
            "depositTxnRef": answer.deposit_tx,
            "fillTxnRef": answer.fill_tx,
            "depositRefundTxnRef": answer.refund_tx,
        },
    )


def _proof(state: TransferState, word: str, found: Found) -> TransferStatus:
    return TransferStatus(state, StatusSource.ANALYTICS, word, raw=deposit_evidence(found.deposited))
