"""The common parts of MCTP and FAST_MCTP on Solana: a ledger's account holds the USDC until a relayer has it burnt.

Source as in ``draft``. The relayer's fee on Solana comes off before anything is burnt. A ledger's address is made of
the wallet and of what was drawn at random for it, and of whether the USDC is swapped on the destination.
"""

from rhumbline.adapters.mayan.amounts import fitting
from rhumbline.adapters.mayan.kinds.order import Terms, expected_output
from rhumbline.adapters.mayan.wire import MayanQuote
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import encode_address, program_address

LARGEST_LEDGER = 320
"""The largest ledger in bytes: its instruction has at most 188, and it stores its owner; no layout is published."""


def ledger_address(wallet: bytes, drawn: bytes, program: str, *, swapped: bool) -> str:
    """Return the address of a wallet's ledger."""
    return program_address([b"LEDGER_ORDER" if swapped else b"LEDGER_BRIDGE", wallet, drawn], program)


def call_of(terms: Terms, program: str, data: bytes, named: tuple[str, ...], written: str) -> SvmInstruction:
    """Return a program's call; the wallet signs and pays wherever it is ``named``, of the others one is ``written``."""
    wallet = encode_address(terms.sender)
    accounts = tuple(
        AccountRole(each, signer=each == wallet, writable=each in (wallet, written)) for each in named
    )  # fmt: skip
    return SvmInstruction(program, accounts, data)


def solana_fee(reply: MayanQuote) -> int:
    """Return the fee of the relayer on Solana; raise UpstreamFailed if it is missing: no relayer would continue."""
    if reply.solana_relayer_fee64 is None:
        raise UpstreamFailed("answered a quote from Solana without the fee of who carries it on")
    return fitting(reply.solana_relayer_fee64)


def burnt_of(terms: Terms, fee: int) -> int:
    """Return the amount that Circle burns; raise BelowMinimum if the fee takes all."""
    if fee >= terms.amount:
        raise BelowMinimum("answers so small an amount with a fee that takes all of it", None)
    return fitting(terms.amount - fee)


def most_of(reply: MayanQuote, terms: Terms, burnt: int) -> int:
    """Return the expected output for the burnt amount, rounded down: the quote expects no deduction before."""
    return expected_output(reply, terms.out_decimals) * burnt // terms.amount


def deadline_of(reply: MayanQuote) -> int:
    """Return an order's deadline; raise UpstreamFailed for none."""
    if reply.deadline64 is None:
        raise UpstreamFailed("answered an order of Circle's USDC without a deadline")
    return fitting(reply.deadline64)
