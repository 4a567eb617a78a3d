"""Lookup tables of emulators, placed on the sandbox's chain.

Layout: github.com/anza-xyz/solana-sdk, address-lookup-table-interface/src/state.rs, read 2026-11-22.
"""

from collections.abc import Sequence
from struct import pack

from solders.pubkey import Pubkey

from rhumbline.devnet.svm.pool_program import read_pool
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES

_KIND, _IN_SERVICE, _NO_AUTHORITY = 1, 2**64 - 1, 0


def table_data(entries: Sequence[str]) -> bytes:
    """Return the account data of an active table that nobody can change."""
    meta = pack("<IQQBB32sH", _KIND, _IN_SERVICE, 0, 0, _NO_AUTHORITY, bytes(32), 0)
    return meta + b"".join(decode_address(entry) for entry in entries)


async def store_table(node: SvmNode, address: str, entries: Sequence[str]) -> None:
    """Place a table at an address."""
    await node.store(address, LOOKUP_TABLES, table_data(entries))


async def pool_accounts(node: SvmNode) -> tuple[str, ...]:
    """Return the accounts of all pools of the chain that trades name, without the trader's own."""
    program = Pubkey.from_string(node.chain.contracts["pool_program"])
    named = [str(program)]
    found = (await node.rpc.accounts([pool.address for pool in node.chain.pools])).found
    for address, account in found.items():
        pool = read_pool(program, Pubkey.from_string(address), b"" if account is None else account.data)
        named += [address, str(pool.authority)]
        named += [str(key) for side in pool.sides for key in (side.vault, side.mint, side.token_program)]
    return tuple(dict.fromkeys(named))
