"""Jito's tip accounts: whoever pays one of them lamports may have its transaction put into a block by its validators.

They are the tip payment program's own, derived from fixed seeds, and the same on mainnet and testnet. A tip account
must not be looked up in a table. Sources: docs.jito.wtf, `getTipAccounts` as quicknode.com/docs/solana/getTipAccounts
prints it, and github.com/jito-foundation/jito-programs, mev-programs/programs/tip-payment/src/lib.rs, read 2026-11-28.
"""

from collections.abc import Sequence
from dataclasses import replace

from rhumbline.domain.svm import LookupTable

TIP_PROGRAM = "T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjtVYqCsaHqt"
TIP_ACCOUNTS = (
    "96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5",
    "HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe",
    "Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY",
    "ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49",
    "DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh",
    "ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt",
    "DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL",
    "3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT",
)


def tip_account(identifier: bytes) -> str:
    """Return the account for a transaction ID, which begins with random bytes: so that none of them is crowded."""
    return TIP_ACCOUNTS[identifier[0] % len(TIP_ACCOUNTS)]


def without_tip_accounts(tables: Sequence[LookupTable]) -> tuple[LookupTable, ...]:
    """Return tables as far as they hold no tip account, so that none is looked up."""
    return tuple(
        replace(table, entries={place: at for place, at in table.entries.items() if at not in TIP_ACCOUNTS})
        for table in tables
    )
