"""The sandbox's Solana chain: LiteSVM, with all that it leaves to others.

LiteSVM executes transactions on accounts. Slots and their time, the window of blockhashes, checks of signatures and of
repetition, history, and how far a transaction is, are kept here. There is one state only, the latest: whatever
commitment a balance is asked at, and no transaction is ever withdrawn but by `restore`. Durable nonces are not known.
Of a transaction of version 1 LiteSVM runs the instructions, and passes over the compute budget in its header: it has
the units that one of version 0 has that asks for none, and pays for signatures alone.
"""

from dataclasses import dataclass, field

from solders.account import Account
from solders.compute_budget import set_compute_unit_limit
from solders.hash import Hash
from solders.keypair import Keypair
from solders.litesvm import LiteSVM
from solders.message import Message, MessageV0, MessageV1
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import FailedTransactionMetadata

from rhumbline.devnet.svm.execution import (
    Balances,
    LookupFailed,
    Named,
    Outcome,
    balances,
    meta_json,
    named_accounts,
    with_blockhash,
)
from rhumbline.devnet.svm.ledger import Executed, Ledger
from rhumbline.devnet.svm.programs import SYSTEM
from rhumbline.devnet.svm.slots import FIRST, REMEMBERED, SLOT_MS, Slots
from rhumbline.devnet.svm.transaction_errors import ALREADY_PROCESSED, BLOCKHASH_NOT_FOUND

SOL = 10**9
FAUCET = Keypair.from_seed(b"rhumbline sandbox faucet key    ")
_FAUCET_HOLDS = 10**9 * SOL
_UNITS = 10_000
_OTHERS = 100_000


class BadSignatures(Exception):
    """A required signature is missing, or is not of this message."""


class Dropped(Exception):
    """A transaction that no block will include; ``error`` is the reason, in the nodes' form."""

    def __init__(self, error: object) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True, slots=True)
class Trial:
    """A simulated run: ``after`` are the balances, ``accounts`` the accounts after a successful run.

    ``outcome`` is None if it could not begin; then only ``error`` is set.
    """

    error: object
    outcome: Outcome | None = None
    named: Named | None = None
    before: Balances | None = None
    after: Balances | None = None
    accounts: dict[str, Account] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Mark:
    slots: Slots
    records: tuple[Executed, ...]
    undo: dict[Pubkey, Account | None]


class SvmChain:
    """One chain. Nothing in it waits or reads a clock: slots pass by `advance`."""

    def __init__(self, started: int, slot_ms: int = SLOT_MS) -> None:
        """Start at a time, in Unix seconds, with slots of ``slot_ms``."""
        self._svm = LiteSVM().with_sigverify(False).with_blockhash_check(False).with_transaction_history(0)
        self.slots = Slots(started, slot_ms=slot_ms)
        self.ledger = Ledger()
        self._marks: list[_Mark] = []
        self._airdrops = 0
        self._branches = 0
        self.set_account(FAUCET.pubkey(), Account(_FAUCET_HOLDS, b"", SYSTEM))
        self._tell_time()

    def advance(self, count: int = 1) -> int:
        """Let slots pass and return the current one."""
        self.slots = self.slots.advanced(count)
        self._tell_time()
        return self.slots.slot

    def account(self, key: Pubkey) -> Account | None:
        return self._svm.get_account(key)

    def accounts_of(self, program: Pubkey) -> list[tuple[Pubkey, Account]]:
        """Return all accounts that a program owns, ordered by address."""
        return sorted(self._svm.get_program_accounts(program), key=lambda each: bytes(each[0]))

    def set_account(self, key: Pubkey, account: Account) -> None:
        """Set an account directly, which no transaction could do."""
        self._remember(key)
        self._svm.set_account(key, account)

    def add_program(self, key: Pubkey, code: bytes) -> None:
        """Place a program at an address, where it stays through every `restore`."""
        self._svm.add_program(key, code)

    def rent(self, size: int) -> int:
        """Return the rent-exempt lamports for an account of this size in bytes."""
        return self._svm.minimum_balance_for_rent_exemption(size)

    def blockhash(self) -> Hash:
        return self.slots.blockhash(self.slots.slot)

    def airdrop(self, key: Pubkey, lamports: int) -> Executed:
        """Give lamports to an address by an ordinary transaction; raise Dropped."""
        self._airdrops += 1
        # Without this, two equal airdrops in one slot would be the same transaction.
        limit = set_compute_unit_limit(_UNITS + self._airdrops % _OTHERS)
        gift = transfer(TransferParams(from_pubkey=FAUCET.pubkey(), to_pubkey=key, lamports=lamports))
        message = MessageV0.try_compile(FAUCET.pubkey(), [limit, gift], [], self.blockhash())
        return self.send(VersionedTransaction(message, [FAUCET]))

    def send(self, transaction: VersionedTransaction) -> Executed:
        """Execute a transaction in the present slot; one that fails is executed too, and pays its fee.

        Raise BadSignatures, and Dropped for one that no block would include.
        """
        if not is_signed(transaction):
            raise BadSignatures
        signature = str(transaction.signatures[0])
        if self.ledger.find(signature) is not None:
            raise Dropped(ALREADY_PROCESSED)
        named = self._named(transaction)
        before = balances(named.all, self.account)
        for key in named.all:
            self._remember(key)
        outcome = Outcome.of(self._svm.send_transaction(transaction))
        after = balances(named.all, self.account)
        if outcome.error is not None and before.lamports == after.lamports:
            raise Dropped(outcome.error)
        slot = self.slots.slot
        executed = Executed(
            signature, slot, self.slots.time(slot), transaction, tuple(str(key) for key in named.all), outcome.error,
            meta_json(outcome, named, before, after),
        )  # fmt: skip
        self.ledger.add(executed)
        return executed

    def simulate(self, transaction: VersionedTransaction, *, check_repetition: bool = False) -> Trial:
        """Run a transaction without signatures and without effect."""
        if check_repetition and self.ledger.find(str(transaction.signatures[0])) is not None:
            return Trial(ALREADY_PROCESSED)
        try:
            named = self._named(transaction)
        except Dropped as dropped:
            return Trial(dropped.error)
        before = balances(named.all, self.account)
        result = self._svm.simulate_transaction(transaction)
        if isinstance(result, FailedTransactionMetadata):
            outcome = Outcome.of(result)
            return Trial(outcome.error, outcome, named, before, before)
        left = {str(key): account for key, account in result.post_accounts()}
        after = balances(named.all, lambda key: left.get(str(key)) or self.account(key))
        return Trial(None, Outcome.of(result.meta()), named, before, after, left)

    def with_latest_blockhash(self, transaction: VersionedTransaction) -> VersionedTransaction:
        """Return a transaction with the latest blockhash in place of its own."""
        message = transaction.message
        if isinstance(message, MessageV0):
            return with_blockhash(transaction, MessageV0(
                message.header, message.account_keys, self.blockhash(), message.instructions,
                message.address_table_lookups,
            ))  # fmt: skip
        header = message.header
        if isinstance(message, MessageV1):
            return with_blockhash(transaction, MessageV1(
                header, message.config, self.blockhash(), message.account_keys, message.instructions,
            ))  # fmt: skip
        return with_blockhash(transaction, Message.new_with_compiled_instructions(
            header.num_required_signatures, header.num_readonly_signed_accounts,
            header.num_readonly_unsigned_accounts, message.account_keys, self.blockhash(), message.instructions,
        ))  # fmt: skip

    def snapshot(self) -> int:
        """Save the present state and return its number."""
        self._marks.append(_Mark(self.slots, self.ledger.records(), {}))
        return len(self._marks)

    def restore(self, number: int) -> None:
        """Return to a saved state, which removes it and all later ones. Raise KeyError for an unknown one."""
        if not 1 <= number <= len(self._marks):
            raise KeyError(number)
        undone, mark = self._marks[number - 1 :], self._marks[number - 1]
        del self._marks[number - 1 :]
        for each in reversed(undone):
            for key, account in each.undo.items():
                if account != self.account(key):
                    self._svm.set_account(key, account or Account(0, b"", SYSTEM))
        self._branches += 1
        self.slots = mark.slots.branched(self._branches)
        self.ledger.reset(mark.records)
        self._tell_time()

    def _named(self, transaction: VersionedTransaction) -> Named:
        if not self.slots.is_valid(transaction.message.recent_blockhash):
            raise Dropped(BLOCKHASH_NOT_FOUND)
        try:
            return named_accounts(transaction.message, self.account)
        except LookupFailed as failed:
            raise Dropped(str(failed)) from None

    def _remember(self, key: Pubkey) -> None:
        if self._marks:
            self._marks[-1].undo.setdefault(key, self.account(key))

    def _tell_time(self) -> None:
        slots = self.slots
        self._svm.set_clock(slots.clock)
        earlier = range(slots.slot - 1, max(slots.slot - 1 - REMEMBERED, FIRST - REMEMBERED), -1)
        self._svm.set_slot_hashes([(slot, slots.blockhash(slot)) for slot in earlier])


def is_signed(transaction: VersionedTransaction) -> bool:
    """Return whether every required signature is present and of the transaction's message."""
    needed = transaction.message.header.num_required_signatures
    return len(transaction.signatures) == needed and all(transaction.verify_with_results())
