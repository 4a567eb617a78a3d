"""Why the runtime refused a transaction, in the terms of its nodes.

Source: github.com/anza-xyz/solana-sdk, transaction-error/src/lib.rs and instruction-error/src/lib.rs, read 2026-11-22:
a variant without fields is its name, one with fields an object of one key.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import msgspec

from rhumbline.gateways.nodes.svm.fields import Index

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,79}\Z", re.ASCII)
_Custom = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
Variant: TypeAlias = str | dict[str, Any]
"""An error as nodes write it."""


@dataclass(frozen=True, slots=True)
class TransactionError:
    """``kind`` is the runtime's name for it.

    Of an error in an instruction (``InstructionError``), ``instruction`` is its place in the message, ``reason`` the
    runtime's name for what was wrong, and ``custom`` the program's own number where the reason is ``Custom``.
    ``account`` is the place of the account that lacks rent, ``None`` for all other errors.
    """

    kind: str
    instruction: int | None = None
    reason: str | None = None
    custom: int | None = None
    account: int | None = None

    def __str__(self) -> str:
        if self.instruction is not None:
            number = "" if self.custom is None else f" {self.custom} ({self.custom:#x})"
            return f"instruction {self.instruction}: {self.reason}{number}"
        return self.kind if self.account is None else f"{self.kind} (account {self.account})"


def read_error(value: Variant | None) -> TransactionError | None:
    """Parse a transaction's ``err``, None for a success; raise ValueError for an invalid one."""
    if value is None:
        return None
    kind, fields = _variant(value)
    if kind == "InstructionError":
        place, inner = msgspec.convert(fields, tuple[Index, Variant])
        reason, number = _variant(inner)
        custom = msgspec.convert(number, _Custom) if reason == "Custom" else None
        return TransactionError(kind, place, reason, custom)
    index = fields.get("account_index") if isinstance(fields, dict) else None
    return TransactionError(kind, account=msgspec.convert(index, Index | None))


def _variant(value: Variant) -> tuple[str, object]:
    """Split an error into its name and its fields."""
    [(name, fields)] = value.items() if isinstance(value, dict) else [(value, None)]
    if not _NAME.match(name):
        raise ValueError("not the name of an error")
    return name, fields
