"""Accounts of the two token programs, as far as nodes parse them. Layouts: the programs' `state.rs`."""

from dataclasses import dataclass
from decimal import Decimal
from struct import Struct

from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.programs import TOKEN, TOKEN_PROGRAMS

_MINT = Struct("<I32sQBBI32s")
_HOLDING = Struct("<32s32sQI32sBIQQI32s")
_KIND_AT = _HOLDING.size
_A_MINT, _A_HOLDING = 1, 2
_STATES = ("uninitialized", "initialized", "frozen")


@dataclass(frozen=True, slots=True)
class MintState:
    """A mint; authorities are None if there is none."""

    supply: int
    decimals: int
    initialised: bool
    authority: Pubkey | None
    freezer: Pubkey | None


@dataclass(frozen=True, slots=True)
class HoldingState:
    """A token account; amounts in raw units. ``native`` is its rent reserve if it holds wrapped SOL."""

    mint: Pubkey
    owner: Pubkey
    amount: int
    state: str
    native: int | None
    delegate: Pubkey | None
    delegated: int
    closer: Pubkey | None


def read_mint(account: Account | None) -> MintState | None:
    """Decode a mint; None for any other account."""
    if account is None or not _is(account, _MINT.size, _A_MINT):
        return None
    has_authority, authority, supply, decimals, initialised, has_freezer, freezer = _MINT.unpack_from(account.data)
    return MintState(
        supply, decimals, bool(initialised), _optional(has_authority, authority), _optional(has_freezer, freezer)
    )


def read_holding(account: Account | None) -> HoldingState | None:
    """Decode an initialised token account; None for any other account."""
    if account is None or not _is(account, _HOLDING.size, _A_HOLDING):
        return None
    (
        mint, owner, amount, has_delegate, delegate, state, is_native, native, delegated, has_closer, closer,
    ) = _HOLDING.unpack_from(account.data)  # fmt: skip
    if not 0 < state < len(_STATES):
        return None
    return HoldingState(
        Pubkey(mint), Pubkey(owner), amount, _STATES[state], native if is_native else None,
        _optional(has_delegate, delegate), delegated, _optional(has_closer, closer),
    )  # fmt: skip


def amount_json(amount: int, decimals: int) -> dict[str, object]:
    """Write an amount of tokens as nodes do, including a JavaScript number."""
    whole = Decimal(amount).scaleb(-decimals)
    text = f"{whole:.{decimals}f}"
    return {
        "amount": str(amount),
        "decimals": decimals,
        "uiAmount": float(whole),
        "uiAmountString": text.rstrip("0").rstrip(".") if decimals else text,
    }


def parsed_json(account: Account, mint: Account | None) -> dict[str, object] | None:
    """Write a mint or a token account (``mint`` is its mint's account) as `jsonParsed` does; None for other accounts.

    Extensions of Token-2022 are left out.
    """
    program = "spl-token" if account.owner == TOKEN else "spl-token-2022"
    if (state := read_mint(account)) is not None:
        info: dict[str, object] = {
            "decimals": state.decimals,
            "freezeAuthority": _text(state.freezer),
            "isInitialized": state.initialised,
            "mintAuthority": _text(state.authority),
            "supply": str(state.supply),
        }
        return {"program": program, "space": len(account.data), "parsed": {"type": "mint", "info": info}}
    holding, minted = read_holding(account), read_mint(mint)
    if holding is None or minted is None:
        return None
    info = {
        "isNative": holding.native is not None,
        "mint": str(holding.mint),
        "owner": str(holding.owner),
        "state": holding.state,
        "tokenAmount": amount_json(holding.amount, minted.decimals),
    }
    if holding.native is not None:
        info["rentExemptReserve"] = amount_json(holding.native, minted.decimals)
    if holding.delegate is not None:
        info |= {"delegate": str(holding.delegate), "delegatedAmount": amount_json(holding.delegated, minted.decimals)}
    if holding.closer is not None:
        info["closeAuthority"] = str(holding.closer)
    return {"program": program, "space": len(account.data), "parsed": {"type": "account", "info": info}}


def _is(account: Account, size: int, kind: int) -> bool:
    """Distinguish mints and token accounts by size, or by the type byte if extensions follow."""
    if account.owner not in TOKEN_PROGRAMS:
        return False
    data = account.data
    if len(data) == size:
        return True
    return account.owner != TOKEN and len(data) > _KIND_AT and data[_KIND_AT] == kind


def _optional(there: int, key: bytes) -> Pubkey | None:
    return Pubkey(key) if there else None


def _text(key: Pubkey | None) -> str | None:
    return None if key is None else str(key)
