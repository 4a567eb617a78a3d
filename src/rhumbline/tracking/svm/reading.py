"""Executed transactions of a list, asked of a node a few at once."""

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.svm.answers import SignatureInfo
from rhumbline.gateways.svm.rpc import SvmRpc, SvmRpcError
from rhumbline.gateways.svm.transaction_answers import ExecutedTransaction

AT_ONCE = 8
AWAITED_FOR = timedelta(minutes=10)
"""So long a node may tell of a transaction and not have it; later it has lost it."""
_OTHER_VERSION = -32015
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """Asks for the transactions of one chain."""

    rpc: SvmRpc
    clock: Clock

    async def transactions(self, listed: Sequence[SignatureInfo]) -> list[ExecutedTransaction]:
        """Return those that can be ours: that succeeded, and are of a version that the service writes.

        Raise NodeUnavailable where a young one is wanting.
        """
        wanted = [each for each in listed if each.error is None]
        found: list[ExecutedTransaction | None] = []
        for start in range(0, len(wanted), AT_ONCE):
            found += await gather(*(self._transaction(each) for each in wanted[start : start + AT_ONCE]))
        return [each for each in found if each is not None]

    async def _transaction(self, listed: SignatureInfo) -> ExecutedTransaction | None:
        try:
            found = await self.rpc.transaction(listed.signature)
        except SvmRpcError as error:
            if error.code == _OTHER_VERSION:
                return None
            # Nodes have many codes for what they have thrown away.
            found, reason = None, str(error)
        else:
            reason = "not known"
        if found is None and self._is_young(listed):
            raise NodeUnavailable(f"{self.rpc.name}: the node tells of a transaction and does not show it ({reason})")
        if found is None:
            _log.warning("transaction forgotten by the node", chain=self.rpc.name, tx=listed.signature, reason=reason)
        return found

    def _is_young(self, listed: SignatureInfo) -> bool:
        if listed.block_time is None:
            return False
        try:
            executed_at = datetime.fromtimestamp(listed.block_time, UTC)
        except (OverflowError, ValueError, OSError):
            return False
        return self.clock() - executed_at < AWAITED_FOR
