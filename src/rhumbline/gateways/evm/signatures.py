"""Signatures by eth-account; the only module that imports it.

A library below it (py_ecc) raises the interpreter's recursion limit to 100,000 when it is imported. Under that limit
deeply nested JSON from a stranger ends the process instead of raising RecursionError, so the limit is put back here.
The import takes half a second: who does not sign should not reach it at the start.
"""

import sys

from eth_account import Account
from eth_account.hdaccount import key_from_seed, seed_from_mnemonic
from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount

RECURSION_LIMIT = 1000
sys.setrecursionlimit(RECURSION_LIMIT)

__all__ = ["Account", "LocalAccount", "encode_defunct", "encode_typed_data", "key_from_seed", "seed_from_mnemonic"]
