"""From executed transactions to the records of the issued ones among them.

Anybody can name the service's reference key. A transaction counts if it succeeded; if its sender, who signed it,
is the issued transaction's; if the ID is ours for exactly those terms; if it does all that was handed out, and nothing
else but what wallets add; and if it came in its time. All amounts are the chain's, less what wallets added.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_SVM, Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.fee import FeeKind
from rhumbline.domain.tracking import NO_EVENT, RecordAmount, RouteType, TransactionRecord
from rhumbline.domain.transaction import OrderTerms, verify_transaction_id
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.chain_types.order_terms import direct_terms
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction, Execution
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key
from rhumbline.tracking.issued_transactions import EARLIEST, LATEST, find_builds
from rhumbline.tracking.records import PROTOCOL
from rhumbline.tracking.resolution import Origin, resolve
from rhumbline.tracking.svm.balances import accounts_of, arrived, gained, receiving_accounts
from rhumbline.tracking.svm.payments import paid_fees
from rhumbline.tracking.svm.recognition import Recognised, moved, recognise
from rhumbline.tracking.transfers import Known, WalletCall, wallet_call_record

_Told = TypeVar("_Told", bound=Execution)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sent:
    """An executed issued transaction: its sender, its ID, and the index of its tracking instruction."""

    executed: ExecutedTransaction
    sender: str
    transaction_id: bytes
    place: int = NO_EVENT


@dataclass(frozen=True, slots=True)
class Claim:
    """What a transaction's one tracking instruction claims: its sender, its ID, and its own index."""

    sender: str
    transaction_id: bytes
    place: int


@dataclass(frozen=True, slots=True)
class Ours(Generic[_Told]):
    """An issued transaction, which may have been read only in part."""

    issued: IssuedTransaction
    told: _Told
    place: int = NO_EVENT

    def sent(self, executed: ExecutedTransaction) -> Sent:
        """Return it with all that was read of it."""
        return Sent(executed, self.issued.sender, bytes.fromhex(self.issued.transaction_id[2:]), self.place)


@dataclass(frozen=True, slots=True)
class RecordBuilder:
    """Makes the records of one chain; the store has its issued transactions."""

    chain: Chain
    engine: AsyncEngine
    clock: Clock
    known: Known

    async def ours(self, found: Iterable[_Told], keys: tuple[bytes, ...]) -> list[Ours[_Told]]:
        """Return those transactions that carry a tracking instruction and are what was handed out."""
        references = {reference_key(key) for key in keys}
        claims = [(told, claim) for told in found if (claim := read_claim(told, references)) is not None]
        async with self.engine.connect() as connection:
            builds = await find_builds(connection, ("0x" + claim.transaction_id.hex() for _, claim in claims))
        return [ours for told, claim in claims if (ours := self._ours(told, claim, builds, keys)) is not None]

    async def records(self, found: Iterable[ExecutedTransaction], keys: tuple[bytes, ...]) -> list[TransactionRecord]:
        """Return the records of those transactions that carry a tracking instruction and are what was handed out."""
        return [self.record(each.issued, each.sent(each.told)) for each in await self.ours(found, keys)]

    async def records_of(self, found: Iterable[tuple[ExecutedTransaction, str, int]]) -> list[TransactionRecord]:
        """Return the records of transactions that had one before, each with its ID and its place; as they are now."""
        found = [each for each in found if each[0].error is None]
        async with self.engine.connect() as connection:
            builds = await find_builds(connection, (identifier for _, identifier, _ in found))
        return [
            self.record(issued, Sent(executed, issued.sender, bytes.fromhex(identifier[2:]), place))
            for executed, identifier, place in found
            if (issued := builds.get(identifier)) is not None
        ]

    def is_ours(self, issued: IssuedTransaction, executed: Execution, keys: tuple[bytes, ...]) -> bool:
        """Return whether a build of this chain is under an ID of ours and could have been executed then."""
        terms = self._terms(issued)
        identifier = bytes.fromhex(issued.transaction_id[2:])
        in_time = issued.created_at - EARLIEST <= self.time_of(executed) <= issued.expires_at + LATEST
        return terms is not None and in_time and verify_transaction_id(keys, identifier, terms)

    def record(self, issued: IssuedTransaction, sent: Sent) -> TransactionRecord:
        """Return the record of a transaction that is what was issued."""
        executed, now = sent.executed, self.clock()
        call = WalletCall(
            issued, executed.signature, executed.slot, str(executed.slot), self.time_of(executed), sent.place
        )
        # What others have signed holds no instruction that a wallet added.
        told = recognise(issued, executed.message.instructions) or Recognised(executed.message.instructions)
        fees = paid_fees(executed, told.own, issued)
        given = -gained(executed, issued.sender, issued.input_token, issued.output_token)
        given += moved(
            executed, told.added, accounts_of(executed, issued.sender, issued.input_token), issued.input_token
        )
        # What is beyond the order is rent: it was not traded.
        taken = RecordAmount(issued.input_token, max(0, min(given, issued.input_amount)))
        record = replace(
            wallet_call_record(call, self.known.pages, now, self.known.listed_at),
            input=taken,
            integrator_fee=fees.get(FeeKind.INTEGRATOR),
            service_fee=fees.get(FeeKind.SERVICE),
        )
        return record if issued.destination_chain_id != self.chain.id else _swapped(record, issued, executed, told)

    def time_of(self, executed: Execution) -> datetime:
        """Return when a transaction was executed; raise NodeUnavailable for an impossible time."""
        if executed.block_time is None:
            # A node that has lost the time of a block has it of no other transaction in it.
            return self.clock()
        try:
            return datetime.fromtimestamp(executed.block_time, UTC)
        except (OverflowError, ValueError, OSError) as error:
            raise NodeUnavailable(f"{self.chain.key}: slot {executed.slot} has an impossible time") from error

    def _ours(
        self, told: _Told, claim: Claim, builds: Mapping[str, IssuedTransaction], keys: tuple[bytes, ...]
    ) -> Ours[_Told] | None:
        issued = builds.get("0x" + claim.transaction_id.hex())
        if issued is None or not issued.wallet_call or issued.sender != claim.sender:
            return None
        if recognise(issued, told.message.instructions) is None:
            _log.warning("transaction not as handed out", chain=self.chain.key, tx=told.signature)
            return None
        return Ours(issued, told, claim.place) if self.is_ours(issued, told, keys) else None

    def _terms(self, issued: IssuedTransaction) -> OrderTerms | None:
        destination = self.known.chains.by_id.get(issued.destination_chain_id)
        if destination is None or issued.origin_chain_id != self.chain.id:
            return None
        try:
            return direct_terms(
                self.chain,
                destination,
                adapter=issued.adapter,
                sender=issued.sender,
                receiver=issued.receiver,
                integrator=issued.integrator,
                input_token=issued.input_token,
                input_amount=issued.input_amount,
                output_token=issued.output_token,
                expected_output=issued.expected_output,
                min_output=issued.min_output,
                reference=issued.reference,
                deadline=int(issued.expires_at.timestamp()),
                refund_to=issued.refund_to,
            )
        except ValueError:
            return None


def read_claim(executed: Execution, references: Collection[str]) -> Claim | None:
    """Return what a transaction says of itself; None where it failed, or has not exactly one tracking instruction.

    Only those at the top count: a program may call others with whatever it likes.
    """
    if executed.error is not None:
        return None
    places = enumerate(executed.message.instructions)
    found = [(place, told) for place, each in places if (told := read_tracking(each, references)) is not None]
    if len(found) != 1:
        return None
    [(place, (sender, identifier))] = found
    return Claim(sender, identifier, place)


def _swapped(
    record: TransactionRecord, issued: IssuedTransaction, executed: ExecutedTransaction, told: Recognised
) -> TransactionRecord:
    """Return the record of a swap within the chain: it arrives by the transaction that starts it."""
    token, receiver = issued.output_token, issued.receiver
    brought = arrived(executed, receiver, token, issued.input_token)
    brought -= moved(executed, told.added, receiving_accounts(executed, receiver, token), token)
    swapped = replace(
        record,
        destination_tx_hash=record.origin_tx_hash,
        destination_time=record.origin_time,
        protocol=PROTOCOL,
        route_type=RouteType.SWAP,
        output=RecordAmount(token, brought) if brought > 0 else None,
        terms=None,
        bridge_scan_url=None,
        next_bridge_check_at=None,
    )
    return resolve(_outcome(issued, brought)).put_into(swapped)


def _outcome(issued: IssuedTransaction, brought: int) -> Origin:
    """Return a swap's outcome. Any lamports count, because rent that the receiver pays is deducted from them."""
    if brought <= 0:
        return Origin.SWAP_EMPTY
    is_short = issued.output_token != NATIVE_SVM and brought < issued.min_output
    return Origin.SWAP_SHORT if is_short else Origin.SWAP_EVENT
