"""The runtime's common programs and accounts, which have the same addresses on every cluster.

Sources: solana.com/docs/core/programs and the `declare_id!` of each program's repository, read 2026-11-22.
"""

SYSTEM = "11111111111111111111111111111111"
SPL = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
SPL_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
SPL_PROGRAMS = frozenset({SPL, SPL_2022})
ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111"
MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
MEMO_OF_OLD = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
STAKES = "Stake11111111111111111111111111111111111111"
VOTES = "Vote111111111111111111111111111111111111111"
LOADERS = frozenset({"BPFLoaderUpgradeab1e11111111111111111111111", "LoaderV411111111111111111111111111111111111"})
"""Loaders whose programs can be upgraded."""
LOOKUP_TABLES = "AddressLookupTab1e1111111111111111111111111"

WRAPPED_SOL = "So11111111111111111111111111111111111111112"
"""The mint whose token accounts hold SOL; one unit is one lamport."""
