"""Reads a part of a Solana chain again by the reference keys; records without an issued transaction are marked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.rpc import MOST_SIGNATURES, SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.issued_transactions import find_builds
from rhumbline.tracking.records import PROTOCOL, record_id
from rhumbline.tracking.rescan import TRIES, Rescanned, disown, insisted
from rhumbline.tracking.sightings import ServiceKeys
from rhumbline.tracking.store import add_records, transactions
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.history import History
from rhumbline.tracking.svm.positions import Cursor
from rhumbline.tracking.svm.records import Claim, RecordBuilder, read_claim
from rhumbline.tracking.svm.retry_queue import retry_unshown
from rhumbline.tracking.svm.transaction_reader import TransactionReader
from rhumbline.tracking.svm.unread import Unread

QUOTE_LOST = "QUOTE_LOST"
"""The substatus of a transaction whose quote is not in the store: nothing shows any more whether it is ours."""
_ASK_AGAIN_S = 4.0


@dataclass(eq=False)
class SvmRescan:
    """Reads one chain; final transactions count, from one endpoint and from another if there is one."""

    builder: RecordBuilder
    rpc: SvmRpc
    keys: ServiceKeys
    ask_again_s: float = _ASK_AGAIN_S

    async def run(self, first: int, last: int | None) -> Rescanned:
        """Read slots again. Raise InvalidRequest, NodeUnavailable, SvmRpcError or a database error."""
        chain, engine, since = self.builder.chain, self.builder.engine, self.builder.clock()
        rpc = replace(self.rpc, commitment="finalized")
        head = await insisted(rpc.slot)
        last = head if last is None else last
        if not 0 <= first <= last <= head:
            raise InvalidRequest([f"--from, --to: must be from 0 to {head}, the newest final slot of {chain.key}"])
        keys, done = await self.keys(), Rescanned(first, last)
        for key in keys:
            reference = reference_key(key)
            floor = await self._floor(rpc, reference, first)
            history = History(rpc, reference)
            while True:
                piece = await insisted(partial(history.next, floor))
                wanted = [each for each in piece if first <= each.slot <= last]
                done = await self._take(wanted, keys, done) if wanted else done
                history.taken(len(piece))
                if not history.unfinished or (piece and piece[-1].slot > last):
                    break
        async with engine.begin() as connection:
            await positions.lock_chain(connection, chain.id)
            await disown(connection, chain.id, first, last, since)
        return done

    async def _floor(self, rpc: SvmRpc, reference: str, first: int) -> Cursor | None:
        """Return the newest transaction of a reference key below a slot; None where there is none."""
        before: str | None = None
        while True:
            ask = partial(rpc.signatures, reference, before=before, until=None, limit=MOST_SIGNATURES)
            page = await insisted(ask)
            below = next((each for each in page if each.slot < first), None)
            if below is not None:
                return Cursor(below.signature, below.slot)
            if not page:
                return None
            before = page[-1].signature

    async def _take(self, piece: Sequence[SignatureInfo], keys: tuple[bytes, ...], done: Rescanned) -> Rescanned:
        """Add what is missing of a piece."""
        builder = self.builder
        chain, engine = builder.chain, builder.engine
        found, unread = await self._shown(piece, keys)
        references = {reference_key(key) for key in keys}
        claims = [(each, claim) for each in found if (claim := read_claim(each, references)) is not None]
        records = await builder.records([each for each, _ in claims], keys)
        async with engine.connect() as connection:
            builds = await find_builds(connection, ("0x" + claim.transaction_id.hex() for _, claim in claims))
        lost = [each for each in claims if "0x" + each[1].transaction_id.hex() not in builds]
        marks = [self._mark(executed, claim) for executed, claim in lost]
        async with engine.begin() as connection:
            await positions.lock_chain(connection, chain.id)
            await _unmark(connection, records)
            added = await add_records(connection, records)
            marked = await add_records(connection, marks)
            await positions.note_finals(connection, chain.id, (each.signature for each in found))
            await retry_unshown(connection, chain.id, unread, builder.clock())
        return replace(
            done,
            found=done.found + len(records),
            added=done.added + added.added,
            unknown=done.unknown + marked.added,
            unread=done.unread + len(unread),
        )

    async def _shown(
        self, piece: Sequence[SignatureInfo], keys: tuple[bytes, ...]
    ) -> tuple[list[ExecutedTransaction], list[str]]:
        """Read what of a piece names the service; return that, and the signatures of those that no node shows."""
        references = {reference_key(key) for key in keys}
        reader = TransactionReader(self.rpc, Unread(self.builder.chain.key, self.builder.clock))
        found: list[ExecutedTransaction] = []
        left = list(piece)
        for _ in range(TRIES):
            ask = partial(reader.transactions, left, lambda told: read_claim(told, references) is not None)
            told = await insisted(ask)
            found += [executed for each in told if (executed := reader.whole(each)) is not None]
            left = [each for each in left if reader.unread.waits(each.signature)]
            if not left:
                break
            await asyncio.sleep(self.ask_again_s)
        return found, [each.signature for each in left]

    def _mark(self, executed: ExecutedTransaction, claim: Claim) -> TransactionRecord:
        """Return the record of what nothing vouches for: it holds no ID, so that it takes nobody's place."""
        now = self.builder.clock()
        return TransactionRecord(
            id=record_id(self.builder.chain.id, executed.signature, claim.place),
            transaction_id=None,
            origin_chain_id=self.builder.chain.id,
            origin_tx_hash=executed.signature,
            origin_log_index=claim.place,
            origin_block_number=executed.slot,
            origin_block_hash=str(executed.slot),
            origin_time=self.builder.time_of(executed),
            sender=claim.sender,
            integrator=None,
            protocol=PROTOCOL,
            substatus=QUOTE_LOST,
            created_at=now,
            updated_at=now,
        )


async def _unmark(connection: AsyncConnection, records: Sequence[TransactionRecord]) -> None:
    """Remove what stands in the place of records since their quotes were not known."""
    row = transactions.c
    there = one_of(row.id, [record.id for record in records])
    await connection.execute(delete(transactions).where(there, row.substatus == QUOTE_LOST))
