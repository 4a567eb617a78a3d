"""Whether an answer's transaction leaves room for what the service adds."""

from rhumbline.adapters.jupiter.wire import BuildAnswer
from rhumbline.domain.svm import LookupTable, SvmInstruction
from rhumbline.gateways.svm.messages import LARGEST, MOST_ACCOUNTS, MOST_ENTRIES, TooManyAccounts, measure

RESERVED_BYTES = 233
"""What compute budget, two fees and tracking take (measured on a genuine route, 2026-11-22)."""
ASSERTED_BYTES = 62
"""What the first assertion takes at the most, with its program's address, where the account is named already."""
RESERVED_ACCOUNTS = 5
"""The compute budget's program, two wallets for fees, the reference key and the transaction's ID as a key."""


def fits(payer: str, instructions: tuple[SvmInstruction, ...], found: BuildAnswer, *, asserted: bool) -> bool:
    """Tell whether a transaction has room, if the tables hold what Jupiter says; who composes it looks for itself.

    ``asserted`` asks for room for one assertion too.
    """
    said = found.addresses_by_lookup_table_address or {}
    tables = [
        LookupTable(address, dict(enumerate(entries)))
        for address, entries in said.items()
        if len(entries) <= MOST_ENTRIES
    ]
    try:
        size = measure(payer, instructions, tables)
    except (TooManyAccounts, ValueError):
        return False
    reserved = RESERVED_BYTES + (ASSERTED_BYTES if asserted else 0)
    return size.bytes_used + reserved <= LARGEST and size.accounts + RESERVED_ACCOUNTS <= MOST_ACCOUNTS
