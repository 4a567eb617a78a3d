"""A real runtime of Solana in the process, with wallets, mints and token accounts that its own programs made."""

from dataclasses import dataclass, field
from struct import pack

from solders.account import Account as SvmAccount
from solders.clock import Clock
from solders.keypair import Keypair
from solders.litesvm import LiteSVM
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import FailedTransactionMetadata, TransactionMetadata

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.decompiler import decompile_message
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, SPL, SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount, read_token_account

SOL = 10**9


class Refused(Exception):
    """The runtime did not execute a transaction; ``logs`` are its programs'."""

    def __init__(self, error: object, logs: list[str]) -> None:
        super().__init__(f"{error}: {logs}")
        self.logs = logs


@dataclass
class Runtime:
    """LiteSVM with ``payer``, who has plenty of SOL."""

    svm: LiteSVM = field(default_factory=LiteSVM)
    payer: Keypair = field(default_factory=Keypair)

    def __post_init__(self) -> None:
        self.fund(self.payer, 10**5 * SOL)

    def wallet(self, lamports: int = 10 * SOL) -> Keypair:
        made = Keypair()
        self.fund(made, lamports)
        return made

    def fund(self, wallet: Keypair, lamports: int) -> None:
        if lamports:
            assert isinstance(self.svm.airdrop(wallet.pubkey(), lamports), TransactionMetadata)

    def account(self, address: str) -> Account | None:
        found = self.svm.get_account(Pubkey.from_string(address))
        if found is None:
            return None
        return Account(found.lamports, str(found.owner), bytes(found.data), found.executable)

    def tokens(self, address: str) -> TokenAccount:
        return read_token_account(address, self.account(address))

    def lamports(self, address: str) -> int:
        return self.svm.get_balance(Pubkey.from_string(address)) or 0

    def signed(self, calls: list[SvmInstruction], *signers: Keypair, tables: tuple[LookupTable, ...] = ()) -> bytes:
        """Return a transaction of the first signer, or of ``payer``, signed by all."""
        keys = {str(each.pubkey()): each for each in signers or (self.payer,)}
        self.svm.expire_blockhash()
        message = compile_v0(next(iter(keys)), calls, tables, str(self.svm.latest_blockhash()))
        needed = decompile_message(message, tables).signers
        return serialise(message, needed, {each: bytes(keys[each].sign_message(message)) for each in needed})

    def run(self, calls: list[SvmInstruction], *signers: Keypair, tables: tuple[LookupTable, ...] = ()) -> int:
        """Execute instructions and return the units that they took."""
        return self.send(self.signed(calls, *signers, tables=tables))

    def send(self, transaction: bytes) -> int:
        result = self.svm.send_transaction(VersionedTransaction.from_bytes(transaction))
        if isinstance(result, FailedTransactionMetadata):
            raise Refused(result.err(), result.meta().logs())
        return result.compute_units_consumed()

    def mint(self, *extensions: tuple[int, bytes], program: str = SPL, decimals: int = 6, freezer: bool = False) -> str:
        """Make a mint; each extension is its size and the instruction that begins it. ``payer`` has all authority."""
        mint, authority = Keypair(), bytes(self.payer.pubkey())
        space = 82 if not extensions else 166 + sum(4 + size for size, _ in extensions)
        address = str(mint.pubkey())
        freeze = b"\x01" + authority if freezer else b"\x00"
        steps = [data for _, data in extensions] + [bytes([20, decimals]) + authority + freeze]
        calls = [SvmInstruction(program, (AccountRole(address, writable=True),), data) for data in steps]
        self.run([self.creation(address, space, program), *calls], self.payer, mint)
        return address

    def creation(self, address: str, space: int, program: str) -> SvmInstruction:
        """Return what makes an account of a program; it has to sign."""
        lamports = self.svm.minimum_balance_for_rent_exemption(space)
        roles = (AccountRole(str(self.payer.pubkey()), True, True), AccountRole(address, True, True))
        return SvmInstruction(SYSTEM, roles, pack("<IQQ", 0, lamports, space) + decode_address(program))

    def holding(self, owner: str, mint: str, amount: int = 0, program: str = SPL) -> str:
        """Make the owner's token account with so much of a mint, and return its address."""
        made = CreateTokenAccount.of(str(self.payer.pubkey()), owner, mint, program)
        self.run([made.encode()])
        if amount:
            roles = (
                AccountRole(mint, writable=True),
                AccountRole(made.account, writable=True),
                AccountRole(str(self.payer.pubkey()), signer=True),
            )
            self.run([SvmInstruction(program, roles, pack("<BQ", 7, amount))])
        return made.account

    def call(self, program: str, data: bytes, *addresses: str) -> None:
        """Call a program on accounts that it may write, the payer's authority last."""
        roles = [AccountRole(each, writable=True) for each in addresses]
        self.run([SvmInstruction(program, (*roles, AccountRole(str(self.payer.pubkey()), signer=True)), data)])

    def with_wrapped_sol(self) -> None:
        """Put the mint of wrapped SOL where every cluster has it."""
        data = pack("<I32sQB?I32s", 0, bytes(32), 0, 9, True, 0, bytes(32))
        self.svm.set_account(Pubkey.from_string(WRAPPED_SOL), SvmAccount(SOL, data, Pubkey.from_string(SPL)))

    def at_epoch(self, epoch: int) -> None:
        self.svm.set_clock(Clock(epoch * 432_000, 0, epoch, epoch + 1, 0))

    def at_slot(self, slot: int) -> None:
        now = self.svm.get_clock()
        self.svm.set_clock(Clock(slot, 0, now.epoch, now.leader_schedule_epoch, 0))

    def table(self, *addresses: str) -> str:
        """Make a lookup table on the chain with these addresses; it serves from the next slot on."""
        slot, owner = self.svm.get_clock().slot, self.payer.pubkey()
        self.svm.set_slot_hashes([(slot, self.svm.latest_blockhash())])
        self.at_slot(slot + 1)
        program = Pubkey.from_string(LOOKUP_TABLES)
        address, bump = Pubkey.find_program_address([bytes(owner), pack("<Q", slot)], program)
        roles = (
            AccountRole(str(address), writable=True),
            AccountRole(str(owner), signer=True),
            AccountRole(str(owner), signer=True, writable=True),
            AccountRole(SYSTEM),
        )
        self.run([SvmInstruction(LOOKUP_TABLES, roles, pack("<IQB", 0, slot, bump))])
        for i in range(0, len(addresses), 20):
            some = addresses[i : i + 20]
            keys = b"".join(decode_address(each) for each in some)
            self.run([SvmInstruction(LOOKUP_TABLES, roles, pack("<IQ", 2, len(some)) + keys)])
        return str(address)


def stranger() -> str:
    """Return an address that nobody has used."""
    return str(Keypair().pubkey())


def transfer_fee(points: int, maximum: int, authority: Keypair | None = None) -> tuple[int, bytes]:
    """Return the extension that takes a fee of each transfer."""
    who = b"\x00\x00" if authority is None else b"\x01" + bytes(authority.pubkey()) + b"\x00"
    return 108, b"\x1a\x00" + who + pack("<HQ", points, maximum)
