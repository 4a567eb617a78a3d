"""Why the runtime refused a transaction, in the words of its nodes.

Source: github.com/anza-xyz/solana-sdk, transaction-error/src/lib.rs and instruction-error/src/lib.rs, read 2026-11-22:
a variant without fields is its name, one with fields an object of one key.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.reading import Reader

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,79}\Z", re.ASCII)
_LARGEST_CUSTOM = 2**32 - 1


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


def read_error(value: object) -> TransactionError | None:
    """Read a transaction's ``err``, None for a success; NodeUnavailable for what is no error."""
    if value is None:
        return None
    kind, fields = _variant(value)
    if kind == "InstructionError":
        return _of_instruction(fields)
    index = fields.get("account_index") if isinstance(fields, dict) else None
    return TransactionError(kind, account=None if index is None else Reader("an account's place").index(index))


def _of_instruction(fields: object) -> TransactionError:
    pair = Reader("an error of an instruction").items(fields)
    if len(pair) != 2:
        raise NodeUnavailable("the node answered something that is not an error of an instruction")
    reason, inner = _variant(pair[1])
    custom = Reader("a program's error").integer(inner, _LARGEST_CUSTOM) if reason == "Custom" else None
    return TransactionError("InstructionError", Reader("an instruction's place").index(pair[0]), reason, custom)


def _variant(value: object) -> tuple[str, object]:
    """Split an error into its name and its fields."""
    name, fields = value, None
    if isinstance(value, Mapping) and len(value) == 1:
        [(name, fields)] = value.items()
    if not isinstance(name, str) or not _NAME.match(name):
        raise NodeUnavailable("the node answered something that is not a transaction's error")
    return name, fields
