"""Lookup tables in the nodes' parsed form. Layout: the program's `state.rs`; names: agave, account-decoder."""

from struct import Struct

from solders.account import Account
from solders.pubkey import Pubkey

_HEADER = Struct("<IQQBB32s2x")
_A_TABLE = 1
_ENTRY = 32


def parsed_table(account: Account) -> dict[str, object] | None:
    """Write a lookup table as `jsonParsed` does; None for any other account of the program."""
    data = bytes(account.data)
    if len(data) < _HEADER.size:
        return None
    kind, deactivated, extended, before, has_authority, authority = _HEADER.unpack_from(data)
    if kind != _A_TABLE:
        return None
    entries = [str(Pubkey(data[at : at + _ENTRY])) for at in range(_HEADER.size, len(data) - _ENTRY + 1, _ENTRY)]
    info: dict[str, object] = {
        "addresses": entries,
        "deactivationSlot": str(deactivated),
        "lastExtendedSlot": str(extended),
        "lastExtendedSlotStartIndex": before,
    }
    if has_authority:
        info["authority"] = str(Pubkey(authority))
    return {"program": "address-lookup-table", "space": len(data), "parsed": {"type": "lookupTable", "info": info}}
