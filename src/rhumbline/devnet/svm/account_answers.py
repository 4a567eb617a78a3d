"""Accounts, in the JSON form of nodes."""

from base64 import b64encode
from collections.abc import Callable

from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.faults import INVALID_REQUEST, RpcFault, invalid
from rhumbline.devnet.svm.parameters import Options, read_bytes, read_number, read_options
from rhumbline.devnet.svm.programs import LOOKUP_TABLES, TOKEN_PROGRAMS
from rhumbline.devnet.svm.table_layout import parsed_table
from rhumbline.devnet.svm.token_layouts import parsed_json, read_holding
from rhumbline.gateways.svm import base58

Accounts = Callable[[Pubkey], Account | None]
_NEVER = 2**64 - 1
_LONGEST_BASE58 = 128
_MOST_FILTERS = 4
_PARSED = "jsonParsed"


def account_json(
    account: Account | None, options: Options, accounts: Accounts, default: str = "binary"
) -> dict[str, object] | None:
    """Write an account in the requested encoding; None if it does not exist."""
    if account is None:
        return None
    return {
        "lamports": account.lamports,
        "owner": str(account.owner),
        "executable": account.executable,
        "rentEpoch": _NEVER,
        "space": len(account.data),
        "data": _data(account, options, accounts, options.text("encoding") or default),
    }


def _data(account: Account, options: Options, accounts: Accounts, encoding: str) -> object:
    data = bytes(account.data)
    if encoding == _PARSED:
        parsed = _parsed(account, accounts)
        if parsed is not None:
            return parsed
        encoding = "base64"
    elif (part := options.values.get("dataSlice")) is not None:
        fields = read_options(part)
        start, length = (read_number(fields.values.get(name), name) for name in ("offset", "length"))
        data = data[start : start + length]
    if encoding == "base64":
        return [b64encode(data).decode(), "base64"]
    if encoding not in {"base58", "binary"}:
        raise invalid(f"unsupported encoding: {encoding}")
    if len(data) > _LONGEST_BASE58:
        words = "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."
        raise RpcFault(INVALID_REQUEST, words)
    text = base58.encode(data)
    return text if encoding == "binary" else [text, "base58"]


def _parsed(account: Account, accounts: Accounts) -> dict[str, object] | None:
    if account.owner == LOOKUP_TABLES:
        return parsed_table(account)
    if account.owner not in TOKEN_PROGRAMS:
        return None
    holding = read_holding(account)
    return parsed_json(account, None if holding is None else accounts(holding.mint))


def fits(account: Account, filters: list[Callable[[bytes], bool]]) -> bool:
    """Return whether an account's data match all filters."""
    data = bytes(account.data)
    return all(each(data) for each in filters)


def read_filters(options: Options) -> list[Callable[[bytes], bool]]:
    """Read the filters of `getProgramAccounts`."""
    given = options.items("filters")
    if len(given) > _MOST_FILTERS:
        raise invalid(f"Too many filters provided; max {_MOST_FILTERS}")
    return [_filter(read_options(each)) for each in given]


def _filter(given: Options) -> Callable[[bytes], bool]:
    if (size := given.number("dataSize")) is not None:
        return lambda data: len(data) == size
    if "memcmp" in given.values:
        compared = given.inner("memcmp")
        offset = compared.number("offset") or 0
        sought = read_bytes(compared.values.get("bytes"), compared.text("encoding"), _LONGEST_BASE58)
        return lambda data: data[offset : offset + len(sought)] == sought
    raise invalid("unknown filter")
